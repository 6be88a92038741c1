// SPDX-License-Identifier: MIT
#include "convkit/temporary_folder.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include "catch.h"
#include "test_files.h"

using convkit::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

// A folder for temporary files of this test alone: other tests run beside it, and they sweep, too.
class OwnTemporaryFiles {
 public:
  OwnTemporaryFiles() {
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", folder_.path().c_str(), 1);
  }
  ~OwnTemporaryFiles() {
    if (before_) {
      setenv("TMPDIR", before_->c_str(), 1);
    } else {
      unsetenv("TMPDIR");
    }
  }
  OwnTemporaryFiles(const OwnTemporaryFiles&) = delete;
  OwnTemporaryFiles& operator=(const OwnTemporaryFiles&) = delete;

 private:
  convkit::test::TemporaryFolder folder_;
  std::optional<std::string> before_;
};

// The folder of a process that was killed, with a file in it.
fs::path left_behind() {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const TemporaryFolder folder("killed");
    std::ofstream(folder.path() / "conv.cpp") << "int main() {}\n";
    const std::string name = folder.path();
    (void)!write(ends[1], name.data(), name.size());
    raise(SIGKILL);
  }
  std::string name(4096, '\0');
  close(ends[1]);
  const ssize_t size = read(ends[0], name.data(), name.size());
  close(ends[0]);
  REQUIRE(waitpid(child, nullptr, 0) == child);
  REQUIRE(size > 0);
  return name.substr(0, static_cast<size_t>(size));
}

}  // namespace

TEST_CASE("what a killed process left behind is swept, what a living one holds is not") {
  const OwnTemporaryFiles own;
  const TemporaryFolder held("held");
  const fs::path left = left_behind();
  REQUIRE(fs::exists(left / "conv.cpp"));
  CHECK(convkit::sweep_temporary_folders() >= 1);
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(held.path()));
}

TEST_CASE("only folders of the kit's own form are swept") {
  const OwnTemporaryFiles own;
  const fs::path base = fs::temp_directory_path();
  const fs::path other = base / "convkit-held-aaaaaa";  // nobody said that it is locked
  const fs::path elsewhere = base / ("sweep-" + std::to_string(getpid()));
  const fs::path link = base / "convkit-link.aaaaaa";
  fs::create_directories(other);
  fs::create_directories(elsewhere);
  std::error_code error;
  fs::create_directory_symlink(elsewhere, link, error);
  convkit::sweep_temporary_folders();
  CHECK(fs::exists(other));
  CHECK(fs::exists(elsewhere));
  for (const fs::path& path : {link, other, elsewhere}) fs::remove_all(path);
}
