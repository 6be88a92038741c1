// SPDX-License-Identifier: MIT
// Drawings of one stroke: where they end up, whatever the paper looks like.
#include "model/digit_finder.h"

#include <algorithm>
#include <cmath>

#include "catch.h"
#include "convkit/kit_error.h"
#include "model/plane.h"

namespace convkit {
namespace {

// Bright paper, darker towards the right, with a dark upright bar and a foot to its right: an L.
GreyImage letter(int width, int height, double dark, bool on_black = false) {
  GreyImage image{width, height, {}};
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const double x = static_cast<double>(column) / width, y = static_cast<double>(row) / height;
      const bool bar = x > 0.60 && x < 0.64 && y > 0.3 && y < 0.7;
      const bool foot = x > 0.60 && x < 0.75 && y > 0.66 && y < 0.70;
      double light = 240 - 120 * x;
      if (bar || foot) light *= dark;
      image.pixels.push_back(static_cast<uint8_t>(on_black ? 255 - light : light));
    }
  }
  return image;
}

double mean_of(const std::vector<uint8_t>& image, int top, int bottom, int left, int right) {
  double sum = 0;
  for (int i = top; i < bottom; ++i) {
    for (int j = left; j < right; ++j) sum += image[static_cast<size_t>(28 * i + j)];
  }
  return sum / ((bottom - top) * (right - left));
}

TEST_CASE("a drawing fits 20x20 and its centre of mass is in the middle") {
  for (const bool on_black : {false, true}) {
    const FoundDigit found = find_digit(letter(600, 800, 0.3, on_black), "test");
    CHECK(found.note.empty());
    double mass = 0, rows = 0, columns = 0;
    int top = 28, bottom = -1;
    for (int i = 0; i < 28; ++i) {
      for (int j = 0; j < 28; ++j) {
        const double ink = found.image[static_cast<size_t>(28 * i + j)];
        mass += ink, rows += ink * (i + 0.5), columns += ink * (j + 0.5);
        if (ink > 128) top = std::min(top, i), bottom = std::max(bottom, i);
      }
    }
    CHECK(std::fabs(rows / mass - 14.5) <= 0.51);
    CHECK(std::fabs(columns / mass - 14.5) <= 0.51);
    CHECK(bottom - top + 1 >= 19);
    CHECK(bottom - top + 1 <= 20);
    // Paper is paper, in the light and in the shade.
    CHECK(mean_of(found.image, 0, 2, 0, 28) == 0);
    CHECK(mean_of(found.image, 0, 28, 24, 28) < 10);
    CHECK(*std::ranges::max_element(found.image) == 255);
  }
}

TEST_CASE("faint ink in uneven light is found, and paper alone is not") {
  CHECK_NOTHROW(find_digit(letter(300, 300, 0.7), "test"));
  CHECK_THROWS_WITH(find_digit(letter(300, 300, 1.0), "test"),
                    "'test' shows no stroke that differs from its paper.");
  const GreyImage white{50, 50, std::vector<uint8_t>(2500, 255)};
  CHECK_THROWS_AS(find_digit(white, "test"), FormatError);
  const GreyImage black{50, 50, std::vector<uint8_t>(2500, 0)};
  CHECK_THROWS_AS(find_digit(black, "test"), FormatError);
}

TEST_CASE("specks are left out and a second drawing is told") {
  GreyImage image = letter(400, 400, 0.3);
  const std::vector<uint8_t> alone = find_digit(image, "test").image;
  const auto blot = [&](int row, int column, int size) {
    for (int i = row; i < row + size; ++i) {
      for (int j = column; j < column + size; ++j) {
        image.pixels[static_cast<size_t>(400 * i + j)] = 40;
      }
    }
  };
  blot(60, 60, 4);
  const FoundDigit speckled = find_digit(image, "test");
  CHECK(speckled.image == alone);
  CHECK(speckled.note.empty());
  blot(100, 100, 40);
  CHECK(find_digit(image, "test").note == "has several drawings; the largest was used.");
}

TEST_CASE("an image of 28x28 is used unchanged, with a black background") {
  GreyImage image{28, 28, std::vector<uint8_t>(784, 10)};
  image.pixels[300] = 250;
  CHECK(find_digit(image, "test").image == image.pixels);
  GreyImage bright = image;
  for (uint8_t& pixel : bright.pixels) pixel = static_cast<uint8_t>(255 - pixel);
  CHECK(find_digit(bright, "test").image == image.pixels);
}

TEST_CASE("images of odd sizes are refused or read, and nothing else") {
  CHECK_THROWS_WITH(find_digit({3, 3, std::vector<uint8_t>(9, 0)}, "test"),
                    "'test' has 3x3 pixels, which are too few for a digit.");
  CHECK_THROWS_WITH(find_digit({100000, 10, std::vector<uint8_t>(1000000, 0)}, "test"),
                    "'test' has 100000x10 pixels; this strip is too long for a digit.");
  for (const int side : {8, 9, 27, 29, 401}) CHECK_NOTHROW(find_digit(letter(side, side, 0), "x"));
}

TEST_CASE("a part of a plane is resized by what each element covers") {
  Plane plane(3, 1);
  plane.values = {0, 3, 6};
  CHECK(resized(plane, {0, 0, 3, 1}, 1, 1).values == std::vector<float>{3});
  CHECK(resized(plane, {0, 0, 3, 1}, 2, 1).values == std::vector<float>{1, 5});
  CHECK(resized(plane, {1, 0, 1, 1}, 2, 2).values == std::vector<float>(4, 3));
}

}  // namespace
}  // namespace convkit
