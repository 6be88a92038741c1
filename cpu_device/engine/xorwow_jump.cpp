// SPDX-License-Identifier: MIT
// XORWOW's skip-ahead. A step of the generator is a linear map of its 160 bits over GF(2)
// (Marsaglia 2003, "Xorshift RNGs", page 5), so 2^k steps are one, too: the map's square, k times.
#include <array>
#include <memory>

#include "simt/curand_jumps.h"

namespace {

using Words = std::array<unsigned, 5>;
constexpr unsigned kBits = 160;
constexpr unsigned kSubsequence = 67;  // cuRAND: subsequences are 2^67 draws apart

Words step(const Words& v) {
  const unsigned t = v[0] ^ (v[0] >> 2);
  return {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
}

Words operator^(Words a, const Words& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] ^= b[i];
  return a;
}

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
          images_[digit][value] = images_[digit][rest] ^ images_[digit][value ^ rest];
        } else {
          Words unit{};
          unit[digit / 8] = value << digit % 8 * 4;
          images_[digit][value] = image(unit);
        }
      }
    }
  }

  Words operator()(const Words& v) const {
    Words sum{};
    for (unsigned digit = 0; digit < kDigits; ++digit) {
      sum = sum ^ images_[digit][v[digit / 8] >> digit % 8 * 4 & 15u];
    }
    return sum;
  }

 private:
  static constexpr unsigned kDigits = kBits / 4;
  Words images_[kDigits][16];
};

// powers()[k] advances by 2^k draws. 1.7 MB, made in a few milliseconds.
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
