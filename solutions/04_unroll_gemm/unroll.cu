// SPDX-License-Identifier: MIT
// Task 04.1: the unrolled matrix, with two ways to divide the work among threads. In both,
// neighbouring threads take neighbouring columns: their stores fill whole lines of memory.
#include "unroll_index.cuh"

namespace {

// BEGIN SOLUTION(04.1)
//> // TODO(04.1): both kernels go here.
constexpr int kThreads = 256;

// One element per thread: columns along x, rows along y, images along z of the grid.
__global__ void unroll_elements_kernel(const float* __restrict__ x, float* __restrict__ u,
                                       const Conv2dShape s) {
  const int column = blockIdx.x * kThreads + threadIdx.x;
  const int row = blockIdx.y, image = blockIdx.z;
  if (column >= matrix_columns(s)) return;
  const int i = column / s.ow(), j = column % s.ow();
  const int q = row % s.kw, p = row / s.kw % s.kh, ch = row / (s.kw * s.kh);
  const float* channel = x + (int64_t(image) * s.c + ch) * s.h * s.w;
  u[matrix_offset(s, image, row, column)] =
      padded(channel, s, i * s.stride_h + p * s.dilation_h - s.pad_h,
             j * s.stride_w + q * s.dilation_w - s.pad_w);
}

// One column per thread, then the column that lies a whole grid further on. The divisions that find
// the output are done once for all rows of its column.
__global__ void unroll_columns_kernel(const float* __restrict__ x, float* __restrict__ u,
                                      const Conv2dShape s) {
  const int columns = matrix_columns(s);
  const int64_t all = int64_t(s.n) * columns, step = int64_t(gridDim.x) * kThreads;
  for (int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x; at < all; at += step) {
    const int64_t image = at / columns;
    const int column = static_cast<int>(at % columns);
    const int first_row = column / s.ow() * s.stride_h - s.pad_h;
    const int first_col = column % s.ow() * s.stride_w - s.pad_w;
    const float* channel = x + image * s.c * s.h * s.w;
    float* element = u + matrix_offset(s, image, 0, column);
    for (int ch = 0; ch < s.c; ++ch, channel += int64_t(s.h) * s.w) {
      for (int p = 0; p < s.kh; ++p) {
        for (int q = 0; q < s.kw; ++q, element += columns) {
          *element = padded(channel, s, first_row + p * s.dilation_h, first_col + q * s.dilation_w);
        }
      }
    }
  }
}
// END SOLUTION

}  // namespace

int64_t unroll_offset(const Conv2dShape* shape, int64_t image, int64_t row, int64_t column) {
  // BEGIN SOLUTION(04.1)
  //> // TODO(04.1): unroll_index.cuh.
  //> CONVKIT_TODO("04.1");
  //> return 0;
  return matrix_offset(*shape, image, row, column);
  // END SOLUTION
}

cudaError_t unroll_elements(const float* d_x, float* d_u, const Conv2dShape* shape,
                            cudaStream_t stream) {
  // BEGIN SOLUTION(04.1)
  //> // TODO(04.1): launch a thread for each element of u on `stream`.
  //> CONVKIT_TODO("04.1");
  //> return cudaSuccess;
  const dim3 grid(static_cast<unsigned>(ceil_div(matrix_columns(*shape), kThreads)),
                  matrix_rows(*shape), shape->n);
  unroll_elements_kernel<<<grid, kThreads, 0, stream>>>(d_x, d_u, *shape);
  return cudaGetLastError();
  // END SOLUTION
}

cudaError_t unroll_columns(const float* d_x, float* d_u, const Conv2dShape* shape,
                           cudaStream_t stream) {
  // BEGIN SOLUTION(04.1)
  //> // TODO(04.1): launch a thread for each column of u; some hundred blocks are enough for any
  //> // number of them.
  //> CONVKIT_TODO("04.1");
  //> return cudaSuccess;
  constexpr int64_t kMostBlocks = 2048;  // more than any GPU runs at a time
  const int64_t blocks = ceil_div(int64_t(shape->n) * matrix_columns(*shape), kThreads);
  unroll_columns_kernel<<<static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks),
                          kThreads, 0, stream>>>(d_x, d_u, *shape);
  return cudaGetLastError();
  // END SOLUTION
}
