// SPDX-License-Identifier: MIT
// MRG32k3a's skip-ahead. A step of each of its two recurrences is a 3 x 3 matrix modulo m (L'Ecuyer
// 1999, "Good parameters and implementations for combined multiple recursive random number
// generators"), so 2^k steps are one, too: the matrix's square, k times.
#include <array>
#include <cstdint>

#include "simt/curand_jumps.h"

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
