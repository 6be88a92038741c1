// SPDX-License-Identifier: MIT
// Task 05.5: back through pooling. Both kernels gather: a thread owns an element of dx and looks at
// the windows that hold it.
#include <cuda_runtime.h>

#include "backward.h"
#include "convkit/grid_stride_range.h"

namespace {

constexpr int kPoolThreads = 256;

// First and last window that hold element `at` of an axis.
struct Windows {
  int first, last;
};

__device__ Windows windows_of(int at, int kernel, int stride, int pad, int outputs) {
  const int reach = at + pad - kernel;  // the last element before the first window that holds `at`
  return {reach < 0 ? 0 : reach / stride + 1, min((at + pad) / stride, outputs - 1)};
}

// The part of a window that lies inside the image.
struct Inside {
  int row, row_end, col, col_end;
  __device__ Inside(const Pool2dShape& s, int i, int j) {
    const int top = i * s.stride_h - s.pad_h, left = j * s.stride_w - s.pad_w;
    row = max(top, 0), row_end = min(top + s.kh, s.h);
    col = max(left, 0), col_end = min(left + s.kw, s.w);
  }
};

// Where in the plane the window's first maximum lies, row by row.
__device__ int first_maximum(const float* plane, const Pool2dShape& s, int i, int j) {
  const Inside window(s, i, j);
  int best = window.row * s.w + window.col;
  for (int row = window.row; row < window.row_end; ++row) {
    for (int col = window.col; col < window.col_end; ++col) {
      if (plane[row * s.w + col] > plane[best]) best = row * s.w + col;
    }
  }
  return best;
}

__global__ void max_pool2d_backward_kernel(const float* __restrict__ x,
                                           const float* __restrict__ dy, float* __restrict__ dx,
                                           const Pool2dShape s) {
  const int oh = s.oh(), ow = s.ow();
  for (const int64_t at : grid_stride_range(s.x_size())) {
    const int col = at % s.w, row = at / s.w % s.h;
    const int64_t image = at / s.w / s.h;  // of a channel
    const Windows rows = windows_of(row, s.kh, s.stride_h, s.pad_h, oh);
    const Windows cols = windows_of(col, s.kw, s.stride_w, s.pad_w, ow);
    const float* plane = x + image * s.h * s.w;
    float sum = 0.0f;
    for (int i = rows.first; i <= rows.last; ++i) {
      for (int j = cols.first; j <= cols.last; ++j) {
        if (first_maximum(plane, s, i, j) == row * s.w + col) sum += dy[(image * oh + i) * ow + j];
      }
    }
    dx[at] = sum;
  }
}

__global__ void avg_pool2d_backward_kernel(const float* __restrict__ dy, float* __restrict__ dx,
                                           const Pool2dShape s, bool count_padding) {
  const int oh = s.oh(), ow = s.ow();
  for (const int64_t at : grid_stride_range(s.x_size())) {
    const int col = at % s.w, row = at / s.w % s.h;
    const int64_t image = at / s.w / s.h;
    const Windows rows = windows_of(row, s.kh, s.stride_h, s.pad_h, oh);
    const Windows cols = windows_of(col, s.kw, s.stride_w, s.pad_w, ow);
    float sum = 0.0f;
    for (int i = rows.first; i <= rows.last; ++i) {
      for (int j = cols.first; j <= cols.last; ++j) {
        const Inside window(s, i, j);
        const int count = !count_padding
                              ? s.kh * s.kw
                              : (window.row_end - window.row) * (window.col_end - window.col);
        sum += dy[(image * oh + i) * ow + j] / static_cast<float>(count);
      }
    }
    dx[at] = sum;
  }
}

}  // namespace

cudaError_t max_pool2d_backward(const float* d_x, const float* d_dy, float* d_dx,
                                const Pool2dShape* shape, cudaStream_t stream) {
  max_pool2d_backward_kernel<<<grid_stride_blocks(shape->x_size(), kPoolThreads), kPoolThreads, 0,
                               stream>>>(d_x, d_dy, d_dx, *shape);
  return cudaGetLastError();
}

cudaError_t avg_pool2d_backward(const float* d_dy, float* d_dx, const Pool2dShape* shape,
                                int count_padding, cudaStream_t stream) {
  avg_pool2d_backward_kernel<<<grid_stride_blocks(shape->x_size(), kPoolThreads), kPoolThreads, 0,
                               stream>>>(d_dy, d_dx, *shape, count_padding != 0);
  return cudaGetLastError();
}
