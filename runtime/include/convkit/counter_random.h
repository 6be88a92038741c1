// SPDX-License-Identifier: MIT
// Random numbers without a state: number i of a stream is computed from (seed, stream, i) alone. So
// any thread can have any of them, in any order, and CPU and GPU have the same.
#pragma once

#include <cstdint>

#include "convkit/host_device.h"

// The finaliser of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014): each bit of z moves half of all bits.
CONVKIT_HOST_DEVICE inline uint64_t mix_bits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// Number i of SplitMix64 from a seed, counted from 1.
CONVKIT_HOST_DEVICE inline uint64_t splitmix64(uint64_t seed, uint64_t i) {
  return mix_bits(seed + i * 0x9e3779b97f4a7c15ull);
}

CONVKIT_HOST_DEVICE inline uint64_t random_bits(uint64_t seed, uint64_t stream, uint64_t i) {
  return splitmix64(splitmix64(splitmix64(seed, 1), stream), i);
}

// In [0, 1): a multiple of 2^-24, so exact.
CONVKIT_HOST_DEVICE inline float uniform_float(uint64_t seed, uint64_t stream, uint64_t i) {
  return static_cast<float>(random_bits(seed, stream, i) >> 40) * 0x1p-24f;
}
