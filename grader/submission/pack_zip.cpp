// SPDX-License-Identifier: MIT
// Writes zips by hand, with zlib alone: submitting then works where libarchive is missing, and the
// bytes depend on the files only, not on clocks, users or umasks.
#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "submission/intake.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// A zip without its 64-bit extension: far above what take_in() accepts.
constexpr uint64_t kMostBytes = uint64_t{1} << 30;
constexpr size_t kMostMembers = 65535;

struct Member {
  std::string name;
  uint16_t method = 0;  // 0 stored, 8 deflated
  uint32_t crc = 0;
  uint32_t bytes = 0;
  uint32_t offset = 0;
  std::string packed;
  bool executable = false;
};

void put16(std::string& out, uint32_t value) {
  out += static_cast<char>(value & 0xff);
  out += static_cast<char>(value >> 8 & 0xff);
}

void put32(std::string& out, uint32_t value) {
  put16(out, value & 0xffff);
  put16(out, value >> 16);
}

std::string read_whole(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw std::runtime_error(fmt::format("Cannot pack `{}`: it is not a file.", file.string()));
  }
  std::ifstream stream(file, std::ios::binary);
  std::string bytes = whole_text(stream);
  if (!stream.is_open() || stream.bad()) {
    throw std::runtime_error(fmt::format("Cannot pack `{}`: it cannot be read.", file.string()));
  }
  return bytes;
}

std::string deflated(const std::string& bytes) {
  z_stream z{};
  // Negative window bits: no zlib header, as zip wants it.
  if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib cannot be started.");
  }
  std::string packed(deflateBound(&z, bytes.size()), '\0');
  z.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  deflate(&z, Z_FINISH);  // the bound guarantees that one call is enough
  packed.resize(z.total_out);
  deflateEnd(&z);
  return packed;
}

Member pack(const fs::path& file, std::string name) {
  Member member;
  member.name = std::move(name);
  std::string bytes = read_whole(file);
  if (bytes.size() > kMostBytes) {
    throw std::runtime_error(fmt::format("`{}` is too large to pack.", file.string()));
  }
  member.bytes = static_cast<uint32_t>(bytes.size());
  member.crc = static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
  member.packed = deflated(bytes);
  member.method = 8;
  if (member.packed.size() >= bytes.size()) {
    member.packed = std::move(bytes);
    member.method = 0;
  }
  return member;
}

// The fields that the header before a member shares with its entry in the directory.
void put_description(std::string& out, const Member& member) {
  put16(out, 20);      // version needed: 2.0
  put16(out, 0x0800);  // names are UTF-8
  put16(out, member.method);
  put16(out, 0);     // 00:00:00
  put16(out, 0x21);  // 1980-01-01, the first day a zip knows
  put32(out, member.crc);
  put32(out, static_cast<uint32_t>(member.packed.size()));
  put32(out, member.bytes);
  put16(out, static_cast<uint32_t>(member.name.size()));
  put16(out, 0);  // no extra fields
}

std::string header(const Member& member) {
  std::string out = "PK\3\4";
  put_description(out, member);
  return out + member.name;
}

std::string directory_entry(const Member& member) {
  std::string out = "PK\1\2";
  put16(out, 3 << 8 | 20);  // made on Unix
  put_description(out, member);
  put16(out, 0);                                                // no comment
  put16(out, 0);                                                // first disk
  put16(out, 0);                                                // no internal attributes
  put32(out, (member.executable ? 0100755u : 0100644u) << 16);  // a regular file and its mode
  put32(out, member.offset);
  return out + member.name;
}

std::string end_of_directory(size_t members, uint64_t directory_bytes, uint64_t directory_offset) {
  std::string out = "PK\5\6";
  put16(out, 0);
  put16(out, 0);
  put16(out, static_cast<uint32_t>(members));
  put16(out, static_cast<uint32_t>(members));
  put32(out, static_cast<uint32_t>(directory_bytes));
  put32(out, static_cast<uint32_t>(directory_offset));
  put16(out, 0);
  return out;
}

}  // namespace

void pack_zip(const fs::path& archive, const fs::path& folder, const std::string& top,
              const std::vector<std::string>& files, const std::set<std::string>& programs) {
  std::vector<std::string> sorted = files;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.size() > kMostMembers) {
    throw std::runtime_error(
        fmt::format("`{}` cannot hold more than {} files.", archive.string(), kMostMembers));
  }

  AtomicFile out(archive);
  const auto append = [&](const std::string& bytes) {
    out.append(std::as_bytes(std::span(bytes)));
  };
  std::string directory;
  for (const std::string& file : sorted) {
    Member member = pack(folder / file, top.empty() ? file : top + '/' + file);
    member.executable = programs.contains(file);
    member.offset = static_cast<uint32_t>(out.size());
    append(header(member));
    append(member.packed);
    directory += directory_entry(member);
    if (out.size() > kMostBytes) {
      throw std::runtime_error(fmt::format("`{}` would grow too large.", archive.string()));
    }
  }
  const uint64_t directory_offset = out.size();
  append(directory);
  append(end_of_directory(sorted.size(), directory.size(), directory_offset));
  out.commit();
}

}  // namespace convkit
