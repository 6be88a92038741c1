// SPDX-License-Identifier: MIT
// cuRAND's counter-based generator: Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as
// easy as 1, 2, 3"). The low half of the counter counts groups of four draws, the high half is the
// subsequence, the key is the seed.
#pragma once

#include "simt/vector_types.h"

// 64 bytes, as on a GPU.
struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;  // of the counter
  uint2 key;
  unsigned STATE;  // which of the four in `output` is next
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

// The function itself, a bijection of counters: ten rounds.
static inline uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
    counter = {static_cast<unsigned>(b >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(b),
               static_cast<unsigned>(a >> 32) ^ counter.w ^ key.y, static_cast<unsigned>(a)};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

namespace convkit::simt {

// Adds `low` + 2^64 `high` to the counter.
static inline void philox_advance(curandStatePhilox4_32_10* state, unsigned long long low,
                                  unsigned long long high) {
  uint4& counter = state->ctr;
  const unsigned long long before = counter.y * 0x100000000ull + counter.x, after = before + low;
  high += counter.w * 0x100000000ull + counter.z + (after < before);
  counter = {static_cast<unsigned>(after), static_cast<unsigned>(after >> 32),
             static_cast<unsigned>(high), static_cast<unsigned>(high >> 32)};
  state->output = curand_Philox4x32_10(counter, state->key);
}

}  // namespace convkit::simt

static inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned next = state->STATE + static_cast<unsigned>(n & 3);
  state->STATE = next & 3;
  convkit::simt::philox_advance(state, n / 4 + next / 4, 0);
}
static inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  convkit::simt::philox_advance(state, 0, n);
}

static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStatePhilox4_32_10* state) {
  *state = {};
  state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  state->STATE = static_cast<unsigned>(offset & 3);
  convkit::simt::philox_advance(state, offset / 4, subsequence);
}

static inline unsigned curand(curandStatePhilox4_32_10* state) {
  const uint4& output = state->output;
  switch (state->STATE++) {
    case 0:
      return output.x;
    case 1:
      return output.y;
    case 2:
      return output.z;
    default:
      const unsigned last = output.w;
      state->STATE = 0;
      convkit::simt::philox_advance(state, 1, 0);
      return last;
  }
}

// The next four draws.
static inline uint4 curand4(curandStatePhilox4_32_10* state) {
  if (state->STATE == 0) {
    const uint4 four = state->output;
    convkit::simt::philox_advance(state, 1, 0);
    return four;
  }
  uint4 four;
  four.x = curand(state);
  four.y = curand(state);
  four.z = curand(state);
  four.w = curand(state);
  return four;
}
