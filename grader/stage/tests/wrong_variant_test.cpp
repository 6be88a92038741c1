// SPDX-License-Identifier: MIT
#include "stage/wrong_variant.h"

#include "catch.h"
#include "convkit/kit_error.h"
#include "runtime/tests/file_bytes.h"
#include "runtime/tests/temporary_folder.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using test::file_text;
using test::TemporaryFolder;
using test::write_text;

// A solution of two files and a folder for variants of it.
struct Scene {
  TemporaryFolder folder;
  fs::path solution = folder / "solution", wrong = folder / "wrong";

  Scene() {
    write_text(solution / "conv.cpp",
               "int f() {\n  int a = 1;\n  int b = 1;\n  return a + b;\n}\n");
    write_text(solution / "fast" / "strip.h", "int g();\n");
  }
  std::string file(const std::string& id) const { return (wrong / (id + ".toml")).string(); }
  WrongVariant load(const std::string& toml) const {
    write_text(file("v"), "status = \"WRONG\"\n" + toml);
    return load_wrong_variant(wrong, "v", solution);
  }
  // What is said of it, after the variant's file.
  std::string complaint(const std::string& toml) const {
    try {
      load(toml);
    } catch (const KitError& error) {
      const std::string message = error.what();
      CHECK(message.find(file("v") + ":") == 0);
      return message.substr(file("v").size() + 1);
    }
    return "none";
  }
};

std::string edit(const std::string& file, const std::string& find, const std::string& replace) {
  return "[[edit]]\nfile = \"" + file + "\"\nfind = '''" + find + "'''\nreplace = '''" + replace +
         "'''\n";
}

}  // namespace

TEST_CASE("an edit is applied to the solution's file, and only there") {
  const Scene scene;
  const WrongVariant variant = scene.load(edit("conv.cpp", "a + b", "a - b"));
  CHECK(variant.id == "v");
  const fs::path made = scene.folder / "made";
  write_wrong_variant(variant, scene.solution, made);
  CHECK(file_text(made / "conv.cpp") ==
        "int f() {\n  int a = 1;\n  int b = 1;\n  return a - b;\n}\n");
  CHECK(file_text(made / "fast" / "strip.h") == "int g();\n");
  CHECK(file_text(scene.solution / "conv.cpp").find("a + b") != std::string::npos);
}

TEST_CASE("edits are applied in order, each to what the ones before it have left") {
  const Scene scene;
  const WrongVariant variant = scene.load(edit("conv.cpp", "int a = 1;\n  ", "int a = 2;\n\n  ") +
                                          edit("fast/strip.h", "int", "long") +
                                          edit("conv.cpp", "2;\n\n  int b = 1;", "b;"));
  CHECK(variant.files.at("conv.cpp") == "int f() {\n  int a = b;\n  return a + b;\n}\n");
  CHECK(variant.files.at("fast/strip.h") == "long g();\n");
}

TEST_CASE("an edit that fits nowhere or twice is the kit's own fault") {
  const Scene scene;
  const std::string conv = (scene.solution / "conv.cpp").string();
  CHECK(scene.complaint(edit("conv.cpp", "a * b", "0")) ==
        "4: [[edit]] `find` must occur exactly once in " + conv + "; it occurs 0 times.");
  CHECK(scene.complaint(edit("conv.cpp", "a + b", "0") + edit("conv.cpp", " = 1", "")) ==
        "8: [[edit]] `find` must occur exactly once in " + conv + "; it occurs 2 times.");
  write_text(scene.solution / "conv.cpp", "aaa");
  CHECK(scene.complaint(edit("conv.cpp", "aa", "b")) ==
        "4: [[edit]] `find` must occur exactly once in " + conv + "; it occurs 2 times.");
}

TEST_CASE("an edit of a file that the solution does not have is the kit's own fault") {
  const Scene scene;
  CHECK(scene.complaint(edit("pool.cpp", "a", "b")) ==
        "3: [[edit]] `file` is pool.cpp, which " + scene.solution.string() + " does not have.");
  CHECK(scene.complaint(edit("fast", "a", "b")).find("3: [[edit]] `file` is fast, which") == 0);
}

