// SPDX-License-Identifier: MIT
#include "stage/stage.h"

#include "catch.h"
#include "convkit/kit_error.h"
#include "convkit/nearest.h"
#include "runtime/tests/test_files.h"
#include "stage/course.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using test::write_text;

const std::string kStage = R"(id = "01_test"
title = "Test"
summary = "A stage for tests."
device = "cpu"
api = "test.h"
files = ["a.cpp", "b.cpp"]
[build]
flags = ["-O2"]
[limits]
case_s = 3
[correctness]
factor = 2.0
[[task]]
id = "01.1"
title = "First"
file = "a.cpp"
[[group]]
name = "conv"
title = "Convolution"
points = 60
[[speed]]
name = "small"
title = "Small"
op = "conv2d_fast"
points = 40
none = 1.5
full = 6
terms = 10
flop = 1e6
params = {n = 1, slope = 0.5}
inputs = {x = [1, 4], w = [2]}
output = {y = [3]}
)";

// What load_stage says about stage.toml with `from` replaced by `to`; the path becomes "F".
std::string complaint(const std::string& from, const std::string& to) {
  const TemporaryFolder folder;
  const fs::path file = folder / "01_test" / "stage.toml";
  std::string text = kStage;
  text.replace(text.find(from), from.size(), to);
  write_text(file, text);
  try {
    load_stage(file);
  } catch (const KitError& error) {
    std::string said = error.what();
    const size_t at = said.find(file.string());
    return at == std::string::npos ? said : said.replace(at, file.string().size(), "F");
  }
  return "";
}

Stage with_id(const std::string& id, int number) {
  Stage stage;
  stage.id = id;
  stage.number = number;
  return stage;
}

}  // namespace

TEST_CASE("a hint may say which cases and functions show that it is done") {
  const TemporaryFolder folder;
  const fs::path file = folder / "01_test" / "stage.toml";
  std::string text = kStage;
  text.insert(text.find("[[group]]"),
              "hints = [{text = \"One.\", until = [\"one_forward\"]}, \"Two.\"]\n");
  write_text(file, text);
  const std::vector<Hint> hints = load_stage(file).tasks[0].hints;
  REQUIRE(hints.size() == 2);
  CHECK((hints[0].text == "One." && hints[0].until == std::vector<std::string>{"one_forward"}));
  CHECK((hints[1].text == "Two." && hints[1].until.empty()));
  CHECK(complaint("file = \"a.cpp\"", "file = \"a.cpp\"\nhints = [{text = \"One.\", after = []}]")
            .find("after") != std::string::npos);
}

TEST_CASE("stage.toml is read whole") {
  const TemporaryFolder folder;
  write_text(folder / "01_test" / "stage.toml", kStage);
  const Stage stage = load_stage(folder / "01_test" / "stage.toml");
  CHECK(stage.number == 1);
  CHECK(stage.flags == std::vector<std::string>{"-O2"});
  CHECK(stage.limits.one_case == std::chrono::seconds(3));
  CHECK(stage.limits.all_cases == std::chrono::seconds(120));
  CHECK(stage.limits.build == std::chrono::seconds(60));
  CHECK(stage.limits.resident_bytes == stage.limits.memory_bytes);
  CHECK(stage.factor == 2);
  CHECK(stage.max_points() == 100);
  CHECK(stage.speed_points() == 40);
  REQUIRE(stage.task("01.1"));
  CHECK(stage.task("01.1")->title == "First");
  CHECK(stage.task("01.2") == nullptr);
  REQUIRE(stage.speed.size() == 1);
  CHECK(stage.speed[0].params.at("n").integer);
  CHECK_FALSE(stage.speed[0].params.at("slope").integer);
  CHECK(stage.speed[0].inputs.size() == 2);
  CHECK(stage.speed[0].output.elements() == 3);
}

