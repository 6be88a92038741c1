// SPDX-License-Identifier: MIT
// The inputs of a timed call, and which elements of its output are judged. The same code runs on
// the host and on a GPU.
#pragma once

#include <cstdint>

#include "convkit/counter_random.h"
#include "convkit/host_device.h"

namespace convkit::device_memory {

// The block `block` of the stream `stream` of ChaCha with 8 rounds (D. J. Bernstein, "ChaCha, a
// variant of Salsa20", 2008): words that nobody can tell from random ones without the key.
CONVKIT_HOST_DEVICE inline void chacha8(const uint32_t key[8], uint64_t block, uint64_t stream,
                                        uint32_t out[16]) {
  const uint32_t start[16] = {0x61707865,
                              0x3320646e,
                              0x79622d32,
                              0x6b206574,
                              key[0],
                              key[1],
                              key[2],
                              key[3],
                              key[4],
                              key[5],
                              key[6],
                              key[7],
                              static_cast<uint32_t>(block),
                              static_cast<uint32_t>(block >> 32),
                              static_cast<uint32_t>(stream),
                              static_cast<uint32_t>(stream >> 32)};
  for (int i = 0; i < 16; ++i) out[i] = start[i];
  const auto rotated = [](uint32_t x, int by) { return x << by | x >> (32 - by); };
  const auto mix = [&](uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
    a += b, d = rotated(d ^ a, 16);
    c += d, b = rotated(b ^ c, 12);
    a += b, d = rotated(d ^ a, 8);
    c += d, b = rotated(b ^ c, 7);
  };
  for (int round = 0; round < 8; round += 2) {
    for (int i = 0; i < 4; ++i) mix(out[i], out[4 + i], out[8 + i], out[12 + i]);
    for (int i = 0; i < 4; ++i) {
      mix(out[i], out[4 + (i + 1) % 4], out[8 + (i + 2) % 4], out[12 + (i + 3) % 4]);
    }
  }
  for (int i = 0; i < 16; ++i) out[i] += start[i];
}

// The magnitude times a number in (15/16, 1], with a sign: 21 bits of `bits`.
CONVKIT_HOST_DEVICE inline float value_of(float magnitude, uint32_t bits) {
  const float less = static_cast<float>(bits & 0xfffff) * 0x1p-24f;
  return (magnitude - magnitude * less) * (bits >> 31 ? -1.0f : 1.0f);
}

// Which element of an output of `elements` is the sample `sample` of `sampled` of call `call`. All
// of them, in order, where there are as many samples as elements.
CONVKIT_HOST_DEVICE inline uint64_t place_of(uint64_t seed, uint64_t call, uint64_t sample,
                                             uint64_t sampled, uint64_t elements) {
  if (sampled == elements) return sample;
  // The seed is secret until nothing can be written any more.
  return splitmix64(seed, call * sampled + sample + 1) % elements;
}

}  // namespace convkit::device_memory
