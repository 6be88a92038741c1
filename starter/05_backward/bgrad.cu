// SPDX-License-Identifier: MIT
// Task 05.3: dE/db. The bias of a map is added to all its outputs, so its gradient is their sum.
#include "arguments.cuh"
#include "reduction.cuh"
#include "taps.cuh"

namespace {

// TODO(05.3): the kernel goes here: a block for each map. Its threads add the elements of all
// images; then block_sum() in reduction.cuh adds the threads' sums in a tree.

}  // namespace

cudaError_t conv2d_bgrad(const float* d_dy, float* d_db, const Conv2dShape* shape, int accumulate,
                         cudaStream_t stream) {
  // TODO(05.3): check the arguments, launch it, return its error.
  CONVKIT_TODO("05.3");
  return cudaSuccess;
}
