// SPDX-License-Identifier: MIT
// Images in memory: what is read of them, and what is refused before it is decoded.
#include "model/image_file.h"

#include <algorithm>
#include <random>

#include "catch.h"
#include "convkit/kit_error.h"
#include "model/exif.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace convkit {
namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

GreyImage parsed(const std::string& text) {
  return parse_image(bytes_of(text), "test");
}

// A JPEG's beginning with an EXIF block that names an orientation.
std::string with_orientation(bool little, int orientation) {
  const auto number = [&](unsigned value, int width) {
    std::string text;
    for (int i = 0; i < width; ++i) {
      const int shift = 8 * (little ? i : width - 1 - i);
      text += static_cast<char>(value >> shift);
    }
    return text;
  };
  const std::string tiff = std::string(little ? "II" : "MM") + number(42, 2) + number(8, 4) +
                           number(1, 2) + number(274, 2) + number(3, 2) + number(1, 4) +
                           number(static_cast<unsigned>(orientation), 2) + number(0, 2);
  const std::string exif = std::string("Exif\0\0", 6) + tiff;
  const auto length = exif.size() + 2;
  return std::string("\xff\xd8\xff\xe0\0\4ab\xff\xe1", 10) + static_cast<char>(length >> 8) +
         static_cast<char>(length & 255) + exif + "\xff\xda";
}

TEST_CASE("a PGM is read as it is") {
  const GreyImage image = parsed(std::string("P5\n3 2\n255\n") + "abcdef");
  CHECK((image.width == 3 && image.height == 2));
  CHECK(image.at(1, 0) == 'd');
  CHECK(parsed("P6 # red\n1 1 255\n\xff" + std::string(2, 0)).pixels == std::vector<uint8_t>{76});
  CHECK(parsed("P5 2 1 65535\n" + std::string("\x80\0\xff\xff", 4)).pixels ==
        std::vector<uint8_t>{127, 255});
}

TEST_CASE("a file that is not an image, empty or incomplete is refused with a sentence") {
  CHECK_THROWS_WITH(parsed(""), "'test' is empty.");
  CHECK_THROWS_WITH(parsed("no image at all"),
                    "'test' cannot be read as an image; use a PNG, JPEG, BMP, PGM or PPM of at "
                    "most 64 million pixels.");
  CHECK_THROWS_AS(parsed("P5\n3 2\n255\nabc"), FormatError);
  CHECK_THROWS_AS(parsed("\x89PNG\r\n\x1a\n"), FormatError);
  CHECK_THROWS_AS(parsed("GIF89a\3\0\2\0"), FormatError);
}

TEST_CASE("a huge image is refused before it is decoded") {
  CHECK_THROWS_WITH(parsed("P5\n20000 20000\n255\n"),
                    "'test' is a PGM or PPM file that is damaged, cut "
                    "short, or has more than 64 million pixels.");
  CHECK_THROWS_AS(parsed("P5\n2000000000 2000000000\n255\n"), FormatError);
  CHECK_THROWS_AS(parsed("P5\n0 5\n255\n"), FormatError);
}

TEST_CASE("the orientation of a photo is found") {
  for (const bool little : {false, true}) {
    CHECK(exif_orientation(bytes_of(with_orientation(little, 6))) == 6);
    CHECK(exif_orientation(bytes_of(with_orientation(little, 9))) == 1);
  }
  const std::string whole = with_orientation(true, 8);
  for (size_t length = 0; length < whole.size() - 2; ++length) {
    const int found = exif_orientation(bytes_of(whole.substr(0, length)));
    CHECK((found == 1 || found == 8));
  }
  CHECK(exif_orientation(bytes_of("P5\n3 2\n255\nabcdef")) == 1);
}

void append(void* text, void* data, int size) {
  static_cast<std::string*>(text)->append(static_cast<const char*>(data),
                                          static_cast<size_t>(size));
}

// 16x24, white above and black below; as RGB.
std::string jpeg() {
  std::vector<uint8_t> pixels(16 * 24 * 3, 255);
  std::fill(pixels.begin() + 16 * 12 * 3, pixels.end(), uint8_t{0});
  std::string text;
  stbi_write_jpg_to_func(append, &text, 16, 24, 3, pixels.data(), 95);
  return text;
}

