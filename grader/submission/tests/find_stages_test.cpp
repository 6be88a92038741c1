// SPDX-License-Identifier: MIT
#include "catch.h"
#include "convkit/nearest.h"
#include "submission/folder_tree.h"
#include "submission/intake.h"
#include "submission/stage_search.h"

using namespace convkit;

namespace {

using Texts = std::vector<std::string>;

const std::vector<StageFiles> kStages = {
    {"01_cpu_conv", {"conv2d.cpp", "pool2d.cpp", "dense.cpp"}},
    {"02_direct_conv", {"direct_conv.cu"}},
    {"03_tiled_conv", {"tiled_conv.cu"}},
    {"07_mnist_cnn", {"dense.cpp", "train.cpp"}},
};

// Files below the folder `newest` were saved later than the others.
FoundStages find(const Texts& paths, const std::string& name = "ada.zip",
                 const std::string& newest = "none") {
  Submission submission;
  submission.name = name;
  for (const std::string& path : paths) {
    submission.files.push_back({path, 1, path.starts_with(newest + "/") ? 2000 : 1000});
  }
  return find_stages(submission, kStages);
}

// "01_cpu_conv@folder 02_direct_conv@folder": what was found where.
std::string places(const FoundStages& found) {
  std::string text;
  for (const FoundStage& stage : found.stages) {
    text += (text.empty() ? "" : " ") + stage.id + "@" + stage.folder;
  }
  for (const std::string& problem : found.problems) text += "\n" + problem;
  for (const std::string& note : found.notes) text += "\nNote: " + note;
  return text;
}

Texts in(const std::string& folder, const Texts& names) {
  Texts paths;
  for (const std::string& name : names) paths.push_back(folder + "/" + name);
  return paths;
}

Texts operator+(Texts a, const Texts& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Texts kFirst = {"conv2d.cpp", "dense.cpp", "pool2d.cpp"};

}  // namespace

TEST_CASE("folder names mean the stage they name or number") {
  for (const char* name : {"01_cpu_conv", "01-cpu-conv", "01 CPU Conv", "1_cpu_conv", "cpu_conv",
                           "01_cpu_conv (1)", "01_cpu_conv_final", "stage01_cpu_conv"}) {
    CAPTURE(name);
    CHECK(match_folder(name, "01_cpu_conv") == NameMatch::kName);
  }
  for (const char* name : {"01", "1", "stage01", "stage-1", "Stage 1", "STAGE_01"}) {
    CAPTURE(name);
    CHECK(match_folder(name, "01_cpu_conv") == NameMatch::kNumber);
  }
  for (const char* name :
       {"02_cpu_conv", "11", "10", "stage", "01_tiled", "conv", "hw1", "", "0"}) {
    CAPTURE(name);
    CHECK(match_folder(name, "01_cpu_conv") == NameMatch::kNone);
  }
}

TEST_CASE("a stage is found by its folder's name, with or without a top folder") {
  CHECK(places(find(in("01_cpu_conv", kFirst))) == "01_cpu_conv@01_cpu_conv");
  CHECK(places(find(in("hw/ada/01_CPU-conv", kFirst))) == "01_cpu_conv@hw/ada/01_CPU-conv");
  CHECK(places(find(in("stage-1", kFirst))) == "01_cpu_conv@stage-1");
}

TEST_CASE("a stage is found by its files, with or without a top folder") {
  CHECK(places(find(kFirst)) == "01_cpu_conv@");
  CHECK(places(find(in("my homework", kFirst))) == "01_cpu_conv@my homework");
}

TEST_CASE("several stages are found at once, sorted") {
  CHECK(places(find(in("hw/03_tiled_conv", {"tiled_conv.cu"}) + in("hw/1", kFirst) +
                    in("hw/second", {"direct_conv.cu"}))) ==
        "01_cpu_conv@hw/1 02_direct_conv@hw/second 03_tiled_conv@hw/03_tiled_conv");
  CHECK(places(find(kFirst + Texts{"tiled_conv.cu"})) == "01_cpu_conv@ 03_tiled_conv@");
}

TEST_CASE("all files below a stage's folder belong to it") {
  const FoundStages found =
      find(in("hw/01_cpu_conv", kFirst + Texts{"include/my.h"}) + Texts{"hw/README"});
  REQUIRE(found.stages.size() == 1);
  CHECK(found.stages[0].files == Texts{"conv2d.cpp", "dense.cpp", "pool2d.cpp", "include/my.h"});
  CHECK(found.stages[0].missing.empty());
}

TEST_CASE("a stage around another stage's folder leaves that one its files") {
  const FoundStages found = find(kFirst + in("02_direct_conv", {"direct_conv.cu"}));
  REQUIRE(places(found) == "01_cpu_conv@ 02_direct_conv@02_direct_conv");
  CHECK(found.stages[0].files == kFirst);
}

TEST_CASE("files in one folder below the stage's folder are found") {
  CHECK(places(find(in("01_cpu_conv/src", kFirst) + Texts{"01_cpu_conv/README"})) ==
        "01_cpu_conv@01_cpu_conv/src");
}

TEST_CASE("two folders named for one stage are a problem that names both") {
  CHECK(places(find(in("a/01_cpu_conv", kFirst) + in("b/stage1", kFirst))) ==
        "\nStage 01_cpu_conv is in 2 places, `a/01_cpu_conv` and `b/stage1`, equally complete and "
        "equally old; "
        "hand in one of them.");
}

TEST_CASE("a copy inside the stage's own folder is a problem that names both") {
  CHECK(places(find(in("01_cpu_conv", kFirst) + in("01_cpu_conv/01_cpu_conv", kFirst))) ==
        "\nStage 01_cpu_conv is in 2 places, `01_cpu_conv` "
        "and `01_cpu_conv/01_cpu_conv`, equally complete and equally old; "
        "hand in one of them.");
}

TEST_CASE("two unnamed folders with the same files are a problem that names both") {
  CHECK(places(find(kFirst + in("old", kFirst))) ==
        "\nStage 01_cpu_conv is in 2 places, the top of `ada.zip` and `old`, equally complete and "
        "equally old; "
        "hand in one of them.");
}

TEST_CASE("of two folders for one stage the more complete one is graded, and a note says so") {
  CHECK(places(find(in("a/01_cpu_conv", kFirst) + in("b/stage1", {"conv2d.cpp", "dense.cpp"}),
                    "ada.zip", "b")) ==
        "01_cpu_conv@a/01_cpu_conv\nNote: Stage 01_cpu_conv is in 2 places, `a/01_cpu_conv` and "
        "`b/stage1`. `a/01_cpu_conv` is graded, which has more of the stage's files. To have "
        "another one graded, hand in that one alone.");
}

TEST_CASE("of two complete folders for one stage the newer one is graded, and a note says so") {
  const std::string inner = "01_cpu_conv/01_cpu_conv";
  const FoundStages found = find(in("01_cpu_conv", kFirst) + in(inner, kFirst), "ada.zip", inner);
  REQUIRE(found.stages.size() == 1);
  CHECK(found.stages[0].folder == inner);
  CHECK(found.notes.size() == 1);
  // A folder without a telling name is no rival of one that has it.
  CHECK(places(find(in("01_cpu_conv", kFirst) + in("new", kFirst), "ada.zip", "new")) ==
        "01_cpu_conv@01_cpu_conv");
  CHECK(places(find(in("new", kFirst) + in("older", kFirst), "ada.zip", "new")) ==
        "01_cpu_conv@new\nNote: Stage 01_cpu_conv is in 2 places, `new` and `older`. `new` is "
        "graded, which was saved last. To have another one graded, hand in that one alone.");
}

TEST_CASE("a stage in two places does not hide the others") {
  CHECK(places(find(in("a/1", kFirst) + in("b/1", kFirst) + Texts{"02/direct_conv.cu"})) ==
        "02_direct_conv@02\nStage 01_cpu_conv is in 2 places, `a/1` and `b/1`, equally complete "
        "and equally old; "
        "hand in one of them.");
}

TEST_CASE("a named folder with the files wins over an unnamed one and an empty one") {
  CHECK(places(find(in("01_cpu_conv", kFirst) + in("old", kFirst) + Texts{"x/01/notes.txt"})) ==
        "01_cpu_conv@01_cpu_conv");
}

TEST_CASE("a number around or inside another stage is not a stage") {
  CHECK(places(find({"1/03_tiled_conv/tiled_conv.cu"})) == "03_tiled_conv@1/03_tiled_conv");
  CHECK(places(find({"03_tiled_conv/tiled_conv.cu", "03_tiled_conv/data/1/x.txt"})) ==
        "03_tiled_conv@03_tiled_conv");
}

TEST_CASE("files found elsewhere are a better sign than a bare number") {
  CHECK(places(find(in("mine", kFirst) + Texts{"1/essay.txt"})) == "01_cpu_conv@mine");
}

TEST_CASE("the name of the archive is a sign too") {
  const FoundStages found = find({"convolution.cpp"}, "01_cpu_conv.zip");
  REQUIRE(places(found) == "01_cpu_conv@");
  CHECK(found.stages[0].missing == Texts{"conv2d.cpp", "pool2d.cpp", "dense.cpp"});
}

TEST_CASE("a file that two stages want does not make the second stage appear") {
  CHECK(places(find(in("mine", kFirst))) == "01_cpu_conv@mine");
  CHECK(places(find(in("mine", {"train.cpp", "dense.cpp"}))) == "07_mnist_cnn@mine");
}

TEST_CASE("a folder that fits two stages equally is a problem that names both") {
  const std::vector<StageFiles> twins = {{"02_a", {"conv.cu"}}, {"03_b", {"conv.cu"}}};
  Submission submission;
  submission.name = "ada.zip";
  submission.files = {{"mine/conv.cu", 1}};
  CHECK(places(find_stages(submission, twins)) ==
        "\n`mine` could be stage 02_a or 03_b; name the folder after its stage.");
}

TEST_CASE("no stage at all is a problem that says what was there") {
  CHECK(
      places(find({"essay.txt", "pictures/cat.png"})) ==
      "\n`ada.zip` contains no stage: it holds `essay.txt` and `pictures/`, but no folder such as "
      "`01_cpu_conv` and 3 more and none of the files a stage needs.");
}

TEST_CASE("for a missing file the nearest name is offered") {
  for (const char* name :
       {"conv2D.cpp", "Conv2d.cpp", "conv2d (1).cpp", "conv2d.cpp.txt", "conv.cpp", "conv2d.cc",
        "con2vd.cpp", "conv2d - Copy.cpp", "src/conv_2d.cpp"}) {
    CAPTURE(name);
    const FoundStages found = find(in("01_cpu_conv", {name, "dense.cpp", "pool2d.cpp"}));
    REQUIRE(found.stages.size() == 1);
    CHECK(found.stages[0].missing == Texts{"conv2d.cpp"});
    CHECK(found.stages[0].nearest == Texts{name});
  }
}

TEST_CASE("a file that is itself wanted, or far away, is not offered") {
  const FoundStages found = find(in("01_cpu_conv", {"dense.cpp", "pool2d.cpp", "relu.cpp"}));
  REQUIRE(found.stages.size() == 1);
  CHECK(found.stages[0].missing == Texts{"conv2d.cpp"});
  CHECK(found.stages[0].nearest == Texts{""});
}

TEST_CASE("each file is offered once, to the missing name it is nearest to") {
  const FoundStages found = find(in("01_cpu_conv", {"dense.cpp", "pol2d.cpp"}));
  REQUIRE(found.stages.size() == 1);
  CHECK(found.stages[0].missing == Texts{"conv2d.cpp", "pool2d.cpp"});
  CHECK(found.stages[0].nearest == Texts{"", "pol2d.cpp"});
}

TEST_CASE("wrong names alone are enough to find the stage") {
  const FoundStages found = find({"Conv2D.cpp", "Pool2D.cpp", "Dense.cpp"});
  REQUIRE(places(found) == "01_cpu_conv@");
  CHECK(found.stages[0].nearest == Texts{"Conv2D.cpp", "Pool2D.cpp", "Dense.cpp"});
}

TEST_CASE("the edit distance counts changes and swaps of neighbours") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("conv", "") == 4);
  CHECK(edit_distance("conv", "conv2d") == 2);
  CHECK(edit_distance("con2vd", "conv2d") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}
