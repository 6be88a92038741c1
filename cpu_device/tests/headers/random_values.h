// SPDX-License-Identifier: MIT
// Numbers to try functions on: all magnitudes, with the odd ones (zeros, subnormals, limits, NaN)
// and small differences more often than chance would have them.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

namespace convkit::test {

template <class Real>
class RandomValues {
 public:
  using Bits = std::conditional_t<sizeof(Real) == 4, uint32_t, uint64_t>;

  explicit RandomValues(uint64_t seed) : random_(seed) {}

  Real next() {
    switch (random_() % 8) {
      case 0:
        return odd();
      case 1:
        return static_cast<Real>(static_cast<int>(random_() % 33) - 16);
      case 2:
      case 3:
        return near(last_);
      case 4:
        return moderate();
      default:
        return last_ = from_bits(static_cast<Bits>(random_()));
    }
  }

 private:
  static Real from_bits(Bits bits) {
    Real value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  // Close to an earlier one, of either sign, so that sums cancel.
  Real near(Real value) {
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits += static_cast<Bits>(random_() % 7) - 3;
    return random_() % 2 == 0 ? from_bits(bits) : -from_bits(bits);
  }

  Real moderate() {
    const Real value = static_cast<Real>(static_cast<int64_t>(random_()));
    return last_ = std::ldexp(value, -static_cast<int>(random_() % 90));
  }

  Real odd() {
    using Limits = std::numeric_limits<Real>;
    const Real values[] = {0,
                           Limits::denorm_min(),
                           3 * Limits::denorm_min(),
                           Limits::min(),
                           Limits::min() - Limits::denorm_min(),
                           Limits::max(),
                           Limits::max() / 2,
                           Limits::infinity(),
                           Limits::quiet_NaN(),
                           1,
                           1 + Limits::epsilon(),
                           1 - Limits::epsilon() / 2,
                           std::sqrt(Limits::min()),
                           std::sqrt(Limits::max())};
    const Real value = values[random_() % (sizeof values / sizeof(Real))];
    return random_() % 2 == 0 ? value : -value;
  }

  std::mt19937_64 random_;
  Real last_ = 1;
};

// The same number: signs of zeros count, bits of NaNs do not.
template <class Real>
bool same(Real left, Real right) {
  if (std::isnan(left) || std::isnan(right)) return std::isnan(left) && std::isnan(right);
  return left == right && std::signbit(left) == std::signbit(right);
}

}  // namespace convkit::test
