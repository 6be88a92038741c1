// SPDX-License-Identifier: MIT
// Task 06.3: an algorithm within a limit of memory, as the library guesses and as it measures.
#include <algorithm>
#include <vector>

#include "convolution.cuh"
#include "cudnn_port.h"

namespace {

using Perf = cudnnConvolutionFwdAlgoPerf_t;

// One entry for each algorithm and math type.
cudnnStatus_t make_room(cudnnHandle_t handle, std::vector<Perf>& found) {
  int most = 0;
  CUDNN_TRY(cudnnGetConvolutionForwardAlgorithmMaxCount(handle, &most));
  found.resize(most);
  return CUDNN_STATUS_SUCCESS;
}

// The lists are sorted: the first that can be used is the best.
cudnnStatus_t take_first(std::vector<Perf>& found, int count, size_t limit_bytes,
                         cudnnConvolutionFwdAlgo_t* algo, size_t* bytes) {
  // The fastest: those that were not measured have a time of -1.
  std::stable_sort(found.begin(), found.begin() + count,
                   [](const Perf& a, const Perf& b) { return a.time < b.time; });
  for (int i = 0; i < count; ++i) {
    const Perf& each = found[i];
    if (each.memory > limit_bytes) continue;
    *algo = each.algo;
    *bytes = each.memory;
    return CUDNN_STATUS_SUCCESS;
  }
  return CUDNN_STATUS_NOT_SUPPORTED;
}

}  // namespace

cudnnStatus_t conv2d_choose_heuristic(cudnnHandle_t handle, const Conv2dShape* shape,
                                      size_t limit_bytes, cudnnConvolutionFwdAlgo_t* algo,
                                      size_t* bytes) {
  Convolution c;
  std::vector<Perf> found;
  int count = 0;
  CUDNN_TRY(c.describe(*shape));
  CUDNN_TRY(make_room(handle, found));
  CUDNN_TRY(cudnnGetConvolutionForwardAlgorithm_v7(handle, c.x.get(), c.w.get(), c.conv.get(),
                                                   c.y.get(), int(found.size()), &count,
                                                   found.data()));
  return take_first(found, count, limit_bytes, algo, bytes);
}

cudnnStatus_t conv2d_choose_measured(cudnnHandle_t handle, const Conv2dShape* shape,
                                     const float* d_x, const float* d_w, float* d_y,
                                     void* d_workspace, size_t limit_bytes,
                                     cudnnConvolutionFwdAlgo_t* algo, size_t* bytes,
                                     cudaStream_t stream) {
  Convolution c;
  std::vector<Perf> found;
  int count = 0;
  CUDNN_TRY(c.describe(*shape));
  CUDNN_TRY(make_room(handle, found));
  CUDNN_TRY(cudnnSetStream(handle, stream));
  CUDNN_TRY(cudnnFindConvolutionForwardAlgorithmEx(handle, c.x.get(), d_x, c.w.get(), d_w,
                                                   c.conv.get(), c.y.get(), d_y, int(found.size()),
                                                   &count, found.data(), d_workspace, limit_bytes));
  return take_first(found, count, limit_bytes, algo, bytes);
}
