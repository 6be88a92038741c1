// SPDX-License-Identifier: MIT
// conv2d_xgrad_gemm and conv2d_wgrad_gemm through cuDNN. Link with -lcudnn.
#include "backward.h"
#include "convkit/peers/cudnn_convolution.h"

namespace {

using convkit::peers::Description;
using convkit::peers::Plan;
using convkit::peers::plan_for;
using convkit::peers::Way;

// Runs `run(description, way, beta, out) -> cudnnStatus_t` in the fastest of the ways that
// `find(description, most, &count, found)` lists. `out` has `elements` floats; the choice is made
// on separate memory, because results may be added to `out`.
template <class Algorithm, class Found, class Find, class Run>
cudaError_t gradient(const Conv2dShape& shape, int accumulate, float* d_out, int64_t elements,
                     cudaStream_t stream, Find find, Run run) {
  const float zero = 0, beta = accumulate ? 1 : 0;
  const auto choose = [&](Plan<Algorithm>& plan) {
    const Description& d = plan.description;
    constexpr int kMost = 16;
    Found found[kMost];
    int count = 0;
    if (find(d, kMost, &count, found) != CUDNN_STATUS_SUCCESS) return false;
    float* d_trial = nullptr;
    if (cudaMalloc(&d_trial, elements * sizeof(float)) != cudaSuccess) {
      cudaGetLastError();
      return false;
    }
    const bool chosen =
        plan.choose(convkit::peers::usable<Algorithm>(found, count), stream,
                    [&](const Way<Algorithm>& way) { return run(d, way, &zero, d_trial); });
    cudaFree(d_trial);
    return chosen;
  };
  const Plan<Algorithm>* plan = plan_for<Algorithm>(shape, stream, choose);
  if (!plan) return cudaErrorNotSupported;
  const cudnnStatus_t status = run(plan->description, plan->way, &beta, d_out);
  return status == CUDNN_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace

extern "C" size_t conv2d_xgrad_gemm_workspace(const Conv2dShape*) {
  return 0;
}

extern "C" cudaError_t conv2d_xgrad_gemm(const float* d_dy, const float* d_w, float* d_dx,
                                         const Conv2dShape* shape, int accumulate, void*, size_t,
                                         cudaStream_t stream) {
  using Algorithm = cudnnConvolutionBwdDataAlgo_t;
  using Found = cudnnConvolutionBwdDataAlgoPerf_t;
  const float one = 1;
  const auto find = [](const Description& d, int most, int* count, Found* found) {
    return cudnnFindConvolutionBackwardDataAlgorithm(d.handle, d.filters, d.y, d.conv, d.x, most,
                                                     count, found);
  };
  const auto run = [&](const Description& d, const Way<Algorithm>& way, const float* beta,
                       float* out) {
    return cudnnConvolutionBackwardData(d.handle, &one, d.filters, d_w, d.y, d_dy, d.conv,
                                        way.algorithm, way.workspace, way.bytes, beta, d.x, out);
  };
  return gradient<Algorithm, Found>(*shape, accumulate, d_dx, shape->x_size(), stream, find, run);
}

extern "C" size_t conv2d_wgrad_gemm_workspace(const Conv2dShape*) {
  return 0;
}

extern "C" cudaError_t conv2d_wgrad_gemm(const float* d_x, const float* d_dy, float* d_dw,
                                         const Conv2dShape* shape, int accumulate, void*, size_t,
                                         cudaStream_t stream) {
  using Algorithm = cudnnConvolutionBwdFilterAlgo_t;
  using Found = cudnnConvolutionBwdFilterAlgoPerf_t;
  const float one = 1;
  const auto find = [](const Description& d, int most, int* count, Found* found) {
    return cudnnFindConvolutionBackwardFilterAlgorithm(d.handle, d.x, d.y, d.conv, d.filters, most,
                                                       count, found);
  };
  const auto run = [&](const Description& d, const Way<Algorithm>& way, const float* beta,
                       float* out) {
    return cudnnConvolutionBackwardFilter(d.handle, &one, d.x, d_x, d.y, d_dy, d.conv,
                                          way.algorithm, way.workspace, way.bytes, beta, d.filters,
                                          out);
  };
  return gradient<Algorithm, Found>(*shape, accumulate, d_dw, shape->w_size(), stream, find, run);
}
