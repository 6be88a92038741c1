// SPDX-License-Identifier: MIT
// Calls that list, try and measure algorithms. Find waits for the stream, as on a GPU, and computes
// on memory of its own.
#include <algorithm>
#include <chrono>
#include <vector>

#include "simt/dnn/algorithms.h"
#include "simt/runtime_api.h"

namespace convkit::simt::dnn {
namespace {

float milliseconds(Pass pass, const Convolution& conv) {
  const auto zeros = [](const cudnnTensorStruct& tensor) {
    return std::vector<float>(static_cast<size_t>(extent(tensor)));
  };
  std::vector<float> x = zeros(conv.x_tensor), w = zeros(conv.w_tensor), y = zeros(conv.y_tensor);
  const auto start = std::chrono::steady_clock::now();
  if (pass == Pass::forward) convolve(conv, {}, x.data(), w.data(), y.data());
  if (pass == Pass::data) convolve_back_to_data(conv, {}, w.data(), y.data(), x.data());
  if (pass == Pass::filter) convolve_back_to_filter(conv, {}, x.data(), y.data(), w.data());
  const std::chrono::duration<float, std::milli> taken = std::chrono::steady_clock::now() - start;
  return taken.count();
}

enum class Measure { no, yes };

// Those that take the convolution come first, then the others, with their status.
template <class Perf>
cudnnStatus_t list(Pass pass, Measure measure, cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                   cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t convolution,
                   cudnnTensorDescriptor_t y, int requested, int* returned, Perf* results) {
  if (!is_alive(handle) || requested < 1 || !returned || !results) return CUDNN_STATUS_BAD_PARAM;
  Convolution conv;
  const cudnnStatus_t status = describe(convolution, x, w, y, conv);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (measure == Measure::yes && cudaStreamSynchronize(handle->stream) != cudaSuccess) {
    return CUDNN_STATUS_EXECUTION_FAILED;
  }
  std::vector<Perf> all;
  for (const int algorithm : algorithms(pass)) {
    const Judgement judgement = judge(pass, algorithm, conv);
    const bool works = judgement.status == CUDNN_STATUS_SUCCESS;
    Perf perf{};
    perf.algo = static_cast<decltype(perf.algo)>(algorithm);
    perf.status = judgement.status;
    perf.time = works && measure == Measure::yes ? milliseconds(pass, conv) : -1;
    perf.memory = judgement.workspace;
    perf.determinism = judgement.deterministic ? CUDNN_DETERMINISTIC : CUDNN_NON_DETERMINISTIC;
    perf.mathType = convolution->math_type;
    all.push_back(perf);
  }
  std::stable_sort(all.begin(), all.end(), [&](const Perf& a, const Perf& b) {
    const bool a_works = a.status == CUDNN_STATUS_SUCCESS;
    const bool b_works = b.status == CUDNN_STATUS_SUCCESS;
    if (a_works != b_works) return a_works;
    return measure == Measure::yes && a_works && a.time < b.time;
  });
  *returned = std::min(requested, static_cast<int>(all.size()));
  std::copy_n(all.begin(), *returned, results);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t workspace_size(Pass pass, int algorithm, cudnnHandle_t handle,
                             cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
                             cudnnConvolutionDescriptor_t convolution, cudnnTensorDescriptor_t y,
                             size_t* bytes) {
  if (!is_alive(handle) || !bytes) return CUDNN_STATUS_BAD_PARAM;
  Convolution conv;
  const cudnnStatus_t status = describe(convolution, x, w, y, conv);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const Judgement judgement = judge(pass, algorithm, conv);
  if (judgement.status == CUDNN_STATUS_SUCCESS) *bytes = judgement.workspace;
  return judgement.status;
}

cudnnStatus_t count_of(Pass pass, cudnnHandle_t handle, int* count) {
  if (!is_alive(handle) || !count) return CUDNN_STATUS_BAD_PARAM;
  *count = static_cast<int>(algorithms(pass).size());
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return count_of(Pass::forward, handle, count);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return count_of(Pass::data, handle, count);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  return count_of(Pass::filter, handle, count);
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle,
                                                     const cudnnTensorDescriptor_t srcDesc,
                                                     const cudnnFilterDescriptor_t filterDesc,
                                                     const cudnnConvolutionDescriptor_t convDesc,
                                                     const cudnnTensorDescriptor_t destDesc,
                                                     int requestedAlgoCount, int* returnedAlgoCount,
                                                     cudnnConvolutionFwdAlgoPerf_t* perfResults) {
  return list(Pass::forward, Measure::no, handle, srcDesc, filterDesc, convDesc, destDesc,
              requestedAlgoCount, returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnFilterDescriptor_t wDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t yDesc,
    int requestedAlgoCount, int* returnedAlgoCount, cudnnConvolutionFwdAlgoPerf_t* perfResults) {
  return list(Pass::forward, Measure::yes, handle, xDesc, wDesc, convDesc, yDesc,
              requestedAlgoCount, returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnFilterDescriptor_t wDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t yDesc,
    cudnnConvolutionFwdAlgo_t algo, size_t* sizeInBytes) {
  return workspace_size(Pass::forward, algo, handle, xDesc, wDesc, convDesc, yDesc, sizeInBytes);
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t filterDesc,
    const cudnnTensorDescriptor_t diffDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnTensorDescriptor_t gradDesc, int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdDataAlgoPerf_t* perfResults) {
  return list(Pass::data, Measure::no, handle, gradDesc, filterDesc, convDesc, diffDesc,
              requestedAlgoCount, returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithm(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t dxDesc,
    int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdDataAlgoPerf_t* perfResults) {
  return list(Pass::data, Measure::yes, handle, dxDesc, wDesc, convDesc, dyDesc, requestedAlgoCount,
              returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t dxDesc,
    cudnnConvolutionBwdDataAlgo_t algo, size_t* sizeInBytes) {
  return workspace_size(Pass::data, algo, handle, dxDesc, wDesc, convDesc, dyDesc, sizeInBytes);
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t srcDesc,
    const cudnnTensorDescriptor_t diffDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnFilterDescriptor_t gradDesc, int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdFilterAlgoPerf_t* perfResults) {
  return list(Pass::filter, Measure::no, handle, srcDesc, gradDesc, convDesc, diffDesc,
              requestedAlgoCount, returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t dwDesc,
    int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdFilterAlgoPerf_t* perfResults) {
  return list(Pass::filter, Measure::yes, handle, xDesc, dwDesc, convDesc, dyDesc,
              requestedAlgoCount, returnedAlgoCount, perfResults);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t gradDesc,
    cudnnConvolutionBwdFilterAlgo_t algo, size_t* sizeInBytes) {
  return workspace_size(Pass::filter, algo, handle, xDesc, gradDesc, convDesc, dyDesc, sizeInBytes);
}

}  // extern "C"
