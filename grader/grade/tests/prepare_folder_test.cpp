// SPDX-License-Identifier: MIT
#include "grade/stage_build.h"

#include "catch.h"
#include "convkit/kit_error.h"
#include "runtime/tests/test_files.h"

namespace convkit {
namespace {

using Texts = std::vector<std::string>;

struct FolderScene {
  FolderScene() {
    stage.id = "01_test";
    stage.api = "api.h";
    stage.files = {"a.cpp", "b.cpp"};
    for (const std::string& file : stage.files) test::write_text(starter / file, "starter");
  }
  Texts prepare(const Texts& files, const Texts& missing = {}, const Texts& nearest = {}) {
    for (const std::string& file : files) test::write_text(folder / file, "handed in");
    found = {stage.id, "", files, missing, nearest};
    prepared = prepare_folder(stage, folder.path(), starter.path(), kit.path(), found);
    Texts notes = prepared.notes;
    for (const MissingFile& file : prepared.missing) notes.push_back(file.note);
    return notes;
  }
  bool has(const std::string& file) const { return std::filesystem::exists(folder / file); }

  test::TemporaryFolder folder, starter, kit;
  Stage stage;
  FoundStage found;
  Prepared prepared;
};

}  // namespace

TEST_CASE("a whole submission is left as it is") {
  FolderScene scene;
  CHECK(scene.prepare({"a.cpp", "b.cpp", "helper.h"}).empty());
  CHECK(scene.found.files == Texts{"a.cpp", "b.cpp", "helper.h"});
}

TEST_CASE("an own copy of the api gives way to the kit's") {
  FolderScene scene;
  CHECK(scene.prepare({"a.cpp", "api.h", "b.cpp"}) ==
        Texts{"`api.h`: the kit's own copy is used."});
  CHECK(scene.found.files == Texts{"a.cpp", "b.cpp"});
  CHECK_FALSE(scene.has("api.h"));
}

TEST_CASE("a file that would hide a header of the kit gives way to it, one of CUDA's is noted") {
  FolderScene scene;
  const auto write = [&](const std::string& file) {
    std::filesystem::create_directories((scene.kit / file).parent_path());
    test::write_text(scene.kit / file, "the kit's");
    std::filesystem::create_directories(
        (scene.folder / file.substr(file.find("include/") + 8)).parent_path());
  };
  write("runtime/include/convkit/shape.h");
  write("cpu_device/include/cuda.h");
  std::filesystem::create_directories(scene.folder / "old/convkit");
  const Texts files = {"a.cpp",  "b.cpp",          "convkit/other.h",    "convkit/shape.h",
                       "cuda.h", "my_convkit/x.h", "old/convkit/shape.h"};
  std::filesystem::create_directories(scene.folder / "my_convkit");
  const Texts gives_way = {"`convkit/shape.h`: the kit's own copy is used.",
                           "`old/convkit/shape.h`: the kit's own copy is used."};
  CHECK(scene.prepare(files) == gives_way);
  CHECK(scene.found.files ==
        Texts{"a.cpp", "b.cpp", "convkit/other.h", "cuda.h", "my_convkit/x.h"});
  CHECK_FALSE(scene.has("convkit/shape.h"));
  scene.stage.device = "gpu";
  CHECK(scene.prepare({"a.cpp", "b.cpp", "cuda.h"}) ==
        Texts{"`cuda.h` has the name of a header of CUDA's, and may be used in place of it."});
  CHECK(scene.has("cuda.h"));
}

TEST_CASE("a missing file is the starter's") {
  FolderScene scene;
  CHECK(scene.prepare({"b.cpp"}, {"a.cpp"}, {""}) ==
        Texts{"`a.cpp` is missing: graded as not started."});
  CHECK(scene.found.files == Texts{"a.cpp", "b.cpp"});
  CHECK(test::file_text(scene.folder / "a.cpp") == "starter");
  CHECK(test::file_text(scene.folder / "b.cpp") == "handed in");
}

TEST_CASE("a source under a wrong name is not compiled beside the starter's, a header stays") {
  FolderScene scene;
  CHECK(scene.prepare({"A.cpp", "b.h"}, {"a.cpp", "b.cpp"}, {"A.cpp", "b.h"}) ==
        Texts{"`a.cpp` is missing: graded as not started (`A.cpp` is there: rename it?).",
              "`b.cpp` is missing: graded as not started (`b.h` is there: rename it?)."});
  CHECK(scene.found.files == Texts{"a.cpp", "b.cpp", "b.h"});
  CHECK_FALSE(scene.has("A.cpp"));
}

TEST_CASE("a folder in place of a file is as if the file were missing") {
  FolderScene scene;
  std::filesystem::create_directories(scene.folder / "a.cpp/deeper");
  CHECK(scene.prepare({"a.cpp/deeper/x.txt", "a.cpp/y.cpp", "a.cpp.h", "b.cpp"}, {"a.cpp"},
                      {"a.cpp/y.cpp"}) ==
        Texts{"`a.cpp` is a folder, not a file: graded as not started."});
  CHECK(scene.found.files == Texts{"a.cpp", "a.cpp.h", "b.cpp"});
  CHECK(test::file_text(scene.folder / "a.cpp") == "starter");
}

TEST_CASE("what is to do in a missing file is known, if the file takes part") {
  const auto tasks = [](const Texts& handed_in, const Texts& missing) {
    FolderScene scene;
    for (const char* id : {"01.1", "01.2", "01.3"}) scene.stage.tasks.push_back({id, "", "", {}});
    test::write_text(scene.starter / "a.cpp", "// TODO(01.1): x\nCONVKIT_TODO(\"01.3\");");
    test::write_text(scene.starter / "b.cpp", "#include \"b.h\"\n");
    test::write_text(scene.starter / "b.h", "// TODO(01.2): y");
    scene.prepare(handed_in, missing, Texts(missing.size()));
    std::vector<Texts> result;
    for (const MissingFile& file : scene.prepared.missing) result.push_back(file.tasks);
    return result;
  };
  CHECK(tasks({"b.cpp"}, {"a.cpp", "b.h"}) == std::vector<Texts>{{"01.1", "01.3"}, {}});
  CHECK(tasks({"a.cpp", "b.cpp", "own.h"}, {"b.h"}) == std::vector<Texts>{{}});
  CHECK(tasks({"a.cpp"}, {"b.cpp", "b.h"}) == std::vector<Texts>{{}, {"01.2"}});
}

TEST_CASE("the note of a missing file says where else its functions were found") {
  using Left = StandIn::Left;
  const auto note = [](const Texts& files, Left left) {
    FolderScene scene;
    StageResult result;
    result.notes = scene.prepare({"b.cpp", "A.cpp"}, {"a.cpp"}, {"A.cpp"});
    BuildResult built;
    built.stand_ins = {{"a.cpp", files, left}};
    mend_notes(built, scene.prepared.missing, result);
    REQUIRE(result.notes.size() == 1);
    CHECK(scene.prepared.missing[0].note == result.notes[0]);
    return result.notes[0];
  };
  CHECK(note({"b.cpp"}, Left::none) ==
        "`a.cpp` is missing: what belongs in it was found in `b.cpp`.");
  CHECK(note({"b.cpp", "c.cpp"}, Left::some) ==
        "`a.cpp` is missing: what is not in `b.cpp` and `c.cpp` is graded as not started.");
  CHECK(note({}, Left::unknown) == "`a.cpp` is missing.");
  CHECK(note({"b.cpp"}, Left::all) ==
        "`a.cpp` is missing: graded as not started (`A.cpp` is there: rename it?).");
}

TEST_CASE("a kit without the starter's file says so") {
  FolderScene scene;
  std::filesystem::remove(scene.starter / "a.cpp");
  CHECK_THROWS_AS(scene.prepare({"b.cpp"}, {"a.cpp"}, {""}), KitError);
}

}  // namespace convkit
