// SPDX-License-Identifier: MIT
#include "process/programs.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "catch.h"
#include "convkit/kit_error.h"
#include "runtime/tests/test_files.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// A build folder with a launcher that makes what it is asked for by `target`, unless it fails.
struct BuildFolder {
  explicit BuildFolder(bool fails = false) {
    std::ofstream(folder / "parts.txt") << "01.runner 01.runner\nlibdevice.so device\n";
    std::ofstream(folder / "launcher")
        << "#!/bin/sh\necho \"$@\" >>" << (folder / "calls") << "\ntest $2 = device && touch "
        << (folder / "libdevice.so") << "\n"
        << (fails ? "exit 1\n" : "");
    fs::permissions(folder / "launcher", fs::perms::owner_all);
    setenv("CONVKIT_LAUNCHER", (folder / "launcher").c_str(), 1);
  }
  ~BuildFolder() { unsetenv("CONVKIT_LAUNCHER"); }

  std::string calls() const {
    std::string line;
    std::getline(std::ifstream(folder / "calls") >> std::ws, line);
    return line;
  }

  test::TemporaryFolder folder;
  Programs programs{folder.path()};
};

TEST_CASE("an existing part is not built again") {
  const BuildFolder build;
  std::ofstream(build.folder / "01.runner") << "";
  CHECK(build.programs.need("01.runner") == build.folder / "01.runner");
  CHECK(build.calls().empty());
}

TEST_CASE("a missing part is built by its target") {
  const BuildFolder build;
  CHECK(build.programs.has("libdevice.so"));
  CHECK(build.programs.need("libdevice.so") == build.folder / "libdevice.so");
  CHECK(build.calls() == "--build-part device");
}

TEST_CASE("what no target makes, and a part that does not build, is named") {
  const BuildFolder build;
  CHECK_FALSE(build.programs.has("libother.so"));
  CHECK_THROWS_AS(build.programs.need("libother.so"), KitError);
  CHECK_THROWS_WITH(build.programs.need("01.runner"),
                    Catch::Contains("01.runner could not be built"));
  const BuildFolder failing(true);
  CHECK_THROWS_WITH(failing.programs.need("libdevice.so"), Catch::Contains("could not be built"));
}

TEST_CASE("without the launcher nothing is built, and who builds it is said") {
  const BuildFolder build;
  unsetenv("CONVKIT_LAUNCHER");
  CHECK_THROWS_WITH(build.programs.need("libdevice.so"),
                    Catch::Contains("libdevice.so was not built. Start the command by ./convkit"));
  CHECK_THROWS_WITH(build.programs.need("libother.so"), Catch::EndsWith("was not built."));
}

}  // namespace
}  // namespace convkit
