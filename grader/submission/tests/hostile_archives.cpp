// SPDX-License-Identifier: MIT
#include "hostile_archives.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>
#include <zlib.h>

#include "catch.h"

namespace convkit {
namespace {

std::string little(uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

uint32_t checksum(const std::string& bytes) {
  return static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

std::string description(const ZipMember& m) {
  const auto packed = static_cast<uint32_t>(m.bytes.size());
  return little(20, 2) + little(m.flags, 2) + little(m.method, 2) + little(0x21'0000, 4) +
         little(m.crc.value_or(checksum(m.bytes)), 4) + little(packed, 4) +
         little(m.size.value_or(packed), 4) + little(m.name.size(), 2) + little(0, 2);
}

}  // namespace

std::string zip(const std::vector<ZipMember>& members) {
  std::string out, directory;
  for (const ZipMember& m : members) {
    directory += "PK\1\2" + little(20, 1) + little(m.made_by, 1) + description(m) + little(0, 6) +
                 little(uint64_t{m.mode} << 16, 4) + little(out.size(), 4) + m.name;
    out += "PK\3\4" + description(m) + m.name + m.bytes;
  }
  const std::string end = "PK\5\6" + little(0, 4) + little(members.size(), 2) +
                          little(members.size(), 2) + little(directory.size(), 4) +
                          little(out.size(), 4) + little(0, 2);
  return out + directory + end;
}

std::string tar(const std::vector<TarMember>& members) {
  std::string out;
  for (const TarMember& m : members) {
    const bool file = m.type == '0';
    std::string head(512, '\0');
    const auto put = [&](size_t at, const std::string& text) {
      head.replace(at, text.size(), text);
    };
    REQUIRE(m.name.size() <= 100);
    put(0, m.name);
    put(100, "0000644");
    put(124, fmt::format("{:011o}", file ? m.bytes.size() : 0));
    put(136, "00000000000");
    put(148, "        ");
    put(156, std::string(1, m.type));
    put(157, m.link);
    put(257, std::string("ustar\00000", 8));
    unsigned sum = 0;
    for (const char c : head) sum += static_cast<unsigned char>(c);
    put(148, fmt::format("{:06o}", sum) + '\0');
    out += head;
    if (file) out += m.bytes + std::string((512 - m.bytes.size() % 512) % 512, '\0');
  }
  return out + std::string(1024, '\0');
}

std::string compressed(const std::string& bytes, const std::string& filter) {
  std::string out(bytes.size() + (1 << 20), '\0');
  size_t used = 0;
  archive* writer = ::archive_write_new();
  REQUIRE(::archive_write_add_filter_by_name(writer, filter.c_str()) == ARCHIVE_OK);
  REQUIRE(::archive_write_set_format_raw(writer) == ARCHIVE_OK);
  ::archive_write_set_bytes_in_last_block(writer, 1);
  REQUIRE(::archive_write_open_memory(writer, out.data(), out.size(), &used) == ARCHIVE_OK);
  archive_entry* entry = ::archive_entry_new();
  ::archive_entry_set_filetype(entry, AE_IFREG);
  REQUIRE(::archive_write_header(writer, entry) == ARCHIVE_OK);
  REQUIRE(::archive_write_data(writer, bytes.data(), bytes.size()) ==
          static_cast<la_ssize_t>(bytes.size()));
  ::archive_entry_free(entry);
  REQUIRE(::archive_write_close(writer) == ARCHIVE_OK);
  ::archive_write_free(writer);
  out.resize(used);
  return out;
}

// A full flush makes the compressor forget: the second MiB and all later ones are the same bytes.
std::string deflated_zeros(size_t mebibytes) {
  z_stream z{};
  REQUIRE(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string zeros(1 << 20, '\0'), piece(1 << 16, '\0');
  const auto run = [&](size_t bytes, int flush) {
    z.next_in = reinterpret_cast<Bytef*>(zeros.data());
    z.avail_in = static_cast<uInt>(bytes);
    z.next_out = reinterpret_cast<Bytef*>(piece.data());
    z.avail_out = static_cast<uInt>(piece.size());
    deflate(&z, flush);
    return piece.substr(0, piece.size() - z.avail_out);
  };
  const std::string block = run(zeros.size(), Z_FULL_FLUSH);
  std::string out;
  for (size_t i = 0; i < mebibytes; ++i) out += block;
  out += run(0, Z_FINISH);
  deflateEnd(&z);
  return out;
}

}  // namespace convkit
