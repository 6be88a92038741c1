// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// conv2d_implicit, tuned: the rungs of ladder/ with two buffers of tiles, four floats with one
// load, and a tile that is chosen for each shape.
//
//   the place in x of an element of u            implicit_index.cuh
//   many maps: tiles as in gemm_fast              implicit_tile.cuh
//   few maps: a thread computes all of them       implicit_strip.cuh
#pragma once

#include "implicit_strip.cuh"
#include "implicit_tile.cuh"

namespace implicit {

// Any shape within the limits of unroll_gemm.h.
inline cudaError_t launch(const Tensors& d, const Conv2dShape& s, cudaStream_t stream) {
  return s.m <= 32 ? implicit::launch_strip(d, s, stream) : implicit::launch_tile(d, s, stream);
}

}  // namespace implicit
