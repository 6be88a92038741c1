// SPDX-License-Identifier: MIT
// A convolution with bias through cuDNN, for the peers of `bench`: how far a hand-written kernel is
// from a tuned library.
//
// float32 throughout, no tensor cores (CUDNN_FMA_MATH). On the first call with a shape every
// forward algorithm is timed by cuDNN itself, with as much workspace as it asks for, and the
// fastest is kept. The bias is added by a second call, as the plain convolution has none.
#pragma once

#include <cudnn.h>

#include <cstring>
#include <memory>

#include "convkit/conv2d_shape.h"

namespace convkit::peers {

// A failed call leaves a null plan behind.
#define CUDNN_TRY(call) \
  if ((call) != CUDNN_STATUS_SUCCESS) return nullptr

struct Plan {
  Conv2dShape shape{};
  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t x = nullptr, y = nullptr, b = nullptr;
  cudnnFilterDescriptor_t w = nullptr;
  cudnnConvolutionDescriptor_t conv = nullptr;
  cudnnConvolutionFwdAlgo_t algorithm{};
  void* workspace = nullptr;
  size_t workspace_bytes = 0;
};

inline Plan* make_plan(const Conv2dShape& s, int oh, int ow) {
  auto plan = std::make_unique<Plan>();
  plan->shape = s;
  CUDNN_TRY(cudnnCreate(&plan->handle));
  CUDNN_TRY(cudnnCreateTensorDescriptor(&plan->x));
  CUDNN_TRY(cudnnCreateTensorDescriptor(&plan->y));
  CUDNN_TRY(cudnnCreateTensorDescriptor(&plan->b));
  CUDNN_TRY(cudnnCreateFilterDescriptor(&plan->w));
  CUDNN_TRY(cudnnCreateConvolutionDescriptor(&plan->conv));
  CUDNN_TRY(
      cudnnSetTensor4dDescriptor(plan->x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s.n, s.c, s.h, s.w));
  CUDNN_TRY(
      cudnnSetTensor4dDescriptor(plan->y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s.n, s.m, oh, ow));
  CUDNN_TRY(cudnnSetTensor4dDescriptor(plan->b, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, s.m, 1, 1));
  CUDNN_TRY(cudnnSetFilter4dDescriptor(plan->w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, s.m, s.c, s.kh,
                                       s.kw));
  CUDNN_TRY(cudnnSetConvolution2dDescriptor(plan->conv, s.pad_h, s.pad_w, s.stride_h, s.stride_w,
                                            s.dilation_h, s.dilation_w, CUDNN_CROSS_CORRELATION,
                                            CUDNN_DATA_FLOAT));
  CUDNN_TRY(cudnnSetConvolutionMathType(plan->conv, CUDNN_FMA_MATH));
  cudnnConvolutionFwdAlgoPerf_t found[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
  int count = 0;
  CUDNN_TRY(cudnnFindConvolutionForwardAlgorithm(plan->handle, plan->x, plan->w, plan->conv,
                                                 plan->y, CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &count,
                                                 found));
  for (int i = 0; i < count; ++i) {  // the fastest first
    if (found[i].status != CUDNN_STATUS_SUCCESS || found[i].mathType != CUDNN_FMA_MATH) continue;
    plan->algorithm = found[i].algo;
    plan->workspace_bytes = found[i].memory;
    if (cudaMalloc(&plan->workspace, found[i].memory) != cudaSuccess) continue;
    return plan.release();
  }
  return nullptr;
}

#undef CUDNN_TRY

// What the entry points of stages 02 and 03 do.
inline cudaError_t convolve(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream) {
  static Plan* plan = nullptr;  // of the shape before, which is nearly always the same
  if (!plan || std::memcmp(&plan->shape, shape, sizeof *shape) != 0) {
    plan = make_plan(*shape, shape->oh(), shape->ow());
  }
  if (!plan) return cudaErrorNotSupported;
  const float one = 1, zero = 0;
  bool good = cudnnSetStream(plan->handle, stream) == CUDNN_STATUS_SUCCESS;
  good = good && cudnnConvolutionForward(plan->handle, &one, plan->x, d_x, plan->w, d_w, plan->conv,
                                         plan->algorithm, plan->workspace, plan->workspace_bytes,
                                         &zero, plan->y, d_y) == CUDNN_STATUS_SUCCESS;
  good = good && cudnnAddTensor(plan->handle, &one, plan->b, d_b, &one, plan->y, d_y) ==
                     CUDNN_STATUS_SUCCESS;
  return good ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace convkit::peers
