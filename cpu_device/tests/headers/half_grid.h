// SPDX-License-Identifier: MIT
// A slow and obvious half: the value of each pattern of bits, and the pattern nearest to a number,
// found by looking among all of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace convkit::test {

__extension__ typedef __int128 Wide;

// Numbers are integers here, in units of 2^-48: sums and products of halves are whole.
constexpr int kUnit = 48;

inline double half_value(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const int fraction = static_cast<int>(bits & 1023);
  double size = 0;
  if (exponent == 0) {
    size = std::ldexp(fraction, -24);
  } else if (exponent < 31) {
    size = std::ldexp(fraction + 1024, exponent - 25);
  } else {
    size = fraction == 0 ? INFINITY : NAN;
  }
  return (bits & 0x8000) != 0 ? -size : size;
}

inline Wide in_units(double value) {
  return static_cast<Wide>(std::ldexp(value, kUnit));
}

enum class Mode { kNearest, kZero, kUp, kDown };

class HalfGrid {
 public:
  HalfGrid() {
    for (unsigned bits = 0; bits < 0x7c00; ++bits) sizes_.push_back(in_units(half_value(bits)));
    sizes_.push_back(in_units(65536));  // infinity, where the next number would be
  }

  // The bits of `exact`, rounded. Of a zero, `negative` gives the sign.
  uint16_t nearest(Wide exact, Mode mode, bool negative = false) const {
    negative = exact != 0 ? exact < 0 : negative;
    const Wide size = exact < 0 ? -exact : exact;
    const auto sign = static_cast<unsigned>(negative ? 0x8000 : 0);
    const bool away = mode == (negative ? Mode::kDown : Mode::kUp);
    if (size >= sizes_.back()) {
      const bool infinite = away || mode == Mode::kNearest;
      return static_cast<uint16_t>(sign | (infinite ? 0x7c00u : 0x7bffu));
    }
    const auto above = std::upper_bound(sizes_.begin(), sizes_.end(), size);
    const auto index = static_cast<unsigned>(above - sizes_.begin() - 1);
    const Wide to_below = size - sizes_[index], to_above = *above - size;
    bool up = to_below != 0 && away;
    if (mode == Mode::kNearest) {
      up = to_below > to_above || (to_below == to_above && index % 2 != 0);
    }
    return static_cast<uint16_t>(sign | (index + (up ? 1u : 0u)));
  }

 private:
  std::vector<Wide> sizes_;
};

}  // namespace convkit::test
