// SPDX-License-Identifier: MIT
// Task 04.5: the matrix product, fast: four floats with one load, and two buffers of tiles, so that
// the next tiles are on their way while the present ones are multiplied.
#include "unroll_index.cuh"

namespace {

// TODO(04.5): the kernel goes here.

}  // namespace

cudaError_t gemm_fast(const float* d_a, const float* d_b, float* d_c, int m, int n, int k,
                      float alpha, float beta, cudaStream_t stream) {
  // TODO(04.5): c = alpha a b + beta c, and c is not read where beta is 0. Begin with the
  // kernel of 04.4.
  CONVKIT_TODO("04.5");
  return cudaSuccess;
}
