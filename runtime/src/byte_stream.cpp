// SPDX-License-Identifier: MIT
#include "byte_stream.h"

#include <algorithm>
#include <new>

namespace convkit {

size_t RangeStream::read(std::span<std::byte> into) {
  const auto count = static_cast<size_t>(std::min<uint64_t>(into.size(), left_));
  source_.read(offset_, into.first(count));
  offset_ += count;
  left_ -= count;
  return count;
}

InflateStream::InflateStream(const ByteSource& source, uint64_t offset, uint64_t size,
                             Format format, std::string subject)
    : packed_(source, offset, size), subject_(std::move(subject)) {
  // zlib's windowBits: negative for no wrapper, 16 more for gzip's.
  const int window_bits = format == Format::gzip ? 15 + 16 : -15;
  if (inflateInit2(&zlib_, window_bits) != Z_OK) throw std::bad_alloc();
}

InflateStream::~InflateStream() {
  inflateEnd(&zlib_);
}

void InflateStream::refill() {
  zlib_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
  zlib_.avail_in = static_cast<uInt>(packed_.read(buffer_));
}

size_t InflateStream::read(std::span<std::byte> into) {
  constexpr size_t kPiece = size_t{1} << 30;  // zlib counts in unsigned int
  size_t got = 0;
  while (got < into.size() && !ended_) {
    if (zlib_.avail_in == 0) refill();
    const size_t room = std::min(into.size() - got, kPiece);
    zlib_.next_out = reinterpret_cast<Bytef*>(into.data() + got);
    zlib_.avail_out = static_cast<uInt>(room);
    const int result = inflate(&zlib_, Z_NO_FLUSH);
    got += room - zlib_.avail_out;
    if (result == Z_STREAM_END) {
      ended_ = true;
      if (zlib_.avail_in == 0) refill();
      if (zlib_.avail_in != 0) {
        throw FormatError(subject_ + " has bytes after the end of its compressed data.");
      }
    } else if (result == Z_BUF_ERROR) {
      throw FormatError(subject_ + " is cut off in the middle of its compressed data.");
    } else if (result == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (result != Z_OK) {
      const std::string detail = zlib_.msg != nullptr ? zlib_.msg : "a dictionary is asked for";
      throw FormatError(subject_ + " has damaged compressed data (" + detail + ").");
    }
  }
  return got;
}

}  // namespace convkit
