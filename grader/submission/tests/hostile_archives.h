// SPDX-License-Identifier: MIT
// Archives written byte by byte, so that a test can make what no archiver would.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace convkit {

struct ZipMember {
  std::string name;
  std::string bytes = "int x;\n";     // as they stand in the archive
  uint32_t mode = 0100644;            // file type and permissions
  uint16_t flags = 0;                 // 0x0001 encrypted, 0x0800 names are UTF-8
  uint16_t method = 0;                // 0 stored, 8 deflated
  uint8_t made_by = 3;                // 0 Windows, 3 Unix
  std::optional<uint32_t> crc = {};   // instead of the right one
  std::optional<uint32_t> size = {};  // what it claims to unpack to
};
std::string zip(const std::vector<ZipMember>& members);

struct TarMember {
  std::string name;
  std::string bytes = "int x;\n";
  char type = '0';  // '0' file, '1' hard link, '2' link, '3' '4' devices, '5' folder, '6' pipe
  std::string link = {};
};
std::string tar(const std::vector<TarMember>& members);

// Through libarchive's writers: "gzip", "xz", "bzip2" or "zstd".
std::string compressed(const std::string& bytes, const std::string& filter);

// A deflate stream of `mebibytes` MiB of zeros, made in no time.
std::string deflated_zeros(size_t mebibytes);

}  // namespace convkit