TEST_CASE("a JPEG is read, turned, and refused where it is cut short") {
  const std::string plain = jpeg();
  const GreyImage upright = parsed(plain);
  CHECK((upright.width == 16 && upright.height == 24));
  CHECK((upright.at(2, 8) > 240 && upright.at(21, 8) < 15));
  std::string exif = with_orientation(true, 6);
  exif.resize(exif.size() - 2);  // without SOS
  const GreyImage turned_right = parsed(exif + plain.substr(2));
  CHECK((turned_right.width == 24 && turned_right.height == 16));
  CHECK((turned_right.at(8, 21) > 240 && turned_right.at(8, 2) < 15));
  CHECK_THROWS_WITH(parsed(plain.substr(0, plain.size() - 10)),
                    "'test' is a JPEG file that is damaged or cut short.");
}

TEST_CASE("a JPEG with more Huffman codes than there can be never reaches the library") {
  std::string changed = jpeg();
  const size_t table = changed.find("\xff\xc4");
  REQUIRE(table != std::string::npos);
  for (size_t i = 0; i < 16; ++i) changed[table + 5 + i] = '\xff';
  CHECK_THROWS_WITH(parsed(changed), "'test' is a JPEG file that is damaged or cut short.");
}

TEST_CASE("what follows a JPEG's end is left alone") {
  const std::string plain = jpeg();
  CHECK(parsed(plain + std::string("\xff\xc4\xff\xff", 4)).pixels == parsed(plain).pixels);
}

TEST_CASE("what is transparent in a PNG lies on white") {
  const std::vector<uint8_t> pixels = {0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 128};
  std::string text;
  stbi_write_png_to_func(append, &text, 3, 1, 4, pixels.data(), 12);
  CHECK(parsed(text).pixels == std::vector<uint8_t>{0, 255, 127});
  for (size_t length = 0; length < text.size(); length += 5) {
    try {
      parsed(text.substr(0, length));  // refused, or whole but for the checksum at the end
    } catch (const FormatError&) {
    }
  }
}

TEST_CASE("an image with bytes changed is read or refused") {
  std::vector<uint8_t> pixels(40 * 30 * 3);
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i * 7);
  std::string png, bmp;
  stbi_write_png_to_func(append, &png, 40, 30, 3, pixels.data(), 120);
  stbi_write_bmp_to_func(append, &bmp, 40, 30, 3, pixels.data());
  std::mt19937 random(1);
  for (const std::string& whole : {png, bmp, jpeg(), with_orientation(false, 6) + "\xff\xd9",
                                   "P6\n5 5\n255\n" + std::string(75, 'x')}) {
    for (int trial = 0; trial < 400; ++trial) {
      std::string changed = whole;
      for (int k = 0; k < 1 + trial % 4; ++k) {
        // Most of them in the head, where sizes stand.
        const size_t reach = trial % 2 ? changed.size() : std::min<size_t>(60, changed.size());
        changed[random() % reach] = static_cast<char>(random());
      }
      try {
        const GreyImage image = parsed(changed);
        CHECK(image.pixels.size() == size_t(image.width) * size_t(image.height));
      } catch (const FormatError&) {
      }
    }
  }
}

TEST_CASE("a photo is turned as its orientation says") {
  const GreyImage image{3, 2, {1, 2, 3, 4, 5, 6}};
  const auto seen = [&](int orientation) { return turned(image, orientation).pixels; };
  CHECK(seen(1) == std::vector<uint8_t>{1, 2, 3, 4, 5, 6});
  CHECK(seen(2) == std::vector<uint8_t>{3, 2, 1, 6, 5, 4});
  CHECK(seen(3) == std::vector<uint8_t>{6, 5, 4, 3, 2, 1});
  CHECK(seen(4) == std::vector<uint8_t>{4, 5, 6, 1, 2, 3});
  CHECK(seen(5) == std::vector<uint8_t>{1, 4, 2, 5, 3, 6});
  CHECK(seen(6) == std::vector<uint8_t>{4, 1, 5, 2, 6, 3});
  CHECK(seen(7) == std::vector<uint8_t>{6, 3, 5, 2, 4, 1});
  CHECK(seen(8) == std::vector<uint8_t>{3, 6, 2, 5, 1, 4});
  CHECK((turned(image, 6).width == 2 && turned(image, 6).height == 3));
}

}  // namespace
}  // namespace convkit
