// SPDX-License-Identifier: MIT
// The common part of the peers of `bench` that use cuDNN. They show how far a hand-written kernel
// is from a tuned library.
//
// float32 throughout, no tensor cores (CUDNN_FMA_MATH). On the first call with a shape every
// algorithm that cuDNN finds runs several times on the caller's tensors, with as much workspace as
// it asks for, and the fastest is kept. cuDNN's own Find times each of them once, which has been
// seen to choose one that takes twice as long as the best.
#pragma once

#include <cudnn.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "convkit/conv2d_shape.h"

namespace convkit::peers {

// Owns a handle, and what cuDNN has to know of a shape: NCHW tensors x, y and bias, the filters,
// and the convolution.
class Description {
 public:
  explicit Description(const Conv2dShape& s) : shape(s) {
    const auto tensor = [&](cudnnTensorDescriptor_t& made, int n, int c, int h, int w) {
      take(cudnnCreateTensorDescriptor(&made));
      take(cudnnSetTensor4dDescriptor(made, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
    };
    take(cudnnCreate(&handle));
    tensor(x, s.n, s.c, s.h, s.w);
    tensor(y, s.n, s.m, s.oh(), s.ow());
    tensor(bias, 1, s.m, 1, 1);
    take(cudnnCreateFilterDescriptor(&filters));
    take(cudnnSetFilter4dDescriptor(filters, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, s.m,
                                    s.c / s.groups, s.kh, s.kw));
    take(cudnnCreateConvolutionDescriptor(&conv));
    take(cudnnSetConvolution2dDescriptor(conv, s.pad_h, s.pad_w, s.stride_h, s.stride_w,
                                         s.dilation_h, s.dilation_w, CUDNN_CROSS_CORRELATION,
                                         CUDNN_DATA_FLOAT));
    take(cudnnSetConvolutionGroupCount(conv, s.groups));
    take(cudnnSetConvolutionMathType(conv, CUDNN_FMA_MATH));
    take(cudnnCreateActivationDescriptor(&identity));
    take(cudnnSetActivationDescriptor(identity, CUDNN_ACTIVATION_IDENTITY, CUDNN_NOT_PROPAGATE_NAN,
                                      0.0));
  }
  ~Description() {
    cudnnDestroyActivationDescriptor(identity);
    cudnnDestroyConvolutionDescriptor(conv);
    cudnnDestroyFilterDescriptor(filters);
    for (cudnnTensorDescriptor_t tensor : {x, y, bias}) cudnnDestroyTensorDescriptor(tensor);
    cudnnDestroy(handle);
  }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;

  bool valid() const { return status_ == CUDNN_STATUS_SUCCESS; }

  Conv2dShape shape;
  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t x = nullptr, y = nullptr, bias = nullptr;
  cudnnFilterDescriptor_t filters = nullptr;
  cudnnConvolutionDescriptor_t conv = nullptr;
  cudnnActivationDescriptor_t identity = nullptr;

 private:
  void take(cudnnStatus_t status) {
    if (valid()) status_ = status;
  }
  cudnnStatus_t status_ = CUDNN_STATUS_SUCCESS;
};

// One way to compute it, with its workspace.
template <class Algorithm>
struct Way {
  Algorithm algorithm{};
  size_t bytes = 0;
  bool bias_fused = false;  // one call for convolution and bias
  void* workspace = nullptr;
};

// The ways that a Find of cuDNN lists and that compute in float32.
template <class Algorithm, class Found>
std::vector<Way<Algorithm>> usable(const Found* found, int count) {
  std::vector<Way<Algorithm>> ways;
  for (int i = 0; i < count; ++i) {
    if (found[i].status != CUDNN_STATUS_SUCCESS || found[i].mathType != CUDNN_FMA_MATH) continue;
    ways.push_back({found[i].algo, found[i].memory});
  }
  return ways;
}

// Milliseconds a call of `call() -> cudnnStatus_t` on `stream`: the least of three rounds of about
// 2 ms, after calls that warm up. Infinite where a call fails.
template <class Call>
float milliseconds(cudaStream_t stream, Call call) {
  constexpr float kNever = std::numeric_limits<float>::infinity();
  cudaEvent_t begin = nullptr, end = nullptr;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  const auto timed = [&](int calls) {
    bool good = cudaEventRecord(begin, stream) == cudaSuccess;
    for (int i = 0; i < calls && good; ++i) good = call() == CUDNN_STATUS_SUCCESS;
    good = good && cudaEventRecord(end, stream) == cudaSuccess;
    good = good && cudaEventSynchronize(end) == cudaSuccess;
    float ms = kNever;
    return good && cudaEventElapsedTime(&ms, begin, end) == cudaSuccess ? ms / calls : kNever;
  };
  float best = timed(1);  // loads kernels
  if (best != kNever) best = timed(1);
  if (best != kNever) {
    const int calls = std::clamp(static_cast<int>(2.0f / std::max(best, 1e-3f)), 3, 50);
    best = kNever;
    for (int round = 0; round < 3; ++round) best = std::min(best, timed(calls));
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return best;
}

// A shape's description and the fastest way to compute it.
template <class Algorithm>
struct Plan {
  explicit Plan(const Conv2dShape& shape) : description(shape) {}
  ~Plan() { cudaFree(way.workspace); }

  // Times `run(way) -> cudnnStatus_t` and keeps the fastest. False where there is none.
  template <class Run>
  bool choose(const std::vector<Way<Algorithm>>& ways, cudaStream_t stream, Run run) {
    float best = std::numeric_limits<float>::infinity();
    for (Way<Algorithm> candidate : ways) {
      if (cudaMalloc(&candidate.workspace, candidate.bytes) != cudaSuccess) {
        cudaGetLastError();  // the caller's launches did not fail
        continue;
      }
      const float ms = milliseconds(stream, [&] { return run(candidate); });
      if (ms < best) {
        best = ms;
        std::swap(way, candidate);
      }
      cudaFree(candidate.workspace);
    }
    return best != std::numeric_limits<float>::infinity();
  }

  Description description;
  Way<Algorithm> way;
};

// The plan of the call before where its shape is the same, which it nearly always is; else a new
// one, completed by `choose(plan) -> bool`. Null where cuDNN refuses.
template <class Algorithm, class Choose>
Plan<Algorithm>* plan_for(const Conv2dShape& shape, cudaStream_t stream, Choose choose) {
  static Plan<Algorithm>* kept = nullptr;  // cuDNN may be gone before a destructor at exit
  if (!kept || std::memcmp(&kept->description.shape, &shape, sizeof shape) != 0) {
    delete kept;
    auto plan = std::make_unique<Plan<Algorithm>>(shape);
    const Description& d = plan->description;
    const bool good = d.valid() && cudnnSetStream(d.handle, stream) == CUDNN_STATUS_SUCCESS;
    kept = good && choose(*plan) ? plan.release() : nullptr;
  }
  if (kept && cudnnSetStream(kept->description.handle, stream) != CUDNN_STATUS_SUCCESS) {
    return nullptr;
  }
  return kept;
}

// y = conv(x, w) + b, as the stages of the forward convolution ask for it. The choice includes the
// plain algorithms, whose bias is a second call, and cuDNN's single call for both.
inline cudaError_t convolve(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                            const Conv2dShape* shape, cudaStream_t stream) {
  using Algorithm = cudnnConvolutionFwdAlgo_t;
  using Forward = Plan<Algorithm>;
  const auto run = [&](const Description& d, const Way<Algorithm>& way) {
    const float one = 1, zero = 0;
    if (way.bias_fused) {
      return cudnnConvolutionBiasActivationForward(d.handle, &one, d.x, d_x, d.filters, d_w, d.conv,
                                                   way.algorithm, way.workspace, way.bytes, &zero,
                                                   d.y, d_y, d.bias, d_b, d.identity, d.y, d_y);
    }
    const cudnnStatus_t status =
        cudnnConvolutionForward(d.handle, &one, d.x, d_x, d.filters, d_w, d.conv, way.algorithm,
                                way.workspace, way.bytes, &zero, d.y, d_y);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    return cudnnAddTensor(d.handle, &one, d.bias, d_b, &one, d.y, d_y);
  };
  const Forward* plan = plan_for<Algorithm>(*shape, stream, [&](Forward& made) {
    const Description& d = made.description;
    cudnnConvolutionFwdAlgoPerf_t found[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
    int count = 0;
    if (cudnnFindConvolutionForwardAlgorithm(d.handle, d.x, d.filters, d.conv, d.y,
                                             CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &count,
                                             found) != CUDNN_STATUS_SUCCESS) {
      return false;
    }
    std::vector<Way<Algorithm>> ways = usable<Algorithm>(found, count);
    for (size_t i = 0, plain = ways.size(); i < plain; ++i) {
      // The only algorithm that cuDNN fuses with the identity.
      if (ways[i].algorithm != CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM) continue;
      ways.push_back({ways[i].algorithm, ways[i].bytes, true});
    }
    return made.choose(ways, stream, [&](const Way<Algorithm>& way) { return run(d, way); });
  });
  if (!plan) return cudaErrorNotSupported;
  return run(plan->description, plan->way) == CUDNN_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace convkit::peers
