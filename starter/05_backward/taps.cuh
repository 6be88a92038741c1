// SPDX-License-Identifier: MIT
// Which output reads which input, along one axis: the formula that all gradients share.
#pragma once

#include "backward.h"
#include "convkit/grid_stride_range.h"

constexpr int kThreads = 256;  // of a block, where nothing asks for another number

// The input that output `out` reads through tap `tap` of the kernel. It may lie in the padding:
// below 0, or at the size of the input or beyond.
constexpr CONVKIT_HOST_DEVICE int input_of(int out, int tap, int stride, int pad, int dilation) {
  return out * stride - pad + tap * dilation;
}

// The other way round: the output that reads input `in` through tap `tap`, or -1 if there is none
// among `outputs` of them.
constexpr CONVKIT_HOST_DEVICE int output_of(int in, int tap, int stride, int pad, int dilation,
                                            int outputs) {
  // TODO(05.1): solve in = out * stride - pad + tap * dilation for out. There is an output only
  // if the division by the stride leaves no remainder, and if the result is from 0 to outputs -
  // 1.
  return -1;
}

// Row-major places: element (a, b, i, j) of a tensor [..][b_size][rows][cols], in 64 bits.
constexpr CONVKIT_HOST_DEVICE int64_t place(int64_t a, int b, int b_size, int i, int rows, int j,
                                            int cols) {
  return ((a * b_size + b) * rows + i) * cols + j;
}
