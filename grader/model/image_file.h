// SPDX-License-Identifier: MIT
// Pictures of any size as grey values. Files are not trusted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace convkit {

struct GreyImage {
  int width = 0, height = 0;
  std::vector<uint8_t> pixels;  // [height][width], 255 is white

  uint8_t at(int row, int column) const {
    return pixels[static_cast<size_t>(row) * static_cast<size_t>(width) +
                  static_cast<size_t>(column)];
  }
};

inline constexpr uint64_t kMostImageBytes = uint64_t{64} << 20;
inline constexpr int64_t kMostPixels = 64'000'000;  // more than phones take; decoded: 128 MB

// PNG, JPEG, BMP, PGM or PPM, recognised by their content. Transparent parts become white; a photo
// is turned as its EXIF orientation says. The size is checked before anything is decoded. Throws
// FormatError naming the file.
GreyImage read_image(const std::filesystem::path& file);
// The same from memory; `name` stands for the file in messages.
GreyImage parse_image(std::span<const std::byte> memory, const std::string& name);

}  // namespace convkit
