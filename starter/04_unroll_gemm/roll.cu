// SPDX-License-Identifier: MIT
// Task 04.2: rolling, from matrices to images. Unrolling copies an element of x to many places of
// u; its adjoint adds the values of these places.
#include "unroll_index.cuh"

namespace {

// TODO(04.2): both kernels go here.

}  // namespace

cudaError_t roll_scatter(const float* d_u, float* d_x, const Conv2dShape* shape,
                         cudaStream_t stream) {
  // TODO(04.2): d_x is not initialised: set it to zero first, on `stream`.
  CONVKIT_TODO("04.2");
  return cudaSuccess;
}

cudaError_t roll_gather(const float* d_u, float* d_x, const Conv2dShape* shape,
                        cudaStream_t stream) {
  // TODO(04.2): launch a thread for each element of x.
  CONVKIT_TODO("04.2");
  return cudaSuccess;
}
