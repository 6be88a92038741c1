// SPDX-License-Identifier: MIT
#include "convkit/npz.h"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "npy_header.h"
#include "zip_directory.h"

namespace convkit {
namespace {

constexpr std::string_view kExtension = ".npy";

// Passes a member's bytes on and computes their checksum.
class ChecksumStream final : public ByteStream {
 public:
  explicit ChecksumStream(std::unique_ptr<ByteStream> from) : from_(std::move(from)) {}
  size_t read(std::span<std::byte> into) override {
    // A big member is checksummed in pieces, while they are in the cache.
    constexpr size_t kPiece = size_t{1} << 17;
    size_t got = 0;
    while (got < into.size()) {  // never with a null pointer: that would reset the checksum
      const auto piece = into.subspan(got, std::min(kPiece, into.size() - got));
      const size_t count = from_->read(piece);
      crc_ = crc32_z(crc_, reinterpret_cast<const Bytef*>(piece.data()), count);
      got += count;
      if (count < piece.size()) break;
    }
    return got;
  }
  uint32_t crc() const { return static_cast<uint32_t>(crc_); }

 private:
  std::unique_ptr<ByteStream> from_;
  uLong crc_ = 0;
};

}  // namespace

struct NpzArchive::State {
  std::unique_ptr<ByteSource> source;
  std::map<std::string, ZipMember> members;  // by their names in the zip, with ".npy"
  NpzLimits limits;

  struct OpenMember {
    std::string subject;
    const ZipMember& member;
    ChecksumStream stream;
    NpyHeader header;
  };

  State(std::unique_ptr<ByteSource> from, const NpzLimits& given)
      : source(std::move(from)), members(read_zip_directory(*source, given)), limits(given) {
    for (const auto& [name, member] : members) {
      if (!name.ends_with(kExtension) || name.size() == kExtension.size()) {
        throw FormatError(member_subject(*source, name) + " is not named like an array, x.npy.");
      }
    }
  }

  // The member with its header read, the stream at the first element.
  OpenMember open(std::string_view name) const {
    const auto found = members.find(std::string(name) + std::string(kExtension));
    if (found == members.end()) {
      throw FormatError(source->subject() + " has no member " + printable(name) + ".");
    }
    const auto& [full_name, member] = *found;
    std::string subject = member_subject(*source, full_name);
    const uint64_t offset = zip_data_offset(*source, full_name, member, subject);
    std::unique_ptr<ByteStream> data;
    if (member.deflated) {
      data = std::make_unique<InflateStream>(*source, offset, member.packed_bytes,
                                             InflateStream::Format::deflate, subject);
    } else {
      data = std::make_unique<RangeStream>(*source, offset, member.packed_bytes);
    }
    ChecksumStream stream(std::move(data));
    NpyHeader header = read_npy_header(stream, member.bytes, subject);
    return {std::move(subject), member, std::move(stream), std::move(header)};
  }

  static void read(OpenMember& open, std::span<std::byte> into) {
    read_elements(open.stream, into, open.subject);
    if (open.stream.crc() != open.member.crc32) {
      throw FormatError(open.subject + " is damaged: its CRC-32 does not match.");
    }
  }
};

NpzArchive::NpzArchive(const std::filesystem::path& file, const NpzLimits& limits)
    : state_(std::make_unique<State>(std::make_unique<FileSource>(file), limits)) {}

NpzArchive::NpzArchive(std::span<const std::byte> memory, const std::string& name,
                       const NpzLimits& limits)
    : state_(std::make_unique<State>(std::make_unique<MemorySource>(memory, name), limits)) {}

NpzArchive::NpzArchive(NpzArchive&&) noexcept = default;
NpzArchive& NpzArchive::operator=(NpzArchive&&) noexcept = default;
NpzArchive::~NpzArchive() = default;

std::vector<std::string> NpzArchive::names() const {
  std::vector<std::string> names;
  for (const auto& [name, member] : state_->members) {
    names.push_back(name.substr(0, name.size() - kExtension.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool NpzArchive::contains(std::string_view name) const {
  return state_->members.count(std::string(name) + std::string(kExtension)) != 0;
}

NpyHeader NpzArchive::header(std::string_view name) const {
  return state_->open(name).header;
}

NpyArray NpzArchive::read(std::string_view name) const {
  auto member = state_->open(name);
  NpyArray array{member.header.dtype, std::move(member.header.dims), {}};
  // Bounded: the data fit the member, and the directory's sizes fit the file and the limits.
  array.bytes.resize(static_cast<size_t>(member.header.data_bytes));
  State::read(member, array.bytes);
  return array;
}

void NpzArchive::read_into(std::string_view name, std::span<std::byte> into) const {
  auto member = state_->open(name);
  if (into.size() != member.header.data_bytes) {
    throw std::invalid_argument(member.subject + " does not fit the memory it is read into.");
  }
  State::read(member, into);
}

namespace {

std::map<std::string, NpyArray> read_all(const NpzArchive& archive) {
  std::map<std::string, NpyArray> arrays;
  for (const std::string& name : archive.names()) arrays.emplace(name, archive.read(name));
  return arrays;
}

}  // namespace

std::map<std::string, NpyArray> read_npz(const std::filesystem::path& file,
                                         const NpzLimits& limits) {
  return read_all(NpzArchive(file, limits));
}

std::map<std::string, NpyArray> parse_npz(std::span<const std::byte> memory,
                                          const std::string& name, const NpzLimits& limits) {
  return read_all(NpzArchive(memory, name, limits));
}

}  // namespace convkit
