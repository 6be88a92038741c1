// SPDX-License-Identifier: MIT
// Skip-ahead of two generators. A step of each is a linear map, so 2^k steps are one, too: the
// map's square, k times.
#include <array>
#include <cstdint>
#include <new>

#include "simt/curand_jumps.h"

// MRG32k3a: each of its two recurrences is a 3 x 3 matrix modulo m (L'Ecuyer 1999, "Good parameters
// and implementations for combined multiple recursive random number generators").
namespace {

using Matrix = std::array<std::array<uint64_t, 3>, 3>;

constexpr uint64_t kModulus[2] = {4294967087u, 4294944443u};
constexpr Matrix kStep[2] = {
    {{{0, 1, 0}, {0, 0, 1}, {kModulus[0] - 810728, 1403580, 0}}},
    {{{0, 1, 0}, {0, 0, 1}, {kModulus[1] - 1370589, 0, 527612}}},
};

// a . b modulo m, of numbers below m < 2^32.
uint64_t sum_of_products(const uint64_t a[3], uint64_t b0, uint64_t b1, uint64_t b2, uint64_t m) {
  return (a[0] * b0 % m + a[1] * b1 % m + a[2] * b2 % m) % m;
}

Matrix square(const Matrix& a, uint64_t m) {
  Matrix result;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      result[i][j] = sum_of_products(a[i].data(), a[0][j], a[1][j], a[2][j], m);
    }
  }
  return result;
}

struct Powers {
  static constexpr unsigned kCount = 127 + 64;
  Matrix of[2][kCount];  // of[part][k] advances by 2^k draws

  Powers() {
    for (size_t part = 0; part < 2; ++part) {
      of[part][0] = kStep[part];
      for (size_t k = 1; k < kCount; ++k) {
        of[part][k] = square(of[part][k - 1], kModulus[part]);
      }
    }
  }
};

void advance(unsigned state[3], const Matrix& by, uint64_t m) {
  uint64_t next[3];
  for (size_t i = 0; i < 3; ++i) {
    next[i] = sum_of_products(by[i].data(), state[0], state[1], state[2], m);
  }
  for (size_t i = 0; i < 3; ++i) state[i] = static_cast<unsigned>(next[i]);
}

}  // namespace

void convkit_simt_mrg32k3a_jump(unsigned first[3], unsigned second[3], unsigned log2_stride,
                                unsigned long long count) {
  if (count == 0) return;
  static const auto* const powers = new Powers;
  for (; count != 0; count &= count - 1) {
    const unsigned k = log2_stride + static_cast<unsigned>(__builtin_ctzll(count));
    advance(first, powers->of[0][k], kModulus[0]);
    advance(second, powers->of[1][k], kModulus[1]);
  }
}

// XORWOW: a map of 160 bits over GF(2) (Marsaglia 2003, "Xorshift RNGs", page 5).
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
