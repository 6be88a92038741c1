// SPDX-License-Identifier: MIT
#include "convkit/idx.h"

#include <array>
#include <memory>

#include "byte_stream.h"
#include "convkit/checked_size.h"
#include "npy_header.h"

namespace convkit {
namespace {

constexpr int kUnsignedByte = 0x08;  // the element type in the magic number
constexpr int kMaxIdxDims = 8;

bool is_gzip(const ByteSource& source) {
  if (source.size() < 2) return false;
  const auto magic = read_bytes(source, 0, 2);
  return magic[0] == std::byte{0x1f} && magic[1] == std::byte{0x8b};
}

void read_exactly(ByteStream& stream, std::span<std::byte> into, const ByteSource& source) {
  if (stream.read(into) != into.size()) {
    throw FormatError(source.subject() + " ends within its IDX header.");
  }
}

// Magic number 0 0 type rank, then rank sizes of 32 bits, big-endian.
std::vector<int64_t> read_dims(ByteStream& stream, const ByteSource& source) {
  std::array<std::byte, 4> word{};
  read_exactly(stream, word, source);
  if (word[0] != std::byte{0} || word[1] != std::byte{0}) {
    throw FormatError(source.subject() + " is not an IDX file: it does not begin with two zeros.");
  }
  if (word[2] != std::byte{kUnsignedByte}) {
    throw FormatError(source.subject() + " has IDX element type " +
                      std::to_string(std::to_integer<int>(word[2])) +
                      "; only unsigned bytes (8) can be read.");
  }
  const int rank = std::to_integer<int>(word[3]);
  if (rank < 1 || rank > kMaxIdxDims) {
    throw FormatError(source.subject() + " has " + std::to_string(rank) +
                      " dimensions; 1 to 8 can be read.");
  }
  std::vector<int64_t> dims;
  for (int axis = 0; axis < rank; ++axis) {
    read_exactly(stream, word, source);
    int64_t size = 0;
    for (const std::byte byte : word) size = size << 8 | std::to_integer<int64_t>(byte);
    dims.push_back(size);
  }
  return dims;
}

IdxArray read_idx_array(const ByteSource& source, uint64_t byte_limit) {
  const bool packed = is_gzip(source);
  std::unique_ptr<ByteStream> stream;
  if (packed) {
    stream = std::make_unique<InflateStream>(source, 0, source.size(), InflateStream::Format::gzip,
                                             source.subject());
  } else {
    stream = std::make_unique<RangeStream>(source, 0, source.size());
  }

  IdxArray array;
  array.dims = read_dims(*stream, source);
  const auto count = checked_product(array.dims);
  if (!count) throw FormatError(source.subject() + " has a shape whose size overflows 64 bits.");
  const auto bytes = static_cast<uint64_t>(*count);
  require_within(bytes, byte_limit, source.subject());
  const uint64_t most = packed ? most_inflated_bytes(source.size()) : source.size();
  if (bytes > most) {
    throw FormatError(source.subject() + " is too short for the " + std::to_string(bytes) +
                      " bytes its header promises.");
  }
  array.bytes.resize(static_cast<size_t>(bytes));
  read_elements(*stream, std::as_writable_bytes(std::span(array.bytes)), source.subject());
  return array;
}

}  // namespace

IdxArray read_idx(const std::filesystem::path& file, uint64_t byte_limit) {
  return read_idx_array(FileSource(file), byte_limit);
}

IdxArray parse_idx(std::span<const std::byte> memory, const std::string& name,
                   uint64_t byte_limit) {
  return read_idx_array(MemorySource(memory, name), byte_limit);
}

}  // namespace convkit
