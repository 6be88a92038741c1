// SPDX-License-Identifier: MIT
// cuRAND's combined multiple recursive generator: MRG32k3a (L'Ecuyer 1999, "Good parameters and
// implementations for combined multiple recursive random number generators"). Sequences begin 2^127
// draws apart, subsequences 2^76.
#pragma once

#include "simt/curand_jumps.h"

// 48 bytes, as on a GPU.
struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];  // the last three values of each part, the oldest first
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace convkit::simt {

constexpr unsigned long long kMrgModulus1 = 4294967087, kMrgModulus2 = 4294944443;

static inline void mrg_jump(curandStateMRG32k3a* state, unsigned log2_stride,
                            unsigned long long count) {
  unsigned first[3],
      second[3];  // the engine's stores into the state would not be seen by check mode
  for (int i = 0; i < 3; ++i) {
    first[i] = state->s1[i];
    second[i] = state->s2[i];
  }
  convkit_simt_mrg32k3a_jump(first, second, log2_stride, count);
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = first[i];
    state->s2[i] = second[i];
  }
}

// A draw: a whole number from 1 to the first modulus.
static inline unsigned long long mrg_draw(curandStateMRG32k3a* state) {
  unsigned *const a = state->s1, *const b = state->s2;
  const unsigned long long p =
      (1403580ull * a[1] + 810728ull * (kMrgModulus1 - a[0])) % kMrgModulus1;
  const unsigned long long q =
      (527612ull * b[2] + 1370589ull * (kMrgModulus2 - b[0])) % kMrgModulus2;
  a[0] = a[1];
  a[1] = a[2];
  a[2] = static_cast<unsigned>(p);
  b[0] = b[1];
  b[1] = b[2];
  b[2] = static_cast<unsigned>(q);
  return p > q ? p - q : p + kMrgModulus1 - q;
}

}  // namespace convkit::simt

static inline void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
  convkit::simt::mrg_jump(state, 0, n);
}
static inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
  convkit::simt::mrg_jump(state, 76, n);
}
static inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
  convkit::simt::mrg_jump(state, 127, n);
}

static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateMRG32k3a* state) {
  *state = {{12345, 12345, 12345}, {12345, 12345, 12345}, 0, 0, 0, 0};
  if (seed != 0) {
    const unsigned long long low = static_cast<unsigned>(seed) ^ 0x55555555u;
    const unsigned long long high = static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
      state->s1[i] =
          static_cast<unsigned>((i == 1 ? high : low) * 12345 % convkit::simt::kMrgModulus1);
      state->s2[i] =
          static_cast<unsigned>((i == 1 ? low : high) * 12345 % convkit::simt::kMrgModulus2);
    }
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}

// The draw, stretched over 32 bits: cuRAND's factor is 2^32 / kMrgModulus1 in these digits.
static inline unsigned curand(curandStateMRG32k3a* state) {
  return static_cast<unsigned>(static_cast<double>(convkit::simt::mrg_draw(state)) *
                               1.000000048662);
}
