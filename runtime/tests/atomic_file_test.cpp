// SPDX-License-Identifier: MIT
#include "convkit/atomic_file.h"

#include <sys/resource.h>

#include <csignal>
#include <stdexcept>

#include "catch.h"
#include "test_files.h"

namespace convkit {
namespace {

using test::bytes_of;
using test::file_text;
using test::TemporaryFolder;

auto file_count(const TemporaryFolder& folder) {
  return std::distance(std::filesystem::directory_iterator(folder.path()), {});
}

TEST_CASE("a file appears when it is committed and not before") {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a");
  file.append(bytes_of("hello"));
  file.append(bytes_of(" there"));
  file.overwrite(1, bytes_of("E"));
  CHECK(file.size() == 11);
  CHECK_FALSE(std::filesystem::exists(folder / "a"));
  file.commit();
  CHECK(file_text(folder / "a") == "hEllo there");
  CHECK(file_count(folder) == 1);
}

TEST_CASE("a file that is not committed leaves the old one and nothing else") {
  const TemporaryFolder folder;
  test::write_text(folder / "a", "old");
  {
    AtomicFile file(folder / "a");
    file.append(bytes_of("new"));
  }
  CHECK(file_text(folder / "a") == "old");
  CHECK(file_count(folder) == 1);
}

TEST_CASE("a text replaces a whole file") {
  const TemporaryFolder folder;
  test::write_text(folder / "a", "an old text, which was longer");
  write_whole(folder / "a", "new");
  CHECK(file_text(folder / "a") == "new");
  CHECK(file_count(folder) == 1);
}

TEST_CASE("a target with the longest name a file may have is written") {
  const TemporaryFolder folder;
  AtomicFile file(folder / std::string(255, 'n'));
  CHECK_NOTHROW(file.commit());
}

TEST_CASE("a target that cannot be written is named with the reason") {
  const TemporaryFolder folder;
  const auto sentence = [&](const std::string& name, const std::string& reason) {
    return test::named(folder / name) + " cannot be written: " + reason + ".";
  };
  CHECK_THROWS_WITH(AtomicFile(folder / "no/a"), sentence("no/a", "No such file or directory"));
  std::filesystem::create_directory(folder / "is_folder");
  AtomicFile file(folder / "is_folder");
  CHECK_THROWS_WITH(file.commit(), sentence("is_folder", "Is a directory"));
  CHECK_THROWS_AS(file.overwrite(1, bytes_of("x")), std::invalid_argument);
}

TEST_CASE("a disk that is full is reported and leaves nothing behind") {
  const TemporaryFolder folder;
  // A limit on file sizes stands in for a full disk.
  rlimit old{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, old.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string message;
  try {
    AtomicFile file(folder / "a");
    file.append(bytes_of(std::string(10000, 'x')));
    file.commit();
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  CHECK(message == test::named(folder / "a") + " cannot be written: File too large.");
  CHECK(file_count(folder) == 0);
}

}  // namespace
}  // namespace convkit
