// SPDX-License-Identifier: MIT
#include "convkit/file_text.h"

#include "catch.h"

#include "convkit/temporary_folder.h"

namespace convkit {
namespace {

TEST_CASE("a file is read whole, whatever its size and its bytes") {
  const convkit::TemporaryFolder folder("test");
  // Around the size of a block, and a zero byte inside.
  for (const size_t size : {0, 1, 65535, 65536, 65537, 200000}) {
    std::string bytes(size, 'x');
    if (size > 1) bytes[size / 2] = '\0';
    std::ofstream(folder.path() / "file", std::ios::binary) << bytes;
    CHECK(file_text(folder.path() / "file") == bytes);
    CHECK(kit_file_text(folder.path() / "file") == bytes);
  }
}

TEST_CASE("a file that is not there is empty, or the kit's own fault where it must be") {
  const convkit::TemporaryFolder folder("test");
  CHECK(file_text(folder.path() / "none").empty());
  CHECK_THROWS_AS(kit_file_text(folder.path() / "none"), KitError);
}

}  // namespace
}  // namespace convkit
