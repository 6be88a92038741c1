// SPDX-License-Identifier: MIT
// XORWOW's skip-ahead. A step of the generator is a linear map of its 160 bits over GF(2)
// (Marsaglia 2003, "Xorshift RNGs", page 5), so 2^k steps are one, too: the map's square, k times.
#include <array>
#include <cstdint>
#include <new>

#include "simt/curand_jumps.h"

namespace {

using Words = std::array<unsigned, 5>;
constexpr unsigned kBits = 160;
constexpr unsigned kSubsequence = 67;  // cuRAND: subsequences are 2^67 draws apart

Words step(const Words& v) {
  const unsigned t = v[0] ^ (v[0] >> 2);
  return {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
}

// The same as three integers, which are quicker to add.
struct Packed {
  uint64_t low, middle, high;

  static Packed of(const Words& v) {
    return {v[0] | static_cast<uint64_t>(v[1]) << 32, v[2] | static_cast<uint64_t>(v[3]) << 32,
            v[4]};
  }
  Words words() const {
    return {static_cast<unsigned>(low), static_cast<unsigned>(low >> 32),
            static_cast<unsigned>(middle), static_cast<unsigned>(middle >> 32),
            static_cast<unsigned>(high)};
  }
  Packed& operator^=(const Packed& other) {
    low ^= other.low;
    middle ^= other.middle;
    high ^= other.high;
    return *this;
  }
};

// A linear map, as its images of all values of each four bits: 40 additions apply it.
class LinearMap {
 public:
  // `image` gives the image of a vector.
  template <class Image>
  explicit LinearMap(const Image& image) {
    for (unsigned digit = 0; digit < kDigits; ++digit) {
      images_[digit][0] = {};
      for (unsigned value = 1; value < 16; ++value) {
        const unsigned rest = value & (value - 1);
        if (rest != 0) {
          images_[digit][value] = images_[digit][rest];
          images_[digit][value] ^= images_[digit][value ^ rest];
        } else {
          Words unit{};
          unit[digit / 8] = value << digit % 8 * 4;
          images_[digit][value] = Packed::of(image(unit));
        }
      }
    }
  }

  Words operator()(const Words& v) const {
    Packed sum{};
    const Packed(*images)[16] = images_;
    for (unsigned word : v) {
      for (unsigned digit = 0; digit < 8; ++digit, word >>= 4) sum ^= (*images++)[word & 15u];
    }
    return sum.words();
  }

 private:
  static constexpr unsigned kDigits = kBits / 4;
  Packed images_[kDigits][16];
};

// powers()[k] advances by 2^k draws. 2 MB, made in a few milliseconds.
const LinearMap* powers() {
  constexpr unsigned kCount = kSubsequence + 64;
  static const LinearMap* const all = [] {
    auto* const maps = static_cast<LinearMap*>(operator new(kCount * sizeof(LinearMap)));
    new (maps) LinearMap(step);
    for (unsigned k = 1; k < kCount; ++k) {
      const LinearMap& half = maps[k - 1];
      new (maps + k) LinearMap([&](const Words& v) { return half(half(v)); });
    }
    return maps;
  }();
  return all;
}

}  // namespace

void convkit_simt_xorwow_jump(unsigned words[5], unsigned long long subsequences,
                              unsigned long long steps) {
  if (subsequences == 0 && steps == 0) return;
  const LinearMap* const all = powers();
  Words v = {words[0], words[1], words[2], words[3], words[4]};
  for (; steps != 0; steps &= steps - 1) v = all[__builtin_ctzll(steps)](v);
  for (; subsequences != 0; subsequences &= subsequences - 1) {
    v = all[kSubsequence + static_cast<unsigned>(__builtin_ctzll(subsequences))](v);
  }
  for (size_t i = 0; i < v.size(); ++i) words[i] = v[i];
}
