// SPDX-License-Identifier: MIT
// The shuffles of CONVKIT_SIMT_SEED: small, fast, the same on every machine. SplitMix64: Steele,
// Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
#pragma once

#include <cstdint>

namespace convkit::simt {

class Random {
 public:
  explicit Random(uint64_t seed = 0) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // From 0 to bound - 1 (bound below 2^32).
  uint64_t below(uint64_t bound) { return (next() >> 32) * bound >> 32; }

 private:
  uint64_t state_;
};

// A permutation of 0 .. count - 1, computed and not stored: a Feistel network on the next even
// number of bits, repeated until the value falls into the range.
inline uint64_t shuffled(uint64_t index, uint64_t count, uint64_t seed) {
  unsigned half = 1;
  while ((uint64_t{1} << (2 * half)) < count) ++half;
  const uint64_t mask = (uint64_t{1} << half) - 1;
  do {
    uint64_t left = index >> half, right = index & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      const uint64_t mixed = left ^ (Random(seed ^ right << 8 ^ round).next() & mask);
      left = right;
      right = mixed;
    }
    index = left << half | right;
  } while (index >= count);
  return index;
}

}  // namespace convkit::simt
