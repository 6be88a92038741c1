// SPDX-License-Identifier: MIT
// Synthetic handwritten-like digits, for machines without MNIST.
#pragma once

#include <cstdint>
#include <vector>

namespace convkit {

inline constexpr int kDigitSize = 28;  // pixels on each side, as in MNIST

// The digit `label` (0 to 9) as [28][28] grey values, 0 the background, 255 ink. The seed chooses
// among ways of writing it and sets position, size, slant, thickness and how shaky the hand is.
// All arithmetic is in integers: equal arguments give equal bytes on every machine. Throws
// std::invalid_argument for another label.
std::vector<uint8_t> digit_image(uint64_t seed, int label);

struct DigitSet {
  std::vector<uint8_t> images;  // [n][28][28]
  std::vector<uint8_t> labels;  // [n], each 0 to 9, in random order
};

// Image i depends on the seed and i only, so a shorter set is the beginning of a longer one.
DigitSet digit_set(uint64_t seed, int64_t n);

}  // namespace convkit
