// SPDX-License-Identifier: MIT
// Task 06.1: everything that cuDNN must know about a convolution.
#pragma once

#include "convkit/conv2d_shape.h"
#include "descriptors.cuh"

struct Convolution {
  TensorDescriptor x, y, bias;
  FilterDescriptor w;
  ConvolutionDescriptor conv;
  int output[4];  // n, m, oh, ow, as the library computes them

  // The Nd flow: sizes and modes as arrays, and the output's sizes from the library.
  cudnnStatus_t describe(const Conv2dShape& s) {
    // TODO(06.1): x; w, of m x (c / groups) x kh x kw; conv, with padding, strides and
    // dilation for rows first and columns second, CUDNN_CROSS_CORRELATION, CUDNN_FMA_MATH and
    // the groups. Then `output` from cudnnGetConvolutionNdForwardOutputDim; y and the bias,
    // 1 x m x 1 x 1, last.
    CONVKIT_TODO("06.1");
    return describe_tensor(x, s.n, s.c, s.h, s.w);
  }
};
