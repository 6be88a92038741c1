// SPDX-License-Identifier: MIT
#include "convkit/digits.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "catch.h"
#include "convkit/sha256.h"

namespace convkit {
namespace {

TEST_CASE("synthetic digits are the same bytes on every machine and with every compiler") {
  const DigitSet set = digit_set(1, 500);
  CHECK(sha256_hex(std::as_bytes(std::span(set.images))) ==
        "0dc236f998d4bf468bda3460c8da79504f494bacda01c2064daf45c5842251bb");
  CHECK(sha256_hex(std::as_bytes(std::span(set.labels))) ==
        "e8c5bab1822d29cb12821127b7a57c6051d12ed06b538c7a202ae3008d68300c");
}

TEST_CASE("a shorter set is the beginning of a longer one, and another seed another set") {
  const DigitSet longer = digit_set(5, 20), shorter = digit_set(5, 8), other = digit_set(6, 8);
  CHECK(std::equal(shorter.images.begin(), shorter.images.end(), longer.images.begin()));
  CHECK(std::equal(shorter.labels.begin(), shorter.labels.end(), longer.labels.begin()));
  CHECK(shorter.images != other.images);
  CHECK(digit_set(5, 0).images.empty());
}

TEST_CASE("every digit is white ink on black, in the middle, with grey edges") {
  for (int label = 0; label < 10; ++label) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      INFO("digit " << label << ", seed " << seed);
      const auto image = digit_image(seed, label);
      REQUIRE(image.size() == 784);
      const auto between = [&](int low, int high) {
        return std::count_if(image.begin(), image.end(),
                             [=](uint8_t v) { return v >= low && v <= high; });
      };
      CHECK(between(255, 255) > 5);
      CHECK(between(1, 254) > 20);
      CHECK(between(0, 0) > 784 / 2);
      // Nothing is cut off at the border.
      int border = 0;
      for (size_t i = 0; i < kDigitSize; ++i) {
        border += image[i] + image[27 * 28 + i] + image[i * 28] + image[i * 28 + 27];
      }
      CHECK(border == 0);
    }
  }
}

// A classifier that knows only the mean image of each digit: shapes, not noise.
TEST_CASE("digits look like others of their kind") {
  const DigitSet known = digit_set(11, 2000), unknown = digit_set(12, 1000);
  std::array<std::array<double, 784>, 10> means{};
  std::array<int, 10> counts{};
  for (size_t i = 0; i < known.labels.size(); ++i) ++counts[known.labels[i]];
  for (size_t i = 0; i < known.labels.size(); ++i) {
    const size_t label = known.labels[i];
    for (size_t p = 0; p < 784; ++p)
      means[label][p] += known.images[i * 784 + p] * 1.0 / counts[label];
  }
  int right = 0;
  for (size_t i = 0; i < unknown.labels.size(); ++i) {
    std::array<double, 10> distance{};
    for (size_t label = 0; label < 10; ++label) {
      for (size_t p = 0; p < 784; ++p) {
        const double difference = unknown.images[i * 784 + p] - means[label][p];
        distance[label] += difference * difference;
      }
    }
    const auto nearest = std::min_element(distance.begin(), distance.end()) - distance.begin();
    right += nearest == unknown.labels[i];
  }
  CHECK(*std::min_element(counts.begin(), counts.end()) > 150);
  CHECK(right > 750);
}

TEST_CASE("other labels and negative counts are refused") {
  CHECK_THROWS_AS(digit_image(1, 10), std::invalid_argument);
  CHECK_THROWS_AS(digit_image(1, -1), std::invalid_argument);
  CHECK_THROWS_AS(digit_set(1, -1), std::invalid_argument);
}

}  // namespace
}  // namespace convkit
