// SPDX-License-Identifier: MIT
// Task 06.1: everything that cuDNN has to be told about a convolution.
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
    const int filters[] = {s.m, s.c / s.groups, s.kh, s.kw};
    CUDNN_TRY(describe_tensor(x, s.n, s.c, s.h, s.w));
    CUDNN_TRY(w.create());
    CUDNN_TRY(cudnnSetFilterNdDescriptor(w.get(), CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, filters));
    CUDNN_TRY(conv.create());
    CUDNN_TRY(cudnnSetConvolution2dDescriptor(conv.get(), s.pad_h, s.pad_w, s.stride_h, s.stride_w,
                                              s.dilation_h, s.dilation_w, CUDNN_CROSS_CORRELATION,
                                              CUDNN_DATA_FLOAT));
    CUDNN_TRY(cudnnSetConvolutionMathType(conv.get(), CUDNN_FMA_MATH));
    CUDNN_TRY(cudnnSetConvolutionGroupCount(conv.get(), s.groups));
    CUDNN_TRY(cudnnGetConvolutionNdForwardOutputDim(conv.get(), x.get(), w.get(), 4, output));
    CUDNN_TRY(describe_tensor(y, output[0], output[1], output[2], output[3]));
    return describe_tensor(bias, 1, s.m, 1, 1);
  }
};
