// SPDX-License-Identifier: MIT
#include "model/image_formats.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace convkit {
namespace {

std::string_view text_of(std::span<const std::byte> memory) {
  return {reinterpret_cast<const char*>(memory.data()), memory.size()};
}

// The next number of a PGM's head, behind white space and comments; -1 where there is none.
int64_t next_number(std::string_view text, size_t& at) {
  while (at < text.size() &&
         (std::isspace(static_cast<unsigned char>(text[at])) || text[at] == '#')) {
    at = text[at] == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
  }
  int64_t value = -1;
  for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at) {
    value = (value < 0 ? 0 : value) * 10 + (text[at] - '0');
    if (value > kMostPixels) return -1;
  }
  return value;
}

// Every table of a DHT segment: one byte, 16 counts, and as many codes as they add up to.
bool good_huffman_tables(std::span<const std::byte> segment) {
  constexpr size_t kCounts = 16, kMostCodes = 256;
  while (!segment.empty()) {
    if (segment.size() < 1 + kCounts) return false;
    size_t codes = 0;
    for (size_t i = 1; i <= kCounts; ++i) codes += std::to_integer<size_t>(segment[i]);
    if (codes > kMostCodes || segment.size() < 1 + kCounts + codes) return false;
    segment = segment.subspan(1 + kCounts + codes);
  }
  return true;
}

}  // namespace

std::optional<GreyImage> parse_pnm(std::span<const std::byte> memory) {
  const std::string_view text = text_of(memory);
  const size_t channels = text.starts_with("P6") ? 3 : 1;
  size_t at = 2;
  const int64_t width = next_number(text, at), height = next_number(text, at);
  const int64_t most = next_number(text, at);
  if (width < 1 || height < 1 || most < 1 || most > 65535 || width * height > kMostPixels) {
    return std::nullopt;
  }
  ++at;  // one white space
  const size_t bytes = most > 255 ? 2 : 1;
  GreyImage image{static_cast<int>(width), static_cast<int>(height), {}};
  const auto pixels = static_cast<size_t>(width * height);
  if (at > text.size() || text.size() - at < pixels * channels * bytes) return std::nullopt;
  image.pixels.reserve(pixels);
  const auto value = [&](size_t index) {
    int64_t read = 0;
    for (size_t i = 0; i < bytes; ++i) {
      read = read * 256 + static_cast<unsigned char>(text[at + index * bytes + i]);
    }
    return std::min(read, most) * 255 / most;
  };
  for (size_t i = 0; i < pixels; ++i) {
    const int64_t grey =
        channels == 1 ? value(i)
                      : (77 * value(3 * i) + 150 * value(3 * i + 1) + 29 * value(3 * i + 2)) / 256;
    image.pixels.push_back(static_cast<uint8_t>(grey));
  }
  return image;
}

std::optional<size_t> jpeg_length(std::span<const std::byte> memory) {
  constexpr unsigned kDht = 0xc4, kEoi = 0xd9, kSos = 0xda;
  const auto byte = [&](size_t at) { return std::to_integer<unsigned>(memory[at]); };
  const size_t size = memory.size();
  size_t at = 2;
  while (at + 1 < size && byte(at) == 0xff) {
    const unsigned marker = byte(at + 1);
    if (marker == 0xff) {  // a filler
      ++at;
      continue;
    }
    if (marker == kEoi) return at + 2;
    const bool stands_alone = marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8);
    if (stands_alone || at + 4 > size) return std::nullopt;
    const size_t length = byte(at + 2) * 256 + byte(at + 3);
    if (length < 2 || length > size - at - 2) return std::nullopt;
    if (marker == kDht && !good_huffman_tables(memory.subspan(at + 4, length - 2))) {
      return std::nullopt;
    }
    at += 2 + length;
    if (marker != kSos) continue;
    // The picture's bits: in them 0xff is followed by 0, or by a marker to begin anew (0xd0 to
    // 0xd7).
    while (at + 1 < size &&
           (byte(at) != 0xff || byte(at + 1) == 0 || (byte(at + 1) & 0xf8u) == 0xd0)) {
      ++at;
    }
  }
  return std::nullopt;
}

}  // namespace convkit
