// SPDX-License-Identifier: MIT
// Makes zip archives byte by byte, lies included. Written independently of the kit's own writer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace convkit::test {

// Everything but name and content is what an honest archive would say, unless set.
struct ForgedMember {
  std::string name = {};
  std::string content = {};
  bool deflated = false;
  uint16_t flags = 0;
  std::optional<uint16_t> method = {};
  std::optional<uint32_t> crc32 = {};
  std::optional<uint32_t> bytes = {}, packed_bytes = {};  // in both headers
  std::optional<uint32_t> directory_offset = {};          // of the header, in the directory
  std::optional<std::string> packed = {};                 // the data as they lie in the archive
  std::string local_name = {};                            // in the member's header; empty: name
  std::string local_extra = {}, directory_extra = {};
  std::optional<uint32_t> local_bytes = {};
};

struct ForgedEnd {
  std::optional<uint16_t> members = {}, members_here = {}, disk = {};
  std::optional<uint32_t> offset = {}, bytes = {};
  std::string before = {};  // bytes between directory and end record
  std::string comment = {};
};

std::string forge_zip(const std::vector<ForgedMember>& members, const ForgedEnd& end = {});

// A .npy file with this header text, padded by nothing.
std::string forge_npy(const std::string& header, const std::string& elements,
                      const std::string& version = std::string("\x01\x00", 2));

// float32 values 1, 2, ..., count.
std::string npy_of_floats(int count);

std::string deflate_raw(const std::string& content);
std::string gzip(const std::string& content);
std::string le16(uint16_t value);
std::string le32(uint32_t value);
std::string le64(uint64_t value);

}  // namespace convkit::test
