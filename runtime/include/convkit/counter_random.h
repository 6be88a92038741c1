// SPDX-License-Identifier: MIT
// Random numbers without a state: number i of a stream is computed from (seed, stream, i) alone. So
// any thread can have any of them, in any order, and CPU and GPU have the same.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): each bit of z moves half of all bits.
__host__ __device__ inline uint64_t mix_bits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

__host__ __device__ inline uint64_t random_bits(uint64_t seed, uint64_t stream, uint64_t i) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15ull;
  const uint64_t key = mix_bits(mix_bits(seed + kGolden) + kGolden * stream);
  return mix_bits(key + kGolden * i);
}

// In [0, 1): a multiple of 2^-24, so exact.
__host__ __device__ inline float uniform_float(uint64_t seed, uint64_t stream, uint64_t i) {
  return static_cast<float>(random_bits(seed, stream, i) >> 40) * 0x1p-24f;
}
