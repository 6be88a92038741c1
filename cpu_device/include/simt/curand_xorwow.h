// SPDX-License-Identifier: MIT
// cuRAND's default generator: XORWOW (Marsaglia 2003, "Xorshift RNGs", page 5), whose period of
// 2^192 - 2^32 is divided into subsequences that begin 2^67 draws apart.
#pragma once

#include "simt/curand_jumps.h"

// 48 bytes, as on a GPU. The members after `v` hold the second number of a pair of normal ones.
struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

namespace convkit::simt {

constexpr unsigned kXorwowWeyl = 362437;  // what `d` grows by in a draw

static inline void xorwow_jump(curandStateXORWOW* state, unsigned long long subsequences,
                               unsigned long long steps) {
  unsigned words[5];  // the engine's stores into the state would not be seen by check mode
  for (int i = 0; i < 5; ++i) words[i] = state->v[i];
  convkit_simt_xorwow_jump(words, subsequences, steps);
  for (int i = 0; i < 5; ++i) state->v[i] = words[i];
  state->d += kXorwowWeyl * static_cast<unsigned>(steps);  // 2^67 draws add a multiple of 2^32
}

}  // namespace convkit::simt

static inline void skipahead(unsigned long long n, curandStateXORWOW* state) {
  convkit::simt::xorwow_jump(state, 0, n);
}
static inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  convkit::simt::xorwow_jump(state, n, 0);
}

// Marsaglia's initial state, changed by the halves of the seed as cuRAND does it.
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateXORWOW* state) {
  const unsigned low = (static_cast<unsigned>(seed) ^ 0xaad26b49u) * 1099087573u;
  const unsigned high = (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  *state = {
      6615241u + low + high,
      {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
      0,
      0,
      0,
      0};
  convkit::simt::xorwow_jump(state, subsequence, offset);
}

static inline unsigned curand(curandStateXORWOW* state) {
  unsigned* const v = state->v;
  const unsigned t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
  state->d += convkit::simt::kXorwowWeyl;
  return v[4] + state->d;
}
