// SPDX-License-Identifier: MIT
#include "stage/wrong_variant.h"

#include "catch.h"
#include "convkit/kit_error.h"
#include "runtime/tests/test_files.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using test::file_text;
using test::TemporaryFolder;
using test::write_text;

std::string variant_text(const std::string& name, const std::string& status = "WRONG") {
  return "[[variant]]\nname = \"" + name + "\"\nstatus = \"" + status + "\"\n";
}

// A solution of two files and a folder for variants of it.
struct VariantScene {
  TemporaryFolder folder;
  fs::path solution = folder / "solution", wrong = folder / "wrong";

  VariantScene() {
    write_text(solution / "conv.cpp",
               "int f() {\n  int a = 1;\n  int b = 1;\n  return a + b;\n}\n");
    write_text(solution / "fast" / "strip.h", "int g();\n");
  }
  std::string file(const std::string& id) const { return (wrong / (id + ".toml")).string(); }
  WrongVariant load(const std::string& toml) const {
    write_text(file("conv"), variant_text("v") + toml);
    return load_wrong_variant(wrong, "v", solution);
  }
  // What is said of it, after the name of the variant's file.
  std::string complaint(const std::string& toml) const {
    try {
      load(toml);
    } catch (const KitError& error) {
      const std::string message = error.what();
      CHECK(message.find(file("conv") + ":") == 0);
      return message.substr(file("conv").size() + 1);
    }
    return "none";
  }
};

std::string edit(const std::string& file, const std::string& find, const std::string& replace) {
  return "[[variant.edit]]\nfile = \"" + file + "\"\nfind = '''" + find + "'''\nreplace = '''" +
         replace + "'''\n";
}

}  // namespace

TEST_CASE("an edit is applied to the solution's file, and only there") {
  const VariantScene scene;
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
  const VariantScene scene;
  const WrongVariant variant = scene.load(edit("conv.cpp", "int a = 1;\n  ", "int a = 2;\n\n  ") +
                                          edit("fast/strip.h", "int", "long") +
                                          edit("conv.cpp", "2;\n\n  int b = 1;", "b;"));
  CHECK(variant.files.at("conv.cpp") == "int f() {\n  int a = b;\n  return a + b;\n}\n");
  CHECK(variant.files.at("fast/strip.h") == "long g();\n");
}

TEST_CASE("an edit that fits nowhere or twice is the kit's own fault") {
  const VariantScene scene;
  const std::string conv = (scene.solution / "conv.cpp").string();
  CHECK(scene.complaint(edit("conv.cpp", "a * b", "0")) ==
        "6: [[edit]] `find` must occur exactly once in " + conv + "; it occurs 0 times.");
  CHECK(scene.complaint(edit("conv.cpp", "a + b", "0") + edit("conv.cpp", " = 1", "")) ==
        "10: [[edit]] `find` must occur exactly once in " + conv + "; it occurs 2 times.");
  write_text(scene.solution / "conv.cpp", "aaa");
  CHECK(scene.complaint(edit("conv.cpp", "aa", "b")) ==
        "6: [[edit]] `find` must occur exactly once in " + conv + "; it occurs 2 times.");
}

TEST_CASE("an edit of a file that the solution does not have is the kit's own fault") {
  const VariantScene scene;
  CHECK(scene.complaint(edit("pool.cpp", "a", "b")) ==
        "5: [[edit]] `file` is pool.cpp, which " + scene.solution.string() + " does not have.");
  CHECK(scene.complaint(edit("fast", "a", "b")).find("5: [[edit]] `file` is fast, which") == 0);
}

