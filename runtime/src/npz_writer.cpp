// SPDX-License-Identifier: MIT
// Writing .npz archives: plain 32-bit zip, as every zip tool reads it.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

#include "convkit/atomic_file.h"
#include "convkit/npz.h"
#include "little_endian.h"
#include "npy_header.h"
#include "zip_format.h"

namespace convkit {
namespace {

using Bytes = std::span<const std::byte>;

Bytes bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

struct Member {
  std::string name;
  uint16_t method = zip::kStored;
  uint32_t crc32 = 0;
  uint64_t packed_bytes = 0, bytes = 0, header_offset = 0;
};

// The fields that the local header shares with the directory's record, from "version needed" to
// "length of the extra field".
std::string common_fields(const Member& member) {
  constexpr uint16_t kVersionNeeded = 20, kUtf8NamesFlag = 1u << 11;
  constexpr uint16_t kMidnight = 0, kFirstDate = 1 << 5 | 1;  // 1 January 1980
  std::string out;
  append_le(out, kVersionNeeded);
  append_le(out, kUtf8NamesFlag);
  append_le(out, member.method);
  append_le(out, kMidnight);
  append_le(out, kFirstDate);
  append_le(out, member.crc32);
  append_le(out, static_cast<uint32_t>(member.packed_bytes));
  append_le(out, static_cast<uint32_t>(member.bytes));
  append_le(out, static_cast<uint16_t>(member.name.size()));
  append_le(out, uint16_t{0});
  return out;
}

std::string local_header(const Member& member) {
  std::string out;
  append_le(out, zip::kLocalSignature);
  return out + common_fields(member) + member.name;
}

std::string directory_record(const Member& member) {
  constexpr uint16_t kMadeByUnix = 3 << 8 | 20;
  constexpr uint32_t kRegularFile0644 = 0100644u << 16;
  std::string out;
  append_le(out, zip::kCentralSignature);
  append_le(out, kMadeByUnix);
  out += common_fields(member);
  append_le(out, uint16_t{0});  // comment
  append_le(out, uint16_t{0});  // number of the archive's part
  append_le(out, uint16_t{0});  // internal attributes
  append_le(out, kRegularFile0644);
  append_le(out, static_cast<uint32_t>(member.header_offset));
  return out + member.name;
}

std::string end_record(size_t members, uint64_t offset, uint64_t bytes) {
  std::string out;
  append_le(out, zip::kEndSignature);
  append_le(out, uint32_t{0});  // this part, the directory's part
  append_le(out, static_cast<uint16_t>(members));
  append_le(out, static_cast<uint16_t>(members));
  append_le(out, static_cast<uint32_t>(bytes));
  append_le(out, static_cast<uint32_t>(offset));
  append_le(out, uint16_t{0});  // comment
  return out;
}

class Deflater {
 public:
  explicit Deflater(AtomicFile& out) : out_(out) {
    constexpr int kNoWrapper = -15, kMemoryLevel = 8;
    if (deflateInit2(&zlib_, 6, Z_DEFLATED, kNoWrapper, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Deflater() { deflateEnd(&zlib_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void append(Bytes bytes, bool last) {
    constexpr size_t kPiece = size_t{1} << 30;  // zlib counts in unsigned int
    do {
      const Bytes piece = bytes.first(std::min(kPiece, bytes.size()));
      bytes = bytes.subspan(piece.size());
      run(piece, last && bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    } while (!bytes.empty());
  }

 private:
  void run(Bytes piece, int flush) {
    zlib_.next_in = reinterpret_cast<const Bytef*>(piece.data());
    zlib_.avail_in = static_cast<uInt>(piece.size());
    do {
      zlib_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      zlib_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&zlib_, flush);
      out_.append(Bytes(buffer_).first(buffer_.size() - zlib_.avail_out));
    } while (zlib_.avail_out == 0);
  }

  AtomicFile& out_;
  z_stream zlib_{};
  std::array<std::byte, 1 << 16> buffer_;
};

uint32_t checksum(std::initializer_list<Bytes> parts) {
  uLong crc = 0;
  for (const Bytes part : parts) {
    // No elements may mean no memory, and a null pointer asks zlib to start over.
    if (part.empty()) continue;
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
  }
  return static_cast<uint32_t>(crc);
}

Member append_member(AtomicFile& out, const std::string& name, const NpyArray& array,
                     Compression compression) {
  const std::string header = make_npy_header(array.dtype, array.dims);
  Member member{name + ".npy",
                compression == Compression::deflated ? zip::kDeflated : zip::kStored,
                checksum({bytes_of(header), array.bytes}),
                0,
                header.size() + array.bytes.size(),
                out.size()};
  out.append(bytes_of(local_header(member)));
  const uint64_t data_offset = out.size();
  if (compression == Compression::deflated) {
    Deflater deflater(out);
    deflater.append(bytes_of(header), false);
    deflater.append(array.bytes, true);
  } else {
    out.append(bytes_of(header));
    out.append(array.bytes);
  }
  member.packed_bytes = out.size() - data_offset;
  out.overwrite(member.header_offset, bytes_of(local_header(member)));
  return member;
}

// Zip without zip64 counts in 32 bits. Deflate may enlarge data a little, hence the slack.
void require_32_bit(const std::filesystem::path& file,
                    const std::map<std::string, NpyArray>& arrays) {
  uint64_t total = 0;
  bool names_fit = arrays.size() < zip::kIn64Short;
  for (const auto& [name, array] : arrays) {
    require_size(array.dims, array.dtype, array.bytes.size());
    total += array.bytes.size() + array.bytes.size() / 1000 + 2 * name.size() + 1024;
    names_fit = names_fit && !name.empty() && name.size() < 1000;
  }
  if (!names_fit || total >= zip::kIn64) {
    throw std::runtime_error("'" + file.string() +
                             "' cannot be written: it would be 4 GiB or more, or a member has an "
                             "empty or too long name.");
  }
}

}  // namespace

void write_npz(const std::filesystem::path& file, const std::map<std::string, NpyArray>& arrays,
               Compression compression) {
  require_32_bit(file, arrays);
  AtomicFile out(file);
  std::vector<Member> members;
  for (const auto& [name, array] : arrays) {
    members.push_back(append_member(out, name, array, compression));
  }
  std::string directory;
  for (const Member& member : members) directory += directory_record(member);
  const uint64_t offset = out.size();
  directory += end_record(members.size(), offset, directory.size());
  out.append(bytes_of(directory));
  out.commit();
}

}  // namespace convkit
