// SPDX-License-Identifier: MIT
#include "model/exif.h"

#include <cstring>
#include <optional>

namespace convkit {
namespace {

constexpr int kUpright = 1, kMostEntries = 1000;
constexpr uint32_t kOrientationTag = 274;

// Numbers of a block, wherever they are asked for; nothing outside of it.
class Block {
 public:
  explicit Block(std::span<const std::byte> bytes) : bytes_(bytes) {}
  void set_little_endian(bool little) { little_ = little; }
  size_t size() const { return bytes_.size(); }

  std::optional<uint32_t> number(size_t at, size_t width) const {
    if (at > bytes_.size() || width > bytes_.size() - at) return std::nullopt;
    uint32_t value = 0;
    for (size_t i = 0; i < width; ++i) {
      value = value << 8 | std::to_integer<uint32_t>(bytes_[at + (little_ ? width - 1 - i : i)]);
    }
    return value;
  }
  bool begins_with(const char* text, size_t length) const {
    return bytes_.size() >= length && std::memcmp(bytes_.data(), text, length) == 0;
  }

 private:
  std::span<const std::byte> bytes_;
  bool little_ = false;
};

// Of a TIFF structure: a directory of entries of 12 bytes.
int orientation_of(std::span<const std::byte> tiff) {
  Block block(tiff);
  if (block.begins_with("II", 2)) {
    block.set_little_endian(true);
  } else if (!block.begins_with("MM", 2)) {
    return kUpright;
  }
  const auto directory = block.number(4, 4);
  const auto entries = directory ? block.number(*directory, 2) : std::nullopt;
  if (!entries || *entries > kMostEntries) return kUpright;
  for (size_t i = 0; i < *entries; ++i) {
    const size_t at = size_t{*directory} + 2 + 12 * i;
    if (block.number(at, 2) != kOrientationTag) continue;
    const auto value = block.number(at + 8, 2);
    return value && *value >= 1 && *value <= 8 ? static_cast<int>(*value) : kUpright;
  }
  return kUpright;
}

}  // namespace

int exif_orientation(std::span<const std::byte> file) {
  const Block jpeg(file);
  if (!jpeg.begins_with("\xff\xd8", 2)) return kUpright;
  // Segments: a marker, a length that counts itself, and the rest. The picture follows SOS.
  for (size_t at = 2; at + 4 <= file.size();) {
    const auto marker = jpeg.number(at, 2), length = jpeg.number(at + 2, 2);
    constexpr uint32_t kApp1 = 0xffe1, kSos = 0xffda;
    if (!marker || !length || *marker < 0xff00 || *marker == kSos || *length < 2) break;
    if (*length > file.size() - at - 2) break;
    const auto segment = file.subspan(at + 4, *length - 2);
    if (*marker == kApp1 && Block(segment).begins_with("Exif\0\0", 6)) {
      return orientation_of(segment.subspan(6));
    }
    at += 2 + size_t{*length};
  }
  return kUpright;
}

GreyImage turned(GreyImage image, int orientation) {
  if (orientation == kUpright) return image;
  const bool sideways = orientation >= 5;  // rows and columns change places
  GreyImage out;
  out.width = sideways ? image.height : image.width;
  out.height = sideways ? image.width : image.height;
  out.pixels.reserve(image.pixels.size());
  for (int row = 0; row < out.height; ++row) {
    for (int column = 0; column < out.width; ++column) {
      int from_row = sideways ? column : row, from_column = sideways ? row : column;
      const bool upside_down =
          orientation == 3 || orientation == 4 || orientation == 7 || orientation == 6;
      const bool mirrored =
          orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
      if (upside_down) from_row = image.height - 1 - from_row;
      if (mirrored) from_column = image.width - 1 - from_column;
      out.pixels.push_back(image.at(from_row, from_column));
    }
  }
  return out;
}

}  // namespace convkit