TEST_CASE("a key of a wrong variant that is unknown, missing or of another kind is named") {
  const VariantScene scene;
  CHECK(scene.complaint("stauts = \"\"\n") == "4: [[variant]] unknown key `stauts`.");
  CHECK(scene.complaint("op = 3\n") == "4: [[variant]] `op` must be a string.");
  CHECK(scene.complaint("[variant.edit]\nfile = \"a\"\n") ==
        "4: [[variant]] `edit` must be written as [[edit]].");
  CHECK(scene.complaint("[[variant.edit]]\nfile = \"conv.cpp\"\nfind = \"a\"\n") ==
        "4: [[edit]] `replace` is missing.");
  CHECK(scene.complaint(edit("conv.cpp", "a", "b") + "with = \"\"\n") ==
        "8: [[edit]] unknown key `with`.");
  CHECK(scene.complaint(edit("conv.cpp", "", "b")) == "6: [[edit]] `find` is empty.");
  CHECK(scene.complaint(edit("conv.cpp", "a + b", "a + b")) ==
        "7: [[edit]] `replace` is the same text as `find`.");
  write_text(scene.file("conv"), "[[variant]]\nname = \"v\"\n");
  CHECK_THROWS_WITH(load_wrong_variants(scene.wrong, scene.solution),
                    scene.file("conv") + ":1: [[variant]] `status` is missing.");
  write_text(scene.file("conv"), "[[variant]]\nstatus = \"WRONG\"\n");
  CHECK_THROWS_WITH(load_wrong_variants(scene.wrong, scene.solution),
                    scene.file("conv") + ":1: [[variant]] `name` is missing.");
  write_text(scene.file("conv"), "[[variant]]\nname = \"");
  CHECK_THROWS_WITH(load_wrong_variants(scene.wrong, scene.solution),
                    Catch::StartsWith(scene.file("conv") + ":2: "));
}

TEST_CASE("a wrong variant may need a device or check mode, and nothing else") {
  const VariantScene scene;
  for (const std::string needs : {"check", "cpu", "gpu"}) {
    CHECK(scene.load("needs = \"" + needs + "\"\n" + edit("conv.cpp", "a + b", "")).needs == needs);
  }
  CHECK(scene.complaint("needs = \"tpu\"\n") ==
        "4: [[variant]] `needs` is \"check\", \"cpu\", \"gpu\" or left out.");
}

TEST_CASE("a wrong variant with whole files is a folder, which may hold edits, too") {
  const VariantScene scene;
  const fs::path folder = scene.wrong / "flipped";
  write_text(folder / "expect.toml", "status = \"WRONG\"\nmistake = \"flipped_kernel\"\n");
  write_text(folder / "conv.cpp", "int f();\n");
  write_text(folder / "fast" / "new.h", "");
  WrongVariant variant = load_wrong_variant(scene.wrong, "flipped", scene.solution);
  CHECK(variant.mistake == "flipped_kernel");
  CHECK(variant.files ==
        std::map<std::string, std::string>{{"conv.cpp", "int f();\n"}, {"fast/new.h", ""}});

  write_text(
      folder / "expect.toml",
      "status = \"WRONG\"\n[[edit]]\nfile = \"conv.cpp\"\nfind = \"f()\"\nreplace = \"g()\"\n");
  variant = load_wrong_variant(scene.wrong, "flipped", scene.solution);
  const fs::path made = scene.folder / "made";
  write_wrong_variant(variant, scene.solution, made);
  CHECK(file_text(made / "conv.cpp") == "int g();\n");
  CHECK(fs::exists(made / "fast" / "new.h"));
  CHECK(file_text(made / "fast" / "strip.h") == "int g();\n");
}

TEST_CASE("a wrong variant without edits and files would be the solution") {
  const VariantScene scene;
  const std::string same = "the variant is the solution itself: it has no edits and no files.";
  CHECK(scene.complaint("") == "1: [[variant]] " + same);
  write_text(scene.wrong / "w" / "expect.toml", "status = \"PASS\"\n");
  CHECK_THROWS_WITH(load_wrong_variant(scene.wrong, "w", scene.solution), Catch::EndsWith(same));
}

