// SPDX-License-Identifier: MIT
// The geometry of the unrolled matrix, for host and device.
#pragma once

#include "unroll_gemm.h"

// How many parts of `part` elements cover `size`: the quotient, rounded up.
constexpr CONVKIT_HOST_DEVICE int64_t ceil_div(int64_t size, int64_t part) {
  return (size + part - 1) / part;
}

// The matrix of one image has a row for each place of the window and a column for each output.
constexpr CONVKIT_HOST_DEVICE int matrix_rows(const Conv2dShape& s) {
  return s.c * s.kh * s.kw;
}
constexpr CONVKIT_HOST_DEVICE int matrix_columns(const Conv2dShape& s) {
  return s.oh() * s.ow();
}

// Where u[image][row][column] lies, in elements from the beginning of u.
constexpr CONVKIT_HOST_DEVICE int64_t matrix_offset(const Conv2dShape& s, int64_t image,
                                                    int64_t row, int64_t column) {
  // TODO(04.1): a row has matrix_columns(s) elements, a matrix has matrix_rows(s) rows; use 64
  // bits.
  return 0;
}

// An element of one channel [h][w]; zero in the padding, which is not stored.
inline __device__ float padded(const float* channel, const Conv2dShape& s, int row, int col) {
  const bool inside = row >= 0 && row < s.h && col >= 0 && col < s.w;
  return inside ? channel[row * s.w + col] : 0.0f;
}
