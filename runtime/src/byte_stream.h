// SPDX-License-Identifier: MIT
// Bytes that are read once, from front to back: a range of a source, or what it unpacks to.
#pragma once

#include <zlib.h>

#include <array>

#include "byte_source.h"

namespace convkit {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Fills `into` from the front and returns how many bytes it got: fewer only at the end.
  virtual size_t read(std::span<std::byte> into) = 0;
};

// size bytes of `source` from `offset`, as they are.
class RangeStream final : public ByteStream {
 public:
  RangeStream(const ByteSource& source, uint64_t offset, uint64_t size)
      : source_(source), offset_(offset), left_(size) {}
  size_t read(std::span<std::byte> into) override;

 private:
  const ByteSource& source_;
  uint64_t offset_, left_;
};

// The same range, unpacked with zlib through a small buffer. Data that are damaged, cut off, or
// followed by more bytes within the range are a FormatError beginning with `subject`.
class InflateStream final : public ByteStream {
 public:
  enum class Format { deflate, gzip };
  InflateStream(const ByteSource& source, uint64_t offset, uint64_t size, Format format,
                std::string subject);
  ~InflateStream() override;
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;
  size_t read(std::span<std::byte> into) override;

 private:
  void refill();

  RangeStream packed_;
  std::string subject_;
  z_stream zlib_{};
  bool ended_ = false;
  std::array<std::byte, 1 << 16> buffer_;
};

// Deflate codes at most 258 bytes in two bits: no honest data unpack to more than this.
constexpr uint64_t most_inflated_bytes(uint64_t packed_bytes) {
  return packed_bytes * 1032;
}

}  // namespace convkit
