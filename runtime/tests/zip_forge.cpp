// SPDX-License-Identifier: MIT
#include "zip_forge.h"

#include <zlib.h>

#include <cstring>
#include <stdexcept>

namespace convkit::test {
namespace {

std::string little_endian(uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

std::string compress(std::string content, int window_bits) {
  z_stream zlib{};
  if (deflateInit2(&zlib, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2 failed");
  }
  std::string out(deflateBound(&zlib, content.size()) + 32, '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(content.data());
  zlib.avail_in = static_cast<uInt>(content.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&zlib, Z_FINISH);
  out.resize(zlib.total_out);
  deflateEnd(&zlib);
  if (result != Z_STREAM_END) throw std::runtime_error("deflate failed");
  return out;
}

}  // namespace

std::string le16(uint16_t value) {
  return little_endian(value, 2);
}
std::string le32(uint32_t value) {
  return little_endian(value, 4);
}
std::string le64(uint64_t value) {
  return little_endian(value, 8);
}
std::string deflate_raw(const std::string& content) {
  return compress(content, -15);
}
std::string gzip(const std::string& content) {
  return compress(content, 31);
}

std::string forge_zip(const std::vector<ForgedMember>& members, const ForgedEnd& end) {
  std::string out, directory;
  for (const ForgedMember& m : members) {
    const std::string packed =
        m.packed ? *m.packed : (m.deflated ? deflate_raw(m.content) : m.content);
    const auto content = reinterpret_cast<const Bytef*>(m.content.data());
    const auto crc = static_cast<uint32_t>(crc32_z(0, content, m.content.size()));
    const std::string method = le16(m.method.value_or(m.deflated ? 8 : 0));
    const std::string shared = le16(0) + le16(33) + le32(m.crc32.value_or(crc)) +
                               le32(m.packed_bytes.value_or(static_cast<uint32_t>(packed.size())));
    const uint32_t bytes = m.bytes.value_or(static_cast<uint32_t>(m.content.size()));
    const std::string& local_name = m.local_name.empty() ? m.name : m.local_name;
    const auto offset = static_cast<uint32_t>(out.size());
    const auto size16 = [](const std::string& s) { return le16(static_cast<uint16_t>(s.size())); };

    out += "PK\x03\x04" + le16(20) + le16(m.flags) + method + shared +
           le32(m.local_bytes.value_or(bytes)) + size16(local_name) + size16(m.local_extra) +
           local_name + m.local_extra + packed;
    directory += "PK\x01\x02" + le16(20) + le16(20) + le16(m.flags) + method + shared +
                 le32(bytes) + size16(m.name) + size16(m.directory_extra) + le16(0) + le16(0) +
                 le16(0) + le32(0) + le32(m.directory_offset.value_or(offset)) + m.name +
                 m.directory_extra;
  }
  const auto count = static_cast<uint16_t>(members.size());
  const uint16_t total = end.members.value_or(count);
  const auto offset = static_cast<uint32_t>(out.size());
  return out + directory + end.before + "PK\x05\x06" + le16(end.disk.value_or(0)) + le16(0) +
         le16(end.members_here.value_or(total)) + le16(total) +
         le32(end.bytes.value_or(static_cast<uint32_t>(directory.size()))) +
         le32(end.offset.value_or(offset)) + le16(static_cast<uint16_t>(end.comment.size())) +
         end.comment;
}

std::string forge_npy(const std::string& header, const std::string& elements,
                      const std::string& version) {
  const std::string size = version[0] == '\x01' ? le16(static_cast<uint16_t>(header.size()))
                                                : le32(static_cast<uint32_t>(header.size()));
  return "\x93NUMPY" + version + size + header + elements;
}

std::string npy_of_floats(int count) {
  std::string elements;
  for (int i = 1; i <= count; ++i) {
    const auto value = static_cast<float>(i);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    elements.append(bytes, sizeof value);
  }
  return forge_npy(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }\n",
      elements);
}

}  // namespace convkit::test
