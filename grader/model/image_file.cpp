// SPDX-License-Identifier: MIT
// Only this file knows stb_image, of which it takes the formats that people have. (The library has
// had its faults in the others.)
#include "model/image_file.h"

#include <fmt/core.h>

#include <fstream>
#include <memory>
#include <string_view>
#include <utility>

#include "convkit/kit_error.h"
#include "model/exif.h"
#include "model/image_formats.h"

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