TEST_CASE("a mistake in stage.toml is named with its file, line and key") {
  CHECK(complaint("title = \"Test\"", "titel = \"Test\"") == "F:2: unknown key `titel`.");
  CHECK(complaint("title = \"Test\"\n", "") == "F:1: `title` is missing.");
  CHECK(complaint("title = \"Test\"", "title = 3") == "F:2: `title` must be a string.");
  CHECK_THAT(complaint("title = \"Test\"", "title = \"Test"), Catch::StartsWith("F:2: "));
  CHECK(complaint("\"01_test\"", "\"02_test\"") ==
        "F:1: `id` is \"02_test\" but the folder is named \"01_test\".");
  CHECK(complaint("\"cpu\"", "\"tpu\"") == "F:4: `device` must be cpu or gpu.");
  CHECK(complaint("[\"a.cpp\", \"b.cpp\"]", "\"a.cpp\"") ==
        "F:6: `files` must be an array of strings.");
  CHECK(complaint("[\"a.cpp\", \"b.cpp\"]", "[]") == "F:1: `files` names no file.");
  CHECK(complaint("[build]", "begin = \"c.cpp\"\n[build]") ==
        "F:7: `begin` \"c.cpp\" is not in `files`.");
  CHECK(complaint("flags", "flag") == "F:8: [build] unknown key `flag`.");
  CHECK(complaint("[build]\n", "[[build]]\n") == "F:7: `build` must be a table.");
  CHECK(complaint("case_s = 3", "case_s = 0") ==
        "F:10: [limits] `case_s` must be between 1 and 3600.");
  CHECK(complaint("case_s = 3", "stage_s = 0") ==
        "F:10: [limits] `stage_s` must be between 1 and 86400.");
  CHECK(complaint("case_s = 3", "case_s = 3.5") == "F:10: [limits] `case_s` must be an integer.");
  CHECK(complaint("case_s = 3", "memory_mib = -1") ==
        "F:10: [limits] `memory_mib` must be between 1 and 1048576.");
  CHECK(complaint("factor = 2.0", "factor = nan") ==
        "F:12: [correctness] `factor` must be between 1 and 1000000.");
  CHECK(complaint("factor = 2.0", "precision = \"double\"") ==
        "F:12: [correctness] `precision` must be float32, tf32 or float16.");
  CHECK(complaint("file = \"a.cpp\"", "file = \"c.cpp\"") ==
        "F:16: [[task]] `file` \"c.cpp\" is not in `files`.");
  CHECK(complaint("[[group]]",
                  "[[task]]\nid = \"01.1\"\ntitle = \"T\"\nfile = \"a.cpp\"\n"
                  "[[group]]") == "F:18: [[task]] `id` \"01.1\" is defined twice.");
  CHECK(complaint("points = 60", "points = -1") ==
        "F:20: [[group]] `points` must be between 0 and 10000.");
  CHECK(complaint("[[group]]", "[group]") == "F:17: `group` must be written as [[group]].");
}

TEST_CASE("names of values belong to numbers of an output of an operation") {
  const auto with = [](const std::string& values) {
    return complaint("[build]", "[values.twice]\n" + values + "\n[build]");
  };
  CHECK(with("status = {0 = \"cudaSuccess\", 1 = \"cudaErrorInvalidValue\"}") == "");
  CHECK(with("status = {no = \"cudaSuccess\"}") == "F:8: [values] `no` is no number.");
  CHECK(with("status = {0 = 1}") == "F:8: [values] `0` must be a string.");
  CHECK(with("status = [\"cudaSuccess\"]") ==
        "F:8: [values] it must be a table: {0 = \"cudaSuccess\"}.");
}

TEST_CASE("a mistake in a timed shape is named with its file, line and key") {
  CHECK(complaint("none = 1.5", "none = 8") ==
        "F:27: [[speed]] `full` must be above `none`, and both above 0.");
  CHECK(complaint("full = 6", "full = inf") ==
        "F:27: [[speed]] `full` must be above `none`, and both above 0.");
  CHECK(complaint("terms = 10", "terms = 0") ==
        "F:28: [[speed]] `terms` must be between 1 and 1000000.");
  CHECK(complaint("slope = 0.5", "slope = \"a\"") == "F:30: [[speed]] `slope` must be a number.");
  CHECK(complaint("slope = 0.5", "slope = 9007199254740993") ==
        "F:30: [[speed]] `slope` must be an integer up to 2^53.");
  CHECK_THAT(complaint("[build]", "[ = "), Catch::StartsWith("F:7: "));
  CHECK_THAT(complaint("[build]", "\u00e9 [build]"), Catch::StartsWith("F:7: "));
  CHECK(complaint("x = [1, 4]", "x = [1, 0]") == "F:31: [[speed]] `x` has a size below 1.");
  CHECK(complaint("x = [1, 4]", "x = 4") == "F:31: [[speed]] `x` must be an array of sizes.");
  CHECK(complaint("x = [1, 4]", "x = [3000000000, 3000000000, 3000000000]") ==
        "F:31: [[speed]] `x` has too many elements.");
  CHECK(complaint("{y = [3]}", "{y = [3], z = [4]}") ==
        "F:32: [[speed]] `output` must name one tensor.");
}

TEST_CASE("stages are found in the order of their ids, and a folder without any is an error") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(load_stages(folder.path()),
                    "No stage was found below " + folder.path().string() + ".");
  CHECK_THROWS_AS(load_stages(folder / "missing"), KitError);
  for (const std::string id : {"03_c", "01_a", "02_b"}) {
    std::string text = kStage;
    text.replace(text.find("01_test"), 7, id);
    write_text(folder / id / "stage.toml", text);
  }
  write_text(folder / "notes" / "readme.txt", "no stage");
  const auto stages = load_stages(folder.path()).stages;
  REQUIRE(stages.size() == 3);
  CHECK(stages[0].id == "01_a");
  CHECK(stages[2].id == "03_c");
}

