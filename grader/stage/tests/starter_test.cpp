// SPDX-License-Identifier: MIT
#include "stage/starter.h"

#include "catch.h"
#include "convkit/kit_error.h"
#include "runtime/tests/test_files.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using test::write_text;

const std::string kSolution =
    "// head\n"
    "void f() {\n"
    "  // BEGIN SOLUTION(01.1)\n"
    "  //> // TODO(01.1): write it\n"
    "  //>\n"
    "  //>   CONVKIT_TODO(\"01.1\");\n"
    "  secret();\n"
    "  // END SOLUTION\n"
    "}\n";
const std::string kStarter =
    "// head\n"
    "void f() {\n"
    "  // TODO(01.1): write it\n"
    "\n"
    "    CONVKIT_TODO(\"01.1\");\n"
    "}\n";

}  // namespace

TEST_CASE("a starter has the kept lines in the solution's place, at their indentation") {
  CHECK(starter_text(kSolution, "f.cpp") == kStarter);
  CHECK(starter_text(kStarter, "f.cpp") == kStarter);
  CHECK(starter_text("", "f.cpp") == "");
  CHECK(starter_text("a\nb", "f.cpp") == "a\nb\n");
}

TEST_CASE("a file for the solution alone has no starter") {
  CHECK_FALSE(starter_text("// SOLUTION ONLY\nsecret\n", "f.cpp"));
  CHECK_FALSE(starter_text("// head\n  // SOLUTION ONLY\r\nsecret\n", "f.cpp"));
  // Overlooked, it would hand the solution out.
  CHECK_THROWS_WITH(starter_text("// a\n// b\n// SOLUTION ONLY\nsecret\n", "f.cpp"),
                    "f.cpp:3: SOLUTION ONLY belongs in the second line.");
}

TEST_CASE("markers that do not pair up are named with their line") {
  CHECK_THROWS_WITH(starter_text("// BEGIN SOLUTION\n", "f.cpp"),
                    "f.cpp:1: BEGIN SOLUTION without END.");
  CHECK_THROWS_WITH(starter_text("\n// END SOLUTION\n", "f.cpp"),
                    "f.cpp:2: END SOLUTION without BEGIN.");
  CHECK_THROWS_WITH(starter_text("// BEGIN SOLUTION\nx\n // BEGIN SOLUTION\n", "f.cpp"),
                    "f.cpp:3: BEGIN SOLUTION inside the block that begins in line 1.");
  CHECK_THROWS_WITH(starter_text("x\n//> kept\n", "f.cpp"),
                    "f.cpp:2: `//>` outside BEGIN SOLUTION.");
}

TEST_CASE("every solution of the kit yields a starter that holds no marker") {
  unsigned files = 0;
  for (const auto& stage : fs::directory_iterator(CONVKIT_SOURCE_DIR "/solutions")) {
    if (!stage.is_directory()) continue;
    for (const auto& [name, text] : starter_files(stage.path())) {
      INFO(name);
      ++files;
      CHECK(text.find("SOLUTION") == std::string::npos);
      CHECK(text.find("//>") == std::string::npos);
      CHECK(starter_text(text, name) == text);
    }
  }
  CHECK(files > 0);
}

TEST_CASE("drift between a solution and its starter is told file by file, and writing ends it") {
  const TemporaryFolder folder;
  const fs::path solution = folder / "solution", starter = folder / "starter";
  write_text(solution / "f.cpp", kSolution);
  write_text(solution / "sub" / "g.h", "// g\n");
  write_text(solution / "only.cpp", "// SOLUTION ONLY\n");
  write_text(starter / "f.cpp", "something else\n");
  write_text(starter / "old.cpp", "");
  const std::string again = " ./convkit verify --write-starter makes it again.";
  CHECK(starter_drift(solution, starter) ==
        std::vector<std::string>{
            (starter / "f.cpp").string() + " differs from what its solution gives." + again,
            (starter / "sub/g.h").string() + " is missing." + again,
            (starter / "old.cpp").string() + " has no solution that it is made from." + again});
  write_starter(solution, starter);
  CHECK(starter_drift(solution, starter).empty());
  CHECK(test::file_text(starter / "f.cpp") == kStarter);
  CHECK_FALSE(fs::exists(starter / "old.cpp"));
  CHECK_FALSE(fs::exists(starter / "only.cpp"));
  CHECK_THROWS_AS(starter_files(folder / "missing"), KitError);
}

}  // namespace convkit
