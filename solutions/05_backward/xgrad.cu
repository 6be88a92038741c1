// SPDX-License-Identifier: MIT
// Task 05.1: dE/dx, directly, in two ways. Gather: each element of dx collects what belongs to it.
// Scatter: each element of dy sends its parts to where they belong.
#include "arguments.cuh"
#include "taps.cuh"

namespace {

// BEGIN SOLUTION(05.1)
//> // TODO(05.1): two kernels go here. In the first a thread loops over the outputs that read its
//> // element of x; in the second over the inputs that its element of y was computed from.
// No other thread writes an element, so no atomics; every element is written, so nothing is
// cleared.
__global__ void xgrad_gather_kernel(const float* __restrict__ dy, const float* __restrict__ w,
                                    float* __restrict__ dx, const Conv2dShape s, bool accumulate) {
  const int oh = s.oh(), ow = s.ow();
  for (const int64_t at : grid_stride_range(s.x_size())) {
    const int col = at % s.w, row = at / s.w % s.h, c = at / s.w / s.h % s.c;
    const int64_t n = at / s.w / s.h / s.c;
    float sum = accumulate ? dx[at] : 0.0f;
    for (int p = 0; p < s.kh; ++p) {
      const int i = output_of(row, p, s.stride_h, s.pad_h, s.dilation_h, oh);
      if (i < 0) continue;
      for (int q = 0; q < s.kw; ++q) {
        const int j = output_of(col, q, s.stride_w, s.pad_w, s.dilation_w, ow);
        if (j < 0) continue;
        for (int m = 0; m < s.m; ++m) {
          sum += dy[place(n, m, s.m, i, oh, j, ow)] * w[place(m, c, s.c, p, s.kh, q, s.kw)];
        }
      }
    }
    dx[at] = sum;
  }
}

// The windows of neighbouring outputs overlap: several threads add to one element, so they use
// atomics.
__global__ void xgrad_scatter_kernel(const float* __restrict__ dy, const float* __restrict__ w,
                                     float* __restrict__ dx, const Conv2dShape s) {
  const int oh = s.oh(), ow = s.ow();
  for (const int64_t at : grid_stride_range(s.y_size())) {
    const int j = at % ow, i = at / ow % oh, m = at / ow / oh % s.m;
    const int64_t n = at / ow / oh / s.m;
    const float gradient = dy[at];
    for (int p = 0; p < s.kh; ++p) {
      const int row = input_of(i, p, s.stride_h, s.pad_h, s.dilation_h);
      if (row < 0 || row >= s.h) continue;  // the padding gets no gradient
      for (int q = 0; q < s.kw; ++q) {
        const int col = input_of(j, q, s.stride_w, s.pad_w, s.dilation_w);
        if (col < 0 || col >= s.w) continue;
        for (int c = 0; c < s.c; ++c) {
          atomicAdd(&dx[place(n, c, s.c, row, s.h, col, s.w)],
                    gradient * w[place(m, c, s.c, p, s.kh, q, s.kw)]);
        }
      }
    }
  }
}
// END SOLUTION

}  // namespace

cudaError_t conv2d_xgrad_gather(const float* d_dy, const float* d_w, float* d_dx,
                                const Conv2dShape* shape, int accumulate, cudaStream_t stream) {
  // BEGIN SOLUTION(05.1)
  //> // TODO(05.1): check the arguments as below, launch the first kernel, return its error.
  //> //   check_arguments({{d_dy, shape->y_size()}, {d_w, shape->w_size()}, {d_dx, ...}}, *shape)
  //> CONVKIT_TODO("05.1");
  //> return cudaSuccess;
  const Conv2dShape& s = *shape;
  const cudaError_t bad =
      check_arguments({{d_dy, s.y_size()}, {d_w, s.w_size()}, {d_dx, s.x_size()}}, s);
  if (bad != cudaSuccess) return bad;
  xgrad_gather_kernel<<<grid_stride_blocks(s.x_size(), kThreads), kThreads, 0, stream>>>(
      d_dy, d_w, d_dx, s, accumulate != 0);
  return cudaGetLastError();
  // END SOLUTION
}

cudaError_t conv2d_xgrad_scatter(const float* d_dy, const float* d_w, float* d_dx,
                                 const Conv2dShape* shape, int accumulate, cudaStream_t stream) {
  // BEGIN SOLUTION(05.1)
  //> // TODO(05.1): the same with the second kernel. What does dx hold before the first addition?
  //> CONVKIT_TODO("05.1");
  //> return cudaSuccess;
  const Conv2dShape& s = *shape;
  const cudaError_t bad =
      check_arguments({{d_dy, s.y_size()}, {d_w, s.w_size()}, {d_dx, s.x_size()}}, s);
  if (bad != cudaSuccess) return bad;
  if (!accumulate) {
    const cudaError_t error = cudaMemsetAsync(d_dx, 0, sizeof(float) * s.x_size(), stream);
    if (error != cudaSuccess) return error;
  }
  xgrad_scatter_kernel<<<grid_stride_blocks(s.y_size(), kThreads), kThreads, 0, stream>>>(d_dy, d_w,
                                                                                          d_dx, s);
  return cudaGetLastError();
  // END SOLUTION
}
