// SPDX-License-Identifier: MIT
// Task 04.2: rolling, from matrices to images. Unrolling copies an element of x to many places of
// u; its adjoint adds the values of these places.
#include "unroll_index.cuh"

namespace {

// BEGIN SOLUTION(04.2)
//> // TODO(04.2): both kernels go here.
constexpr int kThreads = 256;

// Scatter: a thread for each element of u, as in unroll_elements, with the copy reversed. Several
// threads add to one element of x.
__global__ void roll_scatter_kernel(const float* __restrict__ u, float* __restrict__ x,
                                    const Conv2dShape s) {
  const int column = blockIdx.x * kThreads + threadIdx.x;
  const int row = blockIdx.y, image = blockIdx.z;
  if (column >= matrix_columns(s)) return;
  const int q = row % s.kw, p = row / s.kw % s.kh, ch = row / (s.kw * s.kh);
  const int x_row = column / s.ow() * s.stride_h + p * s.dilation_h - s.pad_h;
  const int x_col = column % s.ow() * s.stride_w + q * s.dilation_w - s.pad_w;
  if (x_row < 0 || x_row >= s.h || x_col < 0 || x_col >= s.w) return;  // nobody stores the padding
  float* channel = x + (int64_t(image) * s.c + ch) * s.h * s.w;
  atomicAdd(&channel[x_row * s.w + x_col], u[matrix_offset(s, image, row, column)]);
}

// Gather: a thread for each element of x. Which windows contain it, and at which place? The window
// of output i has its p-th row at i * stride + p * dilation - pad; solved for i, this must leave no
// remainder, and i must be an output.
__global__ void roll_gather_kernel(const float* __restrict__ u, float* __restrict__ x,
                                   const Conv2dShape s) {
  const int pixel = blockIdx.x * kThreads + threadIdx.x;
  const int ch = blockIdx.y, image = blockIdx.z;
  if (pixel >= s.h * s.w) return;
  const int x_row = pixel / s.w, x_col = pixel % s.w;
  float sum = 0;
  for (int p = 0; p < s.kh; ++p) {
    const int down = x_row + s.pad_h - p * s.dilation_h, i = down / s.stride_h;
    if (down < 0 || down % s.stride_h != 0 || i >= s.oh()) continue;
    for (int q = 0; q < s.kw; ++q) {
      const int across = x_col + s.pad_w - q * s.dilation_w, j = across / s.stride_w;
      if (across < 0 || across % s.stride_w != 0 || j >= s.ow()) continue;
      sum += u[matrix_offset(s, image, (ch * s.kh + p) * s.kw + q, i * s.ow() + j)];
    }
  }
  x[(int64_t(image) * s.c + ch) * s.h * s.w + pixel] = sum;
}
// END SOLUTION

}  // namespace

cudaError_t roll_scatter(const float* d_u, float* d_x, const Conv2dShape* shape,
                         cudaStream_t stream) {
  // BEGIN SOLUTION(04.2)
  //> // TODO(04.2): d_x is not initialised: set it to zero first, on `stream`.
  //> CONVKIT_TODO("04.2");
  //> return cudaSuccess;
  const size_t bytes = sizeof(float) * shape->x_size();
  if (const cudaError_t error = cudaMemsetAsync(d_x, 0, bytes, stream)) return error;
  const dim3 grid(static_cast<unsigned>(ceil_div(matrix_columns(*shape), kThreads)),
                  matrix_rows(*shape), shape->n);
  roll_scatter_kernel<<<grid, kThreads, 0, stream>>>(d_u, d_x, *shape);
  return cudaGetLastError();
  // END SOLUTION
}

cudaError_t roll_gather(const float* d_u, float* d_x, const Conv2dShape* shape,
                        cudaStream_t stream) {
  // BEGIN SOLUTION(04.2)
  //> // TODO(04.2): launch a thread for each element of x.
  //> CONVKIT_TODO("04.2");
  //> return cudaSuccess;
  const dim3 grid(static_cast<unsigned>(ceil_div(int64_t(shape->h) * shape->w, kThreads)), shape->c,
                  shape->n);
  roll_gather_kernel<<<grid, kThreads, 0, stream>>>(d_u, d_x, *shape);
  return cudaGetLastError();
  // END SOLUTION
}
