// SPDX-License-Identifier: MIT
// Only this file knows stb_image, of which it takes the formats that people have. (The library has
// had its faults in the others.)
#include "model/image_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "convkit/kit_error.h"
#include "model/exif.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 100000
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace convkit {
namespace {

// The formats that the image library does not handle: PGM and PPM; and a check of a JPEG's segments
// before the library reads them.

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

// Binary PGM (P5) or PPM (P6) with 8 or 16 bits. Nothing where it is damaged or cut short.
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

// How many bytes a JPEG has up to the end of its image: what follows, such as a film, is not for
// the library. Nothing where segments do not follow each other, the end is missing, or a table of
// Huffman codes has more than the 256 there can be, which older versions of the library write
// beyond its array.
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

namespace fs = std::filesystem;

struct Free {
  void operator()(stbi_uc* memory) const { stbi_image_free(memory); }
};

[[noreturn]] void refuse_file(const std::string& name, const std::string& what) {
  throw FormatError(fmt::format("'{}' {}", name, what));
}

GreyImage on_white(const stbi_uc* grey_and_alpha, int width, int height) {
  GreyImage image{width, height, {}};
  image.pixels.resize(static_cast<size_t>(width) * static_cast<size_t>(height));
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const int grey = grey_and_alpha[2 * i], alpha = grey_and_alpha[2 * i + 1];
    image.pixels[i] = static_cast<uint8_t>((grey * alpha + 255 * (255 - alpha) + 127) / 255);
  }
  return image;
}

}  // namespace

GreyImage parse_image(std::span<const std::byte> memory, const std::string& name) {
  if (memory.empty()) refuse_file(name, "is empty.");
  if (memory.size() > kMostImageBytes) {
    refuse_file(name, fmt::format("has {} bytes; at most {} MiB are accepted.", memory.size(),
                                  kMostImageBytes >> 20));
  }
  const std::string_view text(reinterpret_cast<const char*>(memory.data()), memory.size());
  if (text.starts_with("P5") || text.starts_with("P6")) {
    auto image = parse_pnm(memory);
    if (!image) {
      refuse_file(name, fmt::format("is a PGM or PPM file that is damaged, cut short, or has more "
                                    "than {} million pixels.",
                                    kMostPixels / 1'000'000));
    }
    return std::move(*image);
  }
  auto length = memory.size();
  if (text.starts_with("\xff\xd8")) {
    const auto whole = jpeg_length(memory);
    if (!whole) refuse_file(name, "is a JPEG file that is damaged or cut short.");
    length = *whole;
  }
  const auto* bytes = reinterpret_cast<const stbi_uc*>(memory.data());
  const int size = static_cast<int>(length);
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(bytes, size, &width, &height, &channels)) {
    refuse_file(name, fmt::format("cannot be read as an image; use a PNG, JPEG, BMP, PGM or PPM of "
                                  "at most {} million pixels.",
                                  kMostPixels / 1'000'000));
  }
  if (width < 1 || height < 1) refuse_file(name, fmt::format("has {}x{} pixels.", width, height));
  if (int64_t{width} * height > kMostPixels) {
    refuse_file(name, fmt::format("has {}x{} pixels; at most {} million are accepted.", width,
                                  height, kMostPixels / 1'000'000));
  }
  const std::unique_ptr<stbi_uc, Free> decoded(
      stbi_load_from_memory(bytes, size, &width, &height, &channels, STBI_grey_alpha));
  if (!decoded) refuse_file(name, fmt::format("is damaged ({}).", stbi_failure_reason()));
  return turned(on_white(decoded.get(), width, height), exif_orientation(memory));
}

GreyImage read_image(const fs::path& file) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) refuse_file(file.string(), "does not exist.");
  if (!fs::is_regular_file(status)) refuse_file(file.string(), "is not a file.");
  const uint64_t size = fs::file_size(file, error);
  if (error) refuse_file(file.string(), fmt::format("cannot be read: {}.", error.message()));
  if (size > kMostImageBytes) {
    refuse_file(file.string(), fmt::format("has {} bytes; at most {} MiB are accepted.", size,
                                           kMostImageBytes >> 20));
  }
  std::vector<std::byte> bytes(size);
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!in && size > 0) refuse_file(file.string(), "cannot be read.");
  return parse_image(bytes, file.string());
}

}  // namespace convkit