TEST_CASE("a key of a wrong variant that is unknown, missing or of another kind is named") {
  const Scene scene;
  CHECK(scene.complaint("stauts = \"\"\n") == "2: unknown key `stauts`.");
  CHECK(scene.complaint("op = 3\n") == "2: `op` must be a string.");
  CHECK(scene.complaint("[edit]\nfile = \"a\"\n") == "2: `edit` must be written as [[edit]].");
  CHECK(scene.complaint("[[edit]]\nfile = \"conv.cpp\"\nfind = \"a\"\n") ==
        "2: [[edit]] `replace` is missing.");
  CHECK(scene.complaint(edit("conv.cpp", "a", "b") + "with = \"\"\n") ==
        "6: [[edit]] unknown key `with`.");
  CHECK(scene.complaint(edit("conv.cpp", "", "b")) == "4: [[edit]] `find` is empty.");
  CHECK(scene.complaint(edit("conv.cpp", "a + b", "a + b")) ==
        "5: [[edit]] `replace` is the same text as `find`.");
  write_text(scene.file("v"), "op = \"\"\n");
  CHECK_THROWS_WITH(load_wrong_variants(scene.wrong, scene.solution),
                    scene.file("v") + ":1: `status` is missing.");
  write_text(scene.file("v"), "status = \"");
  CHECK_THROWS_WITH(load_wrong_variants(scene.wrong, scene.solution),
                    Catch::StartsWith(scene.file("v") + ":1: "));
}

TEST_CASE("a wrong variant may need a device or check mode, and nothing else") {
  const Scene scene;
  for (const std::string needs : {"check", "cpu", "gpu"}) {
    CHECK(scene.load("needs = \"" + needs + "\"\n" + edit("conv.cpp", "a + b", "")).needs == needs);
  }
  CHECK(scene.complaint("needs = \"tpu\"\n") ==
        "2: `needs` is \"check\", \"cpu\", \"gpu\" or left out.");
}

TEST_CASE("a wrong variant with whole files is a folder, which may hold edits, too") {
  const Scene scene;
  const fs::path folder = scene.wrong / "flipped";
  write_text(folder / "expect.toml", "status = \"WRONG\"\nmistake = \"flipped_kernel\"\n");
  write_text(folder / "conv.cpp", "int f();\n");
  write_text(folder / "fast" / "new.h", "");
  WrongVariant variant = load_wrong_variant(scene.wrong, "flipped", scene.solution);
  CHECK(variant.mistake == "flipped_kernel");
  CHECK(variant.files ==
        std::map<std::string, std::string>{{"conv.cpp", "int f();\n"}, {"fast/new.h", ""}});

  write_text(folder / "expect.toml", "status = \"WRONG\"\n" + edit("conv.cpp", "f()", "g()"));
  variant = load_wrong_variant(scene.wrong, "flipped", scene.solution);
  const fs::path made = scene.folder / "made";
  write_wrong_variant(variant, scene.solution, made);
  CHECK(file_text(made / "conv.cpp") == "int g();\n");
  CHECK(fs::exists(made / "fast" / "new.h"));
  CHECK(file_text(made / "fast" / "strip.h") == "int g();\n");
}

TEST_CASE("a wrong variant without edits and files would be the solution") {
  const Scene scene;
  const std::string same = "the variant is the solution itself: it has no [[edit]] and no files.";
  CHECK(scene.complaint("") == "1: " + same);
  write_text(scene.wrong / "w" / "expect.toml", "status = \"PASS\"\n");
  CHECK_THROWS_WITH(load_wrong_variant(scene.wrong, "w", scene.solution), Catch::EndsWith(same));
}

TEST_CASE("all wrong variants of a stage are found, and nothing else may lie beside them") {
  const Scene scene;
  CHECK(load_wrong_variants(scene.wrong, scene.solution).empty());
  scene.load(edit("conv.cpp", "a + b", "0"));
  write_text(scene.wrong / "a" / "expect.toml", "status = \"PASS\"\n");
  write_text(scene.wrong / "a" / "conv.cpp", "");
  const auto variants = load_wrong_variants(scene.wrong, scene.solution);
  REQUIRE(variants.size() == 2);
  CHECK(variants[0].id == "a");
  CHECK(variants[1].id == "v");

  const fs::path twice = scene.wrong / "a.toml";
  write_text(twice, "");
  CHECK_THROWS_WITH(load_wrong_variants(scene.wrong, scene.solution),
                    Catch::EndsWith("wrong/a exists twice: as a folder and as a file."));
  fs::remove(twice);
  fs::remove(scene.wrong / "a" / "expect.toml");
  CHECK_THROWS_AS(load_wrong_variants(scene.wrong, scene.solution), KitError);
  fs::remove_all(scene.wrong / "a");
  write_text(scene.wrong / "v.tml", "");
  CHECK_THROWS_WITH(
      load_wrong_variants(scene.wrong, scene.solution),
      Catch::EndsWith(
          "wrong/v.tml is not a wrong variant: a wrong variant is a folder or a .toml file."));
}

}  // namespace convkit
