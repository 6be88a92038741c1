// SPDX-License-Identifier: MIT
// Only this file knows stb_image, of which it takes the formats that people have. (The library has
// had its faults in the others.)
#include "model/image_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <memory>
#include <string_view>

#include "convkit/format_error.h"
#include "model/exif.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_ONLY_PNM
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

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw FormatError(fmt::format("'{}' {}", name, what));
}

// Where the elements of a PGM or PPM begin: behind three numbers, with comments between them, and
// one white space.
size_t pnm_header(std::string_view text) {
  size_t at = 2;
  for (int number = 0; number < 3; ++number) {
    while (at < text.size() &&
           (std::isspace(static_cast<unsigned char>(text[at])) || text[at] == '#')) {
      at = text[at] == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
    }
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) ++at;
  }
  return at + 1;
}

// The library takes what is missing at the end for whatever memory holds.
bool cut_short(std::span<const std::byte> memory, int width, int height, int channels) {
  const std::string_view text(reinterpret_cast<const char*>(memory.data()), memory.size());
  if (text.starts_with("P5") || text.starts_with("P6")) {
    const bool wide = stbi_is_16_bit_from_memory(reinterpret_cast<const stbi_uc*>(memory.data()),
                                                 static_cast<int>(memory.size()));
    const auto elements = static_cast<uint64_t>(width) * static_cast<uint64_t>(height);
    return text.size() <
           pnm_header(text) + elements * static_cast<uint64_t>(channels) * (wide ? 2 : 1);
  }
  return text.starts_with("\xff\xd8") && text.find("\xff\xd9") == std::string_view::npos;
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
  if (memory.empty()) fail(name, "is empty.");
  if (memory.size() > kMostImageBytes) {
    fail(name,
         fmt::format("has {} bytes; {} MiB are the most.", memory.size(), kMostImageBytes >> 20));
  }
  const auto* bytes = reinterpret_cast<const stbi_uc*>(memory.data());
  const int size = static_cast<int>(memory.size());
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(bytes, size, &width, &height, &channels)) {
    fail(name, fmt::format("is no image that can be read: a PNG, JPEG, BMP, PGM or PPM of at most "
                           "{} million pixels is.",
                           kMostPixels / 1'000'000));
  }
  if (width < 1 || height < 1) fail(name, fmt::format("has {}x{} pixels.", width, height));
  if (int64_t{width} * height > kMostPixels) {
    fail(name, fmt::format("has {}x{} pixels; {} million are the most.", width, height,
                           kMostPixels / 1'000'000));
  }
  if (cut_short(memory, width, height, channels)) fail(name, "is cut short.");
  const std::unique_ptr<stbi_uc, Free> decoded(
      stbi_load_from_memory(bytes, size, &width, &height, &channels, STBI_grey_alpha));
  if (!decoded) fail(name, fmt::format("is damaged ({}).", stbi_failure_reason()));
  return turned(on_white(decoded.get(), width, height), exif_orientation(memory));
}

GreyImage read_image(const fs::path& file) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) fail(file.string(), "does not exist.");
  if (!fs::is_regular_file(status)) fail(file.string(), "is not a file.");
  const uint64_t size = fs::file_size(file, error);
  if (error) fail(file.string(), fmt::format("cannot be read: {}.", error.message()));
  if (size > kMostImageBytes) {
    fail(file.string(),
         fmt::format("has {} bytes; {} MiB are the most.", size, kMostImageBytes >> 20));
  }
  std::vector<std::byte> bytes(size);
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!in && size > 0) fail(file.string(), "cannot be read.");
  return parse_image(bytes, file.string());
}

}  // namespace convkit
