// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Idea 3 of conv2d_fast: the innermost computation, a tile of outputs held in registers.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace fast_conv {

// A tile is kFilters filters x kVectors vectors of kLanes neighbouring outputs. For every tap it
// loads kVectors vectors of the image and kFilters weights and multiplies each with each: with AVX,
// 8 loads for 12 multiply-adds, so the arithmetic units need not wait for loads.
//
// The accumulators must fit into the registers, next to kVectors vectors of the image and a weight.
// They must also outnumber the multiply-adds a core has in flight (latency 4, two started a cycle:
// 8), or each would wait for the one before it.
#if defined(__AVX512F__)
inline constexpr int kLanes = 16, kFilters = 8, kVectors = 3;  // 24 accumulators, 32 registers
#elif defined(__AVX__)
inline constexpr int kLanes = 8, kFilters = 6, kVectors = 2;  // 12 of 16
#elif defined(__aarch64__)
inline constexpr int kLanes = 4, kFilters = 8, kVectors = 3;  // 24 of 32
#else
inline constexpr int kLanes = 4, kFilters = 6, kVectors = 2;  // 12 of 16
#endif

// The vector type of GCC and clang: + and * work lane by lane with what the CPU has.
typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));

// Where the vectors of a tile lie. They are not always neighbours: the end of one row of outputs
// and the start of the next share a tile, so that no part of a tile stays empty.
struct TilePlace {
  const float* window[kVectors];  // the first lane's window in the PaddedStrip
  ptrdiff_t output[kVectors];     // the first lane's output, counted from the start of its plane
  int lanes;  // how many lanes are outputs: kLanes, or the width if that is less
};

// Up to kFilters filters, the bias of each, and the plane of y that each writes.
struct FilterBlock {
  const float* weights;  // [filters][taps]
  const float* bias;     // [filters]
  float* y;              // the first filter's plane
  ptrdiff_t plane_size;  // from one plane to the next
};

template <int filters>
void compute_tile(const TilePlace& place, std::span<const ptrdiff_t> offsets,
                  const FilterBlock& block) {
  // Small constant loops, unrolled: only then can the compiler keep `sum` and `x` in registers.
  Vector sum[filters][kVectors];
#pragma GCC unroll 8
  for (int f = 0; f < filters; ++f) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sum[f][v] = Vector{} + block.bias[f];
  }

  const TilePlace at = place;  // a copy cannot be changed by a store through y
  const auto taps = static_cast<ptrdiff_t>(offsets.size());
  for (ptrdiff_t tap = 0; tap < taps; ++tap) {
    Vector x[kVectors];
    // In C++, memcpy of a constant size is an unaligned load: one instruction.
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      std::memcpy(&x[v], at.window[v] + offsets[static_cast<size_t>(tap)], sizeof x[v]);
    }
#pragma GCC unroll 8
    for (int f = 0; f < filters; ++f) {
      const float weight = block.weights[f * taps + tap];
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sum[f][v] += weight * x[v];
    }
  }

  const auto bytes = static_cast<size_t>(at.lanes) * sizeof(float);
#pragma GCC unroll 8
  for (int f = 0; f < filters; ++f) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      float* to = block.y + f * block.plane_size + at.output[v];
      const Vector result = sum[f][v];
      if (at.lanes == kLanes) {
        std::memcpy(to, &result, sizeof result);  // one store
      } else {
        std::memcpy(to, &result, bytes);
      }
    }
  }
}

}  // namespace fast_conv
