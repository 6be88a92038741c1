// SPDX-License-Identifier: MIT
// conv2d_xgrad_gemm and conv2d_wgrad_gemm through cuDNN: how far hand-written kernels are from a
// tuned library.
//
// float32 throughout, no tensor cores (CUDNN_FMA_MATH). On the first call with a shape every
// algorithm is timed by cuDNN itself, with as much workspace as it asks for, and the fastest is
// kept. Link with -lcudnn.
#include <cudnn.h>

#include <cstring>
#include <memory>

#include "backward.h"

namespace {

// A failed call leaves a null plan behind.
#define CUDNN_TRY(call) \
  if ((call) != CUDNN_STATUS_SUCCESS) return nullptr

struct Plan {
  Conv2dShape shape{};
  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t x = nullptr, y = nullptr;
  cudnnFilterDescriptor_t w = nullptr;
  cudnnConvolutionDescriptor_t conv = nullptr;
  cudnnConvolutionBwdDataAlgo_t for_data{};
  cudnnConvolutionBwdFilterAlgo_t for_filter{};
  void* workspace = nullptr;
  size_t workspace_bytes = 0;
};

std::unique_ptr<Plan> describe(const Conv2dShape& s) {
  auto plan = std::make_unique<Plan>();
  plan->shape = s;
  CUDNN_TRY(cudnnCreate(&plan->handle));
  CUDNN_TRY(cudnnCreateTensorDescriptor(&plan->x));
  CUDNN_TRY(cudnnCreateTensorDescriptor(&plan->y));
  CUDNN_TRY(cudnnCreateFilterDescriptor(&plan->w));
  CUDNN_TRY(cudnnCreateConvolutionDescriptor(&plan->conv));
  CUDNN_TRY(
      cudnnSetTensor4dDescriptor(plan->x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s.n, s.c, s.h, s.w));
  CUDNN_TRY(cudnnSetTensor4dDescriptor(plan->y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s.n, s.m,
                                       s.oh(), s.ow()));
  CUDNN_TRY(cudnnSetFilter4dDescriptor(plan->w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, s.m, s.c, s.kh,
                                       s.kw));
  CUDNN_TRY(cudnnSetConvolution2dDescriptor(plan->conv, s.pad_h, s.pad_w, s.stride_h, s.stride_w,
                                            s.dilation_h, s.dilation_w, CUDNN_CROSS_CORRELATION,
                                            CUDNN_DATA_FLOAT));
  CUDNN_TRY(cudnnSetConvolutionMathType(plan->conv, CUDNN_FMA_MATH));
  return plan;
}

// The fastest of those that cuDNN found and whose workspace can be had; they come sorted by time.
template <class Found, class Algorithm>
Plan* choose(std::unique_ptr<Plan> plan, const Found* found, int count, Algorithm Plan::*kept) {
  for (int i = 0; i < count; ++i) {
    if (found[i].status != CUDNN_STATUS_SUCCESS || found[i].mathType != CUDNN_FMA_MATH) continue;
    plan.get()->*kept = found[i].algo;
    plan->workspace_bytes = found[i].memory;
    if (cudaMalloc(&plan->workspace, found[i].memory) != cudaSuccess) continue;
    return plan.release();
  }
  return nullptr;
}

Plan* plan_for_data(const Conv2dShape& s) {
  auto plan = describe(s);
  if (!plan) return nullptr;
  cudnnConvolutionBwdDataAlgoPerf_t found[CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT];
  int count = 0;
  CUDNN_TRY(cudnnFindConvolutionBackwardDataAlgorithm(
      plan->handle, plan->w, plan->y, plan->conv, plan->x, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT,
      &count, found));
  return choose(std::move(plan), found, count, &Plan::for_data);
}

Plan* plan_for_filter(const Conv2dShape& s) {
  auto plan = describe(s);
  if (!plan) return nullptr;
  cudnnConvolutionBwdFilterAlgoPerf_t found[CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT];
  int count = 0;
  CUDNN_TRY(cudnnFindConvolutionBackwardFilterAlgorithm(
      plan->handle, plan->x, plan->y, plan->conv, plan->w, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT,
      &count, found));
  return choose(std::move(plan), found, count, &Plan::for_filter);
}

#undef CUDNN_TRY

// The plan of the shape before, which is nearly always the same.
template <class Make>
Plan* cached(Plan*& plan, const Conv2dShape& shape, Make make) {
  if (!plan || std::memcmp(&plan->shape, &shape, sizeof shape) != 0) plan = make(shape);
  return plan;
}

}  // namespace

extern "C" size_t conv2d_xgrad_gemm_workspace(const Conv2dShape*) {
  return 0;
}

extern "C" cudaError_t conv2d_xgrad_gemm(const float* d_dy, const float* d_w, float* d_dx,
                                         const Conv2dShape* shape, int accumulate, void*, size_t,
                                         cudaStream_t stream) {
  static Plan* kept = nullptr;
  Plan* plan = cached(kept, *shape, plan_for_data);
  if (!plan) return cudaErrorNotSupported;
  const float one = 1, beta = accumulate ? 1 : 0;
  bool good = cudnnSetStream(plan->handle, stream) == CUDNN_STATUS_SUCCESS;
  good = good &&
         cudnnConvolutionBackwardData(plan->handle, &one, plan->w, d_w, plan->y, d_dy, plan->conv,
                                      plan->for_data, plan->workspace, plan->workspace_bytes, &beta,
                                      plan->x, d_dx) == CUDNN_STATUS_SUCCESS;
  return good ? cudaSuccess : cudaErrorUnknown;
}

extern "C" size_t conv2d_wgrad_gemm_workspace(const Conv2dShape*) {
  return 0;
}

extern "C" cudaError_t conv2d_wgrad_gemm(const float* d_x, const float* d_dy, float* d_dw,
                                         const Conv2dShape* shape, int accumulate, void*, size_t,
                                         cudaStream_t stream) {
  static Plan* kept = nullptr;
  Plan* plan = cached(kept, *shape, plan_for_filter);
  if (!plan) return cudaErrorNotSupported;
  const float one = 1, beta = accumulate ? 1 : 0;
  bool good = cudnnSetStream(plan->handle, stream) == CUDNN_STATUS_SUCCESS;
  good = good &&
         cudnnConvolutionBackwardFilter(plan->handle, &one, plan->x, d_x, plan->y, d_dy, plan->conv,
                                        plan->for_filter, plan->workspace, plan->workspace_bytes,
                                        &beta, plan->w, d_dw) == CUDNN_STATUS_SUCCESS;
  return good ? cudaSuccess : cudaErrorUnknown;
}
