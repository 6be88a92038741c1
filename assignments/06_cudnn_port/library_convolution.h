// SPDX-License-Identifier: MIT
// A convolution in the harness's own descriptors: the library's answers about it, to compare with a
// submission's. Only in the harness.
#pragma once

#include <cudnn.h>

#include <algorithm>
#include <string>
#include <vector>

#include "convkit/conv2d_shape.h"
#include "runner/cudnn_calls.h"

namespace convkit::harness {

// What `bytes` of a query holds before the call: no workspace of a test has this size, and no
// device so much memory, so that a function that reads it, or writes nothing, is found.
inline constexpr size_t kBytesBefore = 987'654'321'000;

// What is wrong with the bytes after a query that was a success, to follow the function's name; "".
inline std::string wrong_bytes(size_t bytes) {
  const std::string before = " Before the call it held " + std::to_string(kBytesBefore) + ".";
  if (bytes == kBytesBefore) return "returned a success and did not write to `bytes`." + before;
  if (bytes < kBytesBefore / 2) return "";
  return "returned a success, and `bytes` is " + std::to_string(bytes) + "." + before +
         " What it holds before means nothing: do not read it, and do not add to it.";
}

using Algorithm = cudnnConvolutionFwdAlgo_t;
inline constexpr int kAlgorithms = CUDNN_CONVOLUTION_FWD_ALGO_COUNT;

class LibraryConvolution {
 public:
  explicit LibraryConvolution(const Conv2dShape& s) {
    must_cudnn(cudnnCreateTensorDescriptor(&x_), "cudnnCreateTensorDescriptor");
    must_cudnn(cudnnCreateTensorDescriptor(&y_), "cudnnCreateTensorDescriptor");
    must_cudnn(cudnnCreateFilterDescriptor(&w_), "cudnnCreateFilterDescriptor");
    must_cudnn(cudnnCreateConvolutionDescriptor(&conv_), "cudnnCreateConvolutionDescriptor");
    must_cudnn(
        cudnnSetTensor4dDescriptor(x_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s.n, s.c, s.h, s.w),
        "cudnnSetTensor4dDescriptor");
    must_cudnn(cudnnSetTensor4dDescriptor(y_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s.n, s.m, s.oh(),
                                          s.ow()),
               "cudnnSetTensor4dDescriptor");
    must_cudnn(cudnnSetFilter4dDescriptor(w_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, s.m,
                                          s.c / s.groups, s.kh, s.kw),
               "cudnnSetFilter4dDescriptor");
    must_cudnn(cudnnSetConvolution2dDescriptor(conv_, s.pad_h, s.pad_w, s.stride_h, s.stride_w,
                                               s.dilation_h, s.dilation_w, CUDNN_CROSS_CORRELATION,
                                               CUDNN_DATA_FLOAT),
               "cudnnSetConvolution2dDescriptor");
    must_cudnn(cudnnSetConvolutionMathType(conv_, CUDNN_FMA_MATH), "cudnnSetConvolutionMathType");
    must_cudnn(cudnnSetConvolutionGroupCount(conv_, s.groups), "cudnnSetConvolutionGroupCount");
  }
  ~LibraryConvolution() {
    cudnnDestroyConvolutionDescriptor(conv_);
    cudnnDestroyFilterDescriptor(w_);
    cudnnDestroyTensorDescriptor(y_);
    cudnnDestroyTensorDescriptor(x_);
  }
  LibraryConvolution(const LibraryConvolution&) = delete;
  LibraryConvolution& operator=(const LibraryConvolution&) = delete;

  cudnnStatus_t workspace(Algorithm algo, size_t* bytes) const {
    *bytes = 0;
    return cudnnGetConvolutionForwardWorkspaceSize(cudnn_handle(), x_, w_, conv_, y_, algo, bytes);
  }

  cudnnStatus_t workspace(cudnnConvolutionBwdDataAlgo_t algo, size_t* bytes) const {
    *bytes = 0;
    return cudnnGetConvolutionBackwardDataWorkspaceSize(cudnn_handle(), w_, y_, conv_, x_, algo,
                                                        bytes);
  }
  cudnnStatus_t workspace(cudnnConvolutionBwdFilterAlgo_t algo, size_t* bytes) const {
    *bytes = 0;
    return cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnn_handle(), x_, y_, conv_, w_, algo,
                                                          bytes);
  }

  // The workspace of the forward algorithm that needs most.
  size_t largest_workspace() const {
    size_t most = 0;
    for (int algo = 0; algo < kAlgorithms; ++algo) {
      size_t bytes = 0;
      if (workspace(Algorithm(algo), &bytes) == CUDNN_STATUS_SUCCESS) most = std::max(most, bytes);
    }
    return most;
  }

  cudnnStatus_t run(Algorithm algo, const float* x, const float* w, float* y, void* memory,
                    size_t bytes, cudaStream_t stream) const {
    const float one = 1.0f, zero = 0.0f;
    must_cudnn(cudnnSetStream(cudnn_handle(), stream), "cudnnSetStream");
    return cudnnConvolutionForward(cudnn_handle(), &one, x_, x, w_, w, conv_, algo, memory, bytes,
                                   &zero, y_, y);
  }

  // The heuristic's list: what works, without tensor cores.
  std::vector<cudnnConvolutionFwdAlgoPerf_t> listed() const {
    int most = 0, count = 0;
    must_cudnn(cudnnGetConvolutionForwardAlgorithmMaxCount(cudnn_handle(), &most),
               "cudnnGetConvolutionForwardAlgorithmMaxCount");
    std::vector<cudnnConvolutionFwdAlgoPerf_t> found(static_cast<size_t>(most));
    must_cudnn(cudnnGetConvolutionForwardAlgorithm_v7(cudnn_handle(), x_, w_, conv_, y_, most,
                                                      &count, found.data()),
               "cudnnGetConvolutionForwardAlgorithm_v7");
    found.resize(static_cast<size_t>(count));
    const auto useless = [](const cudnnConvolutionFwdAlgoPerf_t& each) {
      return each.status != CUDNN_STATUS_SUCCESS || each.mathType != CUDNN_FMA_MATH;
    };
    found.erase(std::remove_if(found.begin(), found.end(), useless), found.end());
    return found;
  }

  // The first of them in so much memory.
  Algorithm first_within(size_t bytes) const {
    for (const auto& each : listed()) {
      if (each.memory <= bytes) return each.algo;
    }
    return CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
  }

  // As many bytes as the first of them needs that needs any.
  size_t first_workspace() const {
    for (const auto& each : listed()) {
      if (each.memory > 0) return each.memory;
    }
    return 0;
  }

 private:
  cudnnTensorDescriptor_t x_ = nullptr, y_ = nullptr;
  cudnnFilterDescriptor_t w_ = nullptr;
  cudnnConvolutionDescriptor_t conv_ = nullptr;
};

}  // namespace convkit::harness
