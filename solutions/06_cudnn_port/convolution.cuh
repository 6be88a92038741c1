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
    // BEGIN SOLUTION(06.1)
    //> // TODO(06.1): x; w, of m x (c / groups) x kh x kw; conv, with padding, strides and
    //> // dilation for rows first and columns second, CUDNN_CROSS_CORRELATION, CUDNN_FMA_MATH and
    //> // the groups. Then `output` from cudnnGetConvolutionNdForwardOutputDim; y and the bias,
    //> // 1 x m x 1 x 1, last.
    //> CONVKIT_TODO("06.1");
    //> return describe_tensor(x, s.n, s.c, s.h, s.w);
    const int pad[] = {s.pad_h, s.pad_w};
    const int stride[] = {s.stride_h, s.stride_w};
    const int dilation[] = {s.dilation_h, s.dilation_w};
    const int filters[] = {s.m, s.c / s.groups, s.kh, s.kw};
    CUDNN_TRY(describe_tensor(x, s.n, s.c, s.h, s.w));
    CUDNN_TRY(w.create());
    CUDNN_TRY(cudnnSetFilterNdDescriptor(w.get(), CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, filters));
    CUDNN_TRY(conv.create());
    CUDNN_TRY(cudnnSetConvolutionNdDescriptor(conv.get(), 2, pad, stride, dilation,
                                              CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CUDNN_TRY(cudnnSetConvolutionMathType(conv.get(), CUDNN_FMA_MATH));
    CUDNN_TRY(cudnnSetConvolutionGroupCount(conv.get(), s.groups));
    CUDNN_TRY(cudnnGetConvolutionNdForwardOutputDim(conv.get(), x.get(), w.get(), 4, output));
    CUDNN_TRY(describe_tensor(y, output[0], output[1], output[2], output[3]));
    return describe_tensor(bias, 1, s.m, 1, 1);
    // END SOLUTION
  }
};
