// SPDX-License-Identifier: MIT
// Task 04.6: convolution = unroll + matrix product + bias, in a workspace of a given size.
#include "conv_arguments.cuh"
// BEGIN SOLUTION(04.6)
#include "gemm_fast.cuh"
// END SOLUTION

#include <algorithm>

namespace {

// BEGIN SOLUTION(04.6)
//> // TODO(04.6): the kernel that puts the bias into y goes here.
// A block row for each map of each image: the bias is the same for all of its threads.
__global__ void fill_with_bias_kernel(const float* __restrict__ b, float* __restrict__ y, int m,
                                      int pixels) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int map = blockIdx.y, image = blockIdx.z;
  if (pixel < pixels) y[(int64_t(image) * m + map) * pixels + pixel] = b[map];
}
// END SOLUTION

}  // namespace

cudaError_t fill_with_bias(const float* d_b, float* d_y, const Conv2dShape& shape,
                           cudaStream_t stream) {
  // BEGIN SOLUTION(04.6)
  //> // TODO(04.6): launch it.
  //> return cudaSuccess;
  constexpr int kThreads = 256;
  const int pixels = matrix_columns(shape);
  const dim3 grid(static_cast<unsigned>(ceil_div(pixels, kThreads)), shape.m, shape.n);
  fill_with_bias_kernel<<<grid, kThreads, 0, stream>>>(d_b, d_y, shape.m, pixels);
  return cudaGetLastError();
  // END SOLUTION
}

size_t conv2d_gemm_workspace(const Conv2dShape* shape) {
  // BEGIN SOLUTION(04.6)
  //> // TODO(04.6): the bytes of one unrolled image. An int may be too small for it.
  //> CONVKIT_TODO("04.6");
  //> return 0;
  return sizeof(float) * static_cast<size_t>(matrix_rows(*shape)) * matrix_columns(*shape);
  // END SOLUTION
}

cudaError_t conv2d_gemm(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                        const Conv2dShape* shape, void* d_workspace, size_t workspace_bytes,
                        cudaStream_t stream) {
  // BEGIN SOLUTION(04.6)
  //> // TODO(04.6): check the arguments; then unroll and multiply as many images at a time as the
  //> // workspace holds. The last part may have fewer images.
  //> CONVKIT_TODO("04.6");
  //> return cudaSuccess;
  const Conv2dShape& s = *shape;
  if (s.n == 0) return cudaSuccess;
  if (!valid_call(d_x, d_w, d_b, d_y, s) || !d_workspace) return cudaErrorInvalidValue;
  const size_t fitting = workspace_bytes / conv2d_gemm_workspace(shape);
  if (fitting == 0) return cudaErrorInvalidValue;
  const int at_a_time = static_cast<int>(std::min(fitting, static_cast<size_t>(s.n)));

  if (const cudaError_t error = fill_with_bias(d_b, d_y, s, stream)) return error;
  float* d_u = static_cast<float*>(d_workspace);
  const int rows = matrix_rows(s), columns = matrix_columns(s);
  for (int first = 0; first < s.n; first += at_a_time) {
    Conv2dShape part = s;
    part.n = std::min(at_a_time, s.n - first);
    const float* d_images = d_x + int64_t(first) * s.c * s.h * s.w;
    if (const cudaError_t error = unroll_elements(d_images, d_u, &part, stream)) return error;
    GemmBatch product = {d_w, d_u, d_y + int64_t(first) * s.m * columns, s.m, columns, rows};
    product.beta = 1;  // y holds the bias
    product.count = part.n;
    product.b_step = int64_t(rows) * columns;
    product.c_step = int64_t(s.m) * columns;
    if (const cudaError_t error = launch_gemm(product, stream)) return error;
  }
  return cudaSuccess;
  // END SOLUTION
}