TEST_CASE("a broken stage does not stop the others, and is an error where it is asked for") {
  const TemporaryFolder folder;
  const auto write_stage = [&](const std::string& id, const std::string& before) {
    std::string text = before + kStage;
    text.replace(text.find("01_test"), 7, id);
    write_text(folder / id / "stage.toml", text);
  };
  write_stage("01_a", "tittle = \"slip\"\n");
  const std::string file = (folder / "01_a" / "stage.toml").string();
  CHECK_THROWS_WITH(load_stages(folder.path()),
                    Catch::StartsWith(file) && Catch::Contains("tittle"));
  write_stage("02_b", "");
  write_stage("03_c", "needs = [\"01_a\"]\n");
  write_stage("04_d", "needs = [\"02_gone\"]\n");
  const LoadedStages loaded = load_stages(folder.path());
  REQUIRE(loaded.stages.size() == 2);
  CHECK(loaded.stages[0].id == "02_b");
  CHECK(loaded.stages[1].id == "03_c");
  REQUIRE(loaded.broken.size() == 2);
  CHECK(loaded.broken[0].id == "01_a");
  CHECK(loaded.broken[1].fault == (folder / "04_d" / "stage.toml").string() +
                                      ": `needs` names \"02_gone\", and there is no such stage.");
  for (const std::string name : {"1", "01", "01_a"}) {
    CHECK_THROWS_AS(find_stage(loaded.stages, name, loaded.broken), KitError);
    CHECK_THROWS_WITH(find_stage(loaded.stages, name, loaded.broken), loaded.broken[0].fault);
  }
  CHECK(find_stage(loaded.stages, "02_b", loaded.broken).id == "02_b");
  CHECK_THROWS_AS(find_stage(loaded.stages, "9", loaded.broken), UsageError);
  CHECK(all_needs(loaded.stages[1], loaded.stages) == std::set<std::string>{"01_a"});
}

TEST_CASE("a stage is found by its number or its id, or the nearest one is offered") {
  const std::vector<Stage> stages = {with_id("01_cpu_conv", 1), with_id("02_direct_conv", 2),
                                     with_id("12_last", 12)};
  CHECK(find_stage(stages, "1").id == "01_cpu_conv");
  CHECK(find_stage(stages, "02").id == "02_direct_conv");
  CHECK(find_stage(stages, "12").id == "12_last");
  CHECK(find_stage(stages, "01_cpu_conv").id == "01_cpu_conv");
  CHECK_THROWS_WITH(find_stage(stages, "01_cpu_con"),
                    "There is no stage `01_cpu_con`. Did you mean `01_cpu_conv`? Stages: "
                    "01_cpu_conv, 02_direct_conv, 12_last.");
  for (const std::string name : {"3", "", "-1", "1x", "99999999999999999999", "verify"}) {
    CHECK_THROWS_AS(find_stage(stages, name), UsageError);
  }
}

TEST_CASE("a name is near when no more than a third of it differs") {
  const std::vector<std::string> known = {"check", "bench", "submit"};
  CHECK(nearest("chxxk", known).empty());     // two of five letters
  CHECK(nearest("chekc", known) == "check");  // swapped neighbours are one mistake
  CHECK(nearest("chek", known) == "check");
  CHECK(nearest("submitt", known) == "submit");
  CHECK(nearest("", known).empty());
  CHECK(nearest("x", {}).empty());
}

TEST_CASE("the beginning of a name is enough, a slip of the finger in it included") {
  const std::vector<std::string> known = {"one_channel_3x3", "pad_one", "pad_two"};
  using Names = std::vector<std::string>;
  CHECK(nearest_beginnings("one_chanel", known) == Names{"one_channel_3x3"});
  CHECK(nearest_beginnings("pad", known) == Names{"pad_one", "pad_two"});
  CHECK(nearest_beginnings("pad_o", known) == Names{"pad_one"});
  CHECK(nearest_beginnings("dense", known).empty());
  CHECK(nearest_beginnings("", known).empty());
}

TEST_CASE("libraries are known ones, and of stages for a GPU") {
  const std::string flags = "flags = [\"-O2\"]\n";
  CHECK(complaint(flags, flags + "libraries = [\"cublas\"]\n") ==
        "F:9: [build] `libraries` is for stages with `device` \"gpu\".");
  const TemporaryFolder folder;
  const fs::path file = folder / "01_test" / "stage.toml";
  std::string text = kStage;
  text.replace(text.find("\"cpu\""), 5, "\"gpu\"");
  text.insert(text.find(flags), "libraries = [\"cublas\"]\n");
  write_text(file, text);
  CHECK(load_stage(file).libraries == std::vector<std::string>{"cublas"});
  text.replace(text.find("\"cublas\""), 8, "\"cublas\", \"cudnn\"");
  write_text(file, text);
  CHECK(load_stage(file).libraries == std::vector<std::string>{"cublas", "cudnn"});
  text.replace(text.find("cublas"), 6, "cufft");
  write_text(file, text);
  CHECK_THROWS_WITH(
      load_stage(file),
      Catch::EndsWith("[build] `libraries` names \"cufft\"; there is: cublas, cudnn, curand."));
}

}  // namespace convkit