TEST_CASE("all wrong variants of a stage are found, and nothing else may lie beside them") {
  const VariantScene scene;
  CHECK(load_wrong_variants(scene.wrong, scene.solution).empty());
  CHECK(wrong_variant_ids(scene.wrong).empty());
  write_text(scene.file("conv"), variant_text("v") + edit("conv.cpp", "a + b", "0") +
                                     variant_text("b") + edit("conv.cpp", "a + b", "1"));
  write_text(scene.file("strip"), variant_text("z", "PASS") + edit("fast/strip.h", "g", "h"));
  write_text(scene.wrong / "a" / "expect.toml", "status = \"PASS\"\n");
  write_text(scene.wrong / "a" / "conv.cpp", "");
  const auto variants = load_wrong_variants(scene.wrong, scene.solution);
  REQUIRE(variants.size() == 4);
  CHECK(variants[0].id == "a");
  CHECK(variants[1].id == "b");
  CHECK(variants[1].files.at("conv.cpp").find("return 1;") != std::string::npos);
  CHECK(variants[2].id == "v");
  CHECK(variants[3].id == "z");
  CHECK(variants[3].status == "PASS");
  CHECK(wrong_variant_ids(scene.wrong) == std::set<std::string>{"a", "b", "v", "z"});
  CHECK_THROWS_WITH(load_wrong_variant(scene.wrong, "y", scene.solution),
                    scene.wrong.string() + " has no wrong variant y.");

  fs::remove(scene.wrong / "a" / "expect.toml");
  CHECK_THROWS_AS(load_wrong_variants(scene.wrong, scene.solution), KitError);
  fs::remove_all(scene.wrong / "a");
  write_text(scene.wrong / "v.tml", "");
  CHECK_THROWS_WITH(
      load_wrong_variants(scene.wrong, scene.solution),
      Catch::EndsWith(
          "wrong/v.tml holds no wrong variants: they are in .toml files and in folders."));
}

TEST_CASE("two wrong variants of one name are the kit's own fault, wherever they are") {
  const VariantScene scene;
  const std::string v = variant_text("v") + edit("conv.cpp", "a + b", "0");
  write_text(scene.file("conv"), v + v);
  CHECK_THROWS_WITH(
      load_wrong_variants(scene.wrong, scene.solution),
      scene.file("conv") + ":9: [[variant]] the variant v is in " + scene.file("conv") + ", too.");
  write_text(scene.file("conv"), v);
  write_text(scene.file("strip"), v);
  CHECK_THROWS_WITH(
      load_wrong_variants(scene.wrong, scene.solution),
      scene.file("strip") + ":2: [[variant]] the variant v is in " + scene.file("conv") + ", too.");
  fs::remove(scene.file("strip"));
  write_text(scene.wrong / "v" / "expect.toml", "status = \"PASS\"\n");
  CHECK_THROWS_WITH(
      load_wrong_variants(scene.wrong, scene.solution),
      Catch::EndsWith("wrong/v exists twice: it is in " + scene.file("conv") + ", too."));
}

TEST_CASE("a file of wrong variants holds nothing else, and at least one") {
  const VariantScene scene;
  const auto complaint = [&scene](const std::string& text) {
    write_text(scene.file("conv"), text);
    try {
      load_wrong_variants(scene.wrong, scene.solution);
    } catch (const KitError& error) {
      return std::string(error.what()).substr(scene.file("conv").size() + 1);
    }
    return std::string("none");
  };
  CHECK(complaint("status = \"WRONG\"\n") == "1: unknown key `status`.");
  CHECK(complaint("# nothing\n").find("the file has no [[variant]].") != std::string::npos);
  CHECK(complaint("[variant]\nname = \"v\"\n") == "1: `variant` must be written as [[variant]].");
  CHECK(complaint(variant_text("")) == "2: [[variant]] `name` is empty.");
  const std::string edited = variant_text("v") + "[[edit]]\nfile = \"conv.cpp\"\n";
  CHECK(complaint(edited) == "4: unknown key `edit`.");
}

}  // namespace convkit
