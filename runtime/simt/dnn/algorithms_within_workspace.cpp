// SPDX-License-Identifier: MIT
// Find...AlgorithmEx: as Find...Algorithm, among the algorithms that the given workspace is enough
// for. An algorithm that needs more comes behind the others, with a status and without a time.
#include <algorithm>
#include <vector>

#include "simt/cudnn_convolution.h"

namespace convkit::simt::dnn {
namespace {

// find(count, returned, results) lists them all.
template <class Perf, class Find>
cudnnStatus_t list_within(size_t bytes, int requested, int* returned, Perf* results, Find find) {
  if (requested < 1 || !returned || !results) return CUDNN_STATUS_BAD_PARAM;
  std::vector<Perf> all(CUDNN_CONVOLUTION_FWD_ALGO_COUNT);  // the pass that has most
  int count = 0;
  const cudnnStatus_t status = find(static_cast<int>(all.size()), &count, all.data());
  if (status != CUDNN_STATUS_SUCCESS) return status;
  all.resize(static_cast<size_t>(count));
  const auto fits = [bytes](const Perf& perf) {
    return perf.status == CUDNN_STATUS_SUCCESS && perf.memory <= bytes;
  };
  const auto rest = std::stable_partition(all.begin(), all.end(), fits);
  std::for_each(rest, all.end(), [](Perf& perf) {
    if (perf.status != CUDNN_STATUS_SUCCESS) return;
    perf.status = CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
    perf.time = -1;
  });
  *returned = std::min(requested, count);
  std::copy_n(all.begin(), *returned, results);
  return CUDNN_STATUS_SUCCESS;
}

bool is_given(const void* workspace, size_t bytes) {
  return workspace || bytes == 0;
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const void* x,
    const cudnnFilterDescriptor_t wDesc, const void* w, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnTensorDescriptor_t yDesc, void* y, int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionFwdAlgoPerf_t* perfResults, void* workSpace, size_t workSpaceSizeInBytes) {
  if (!x || !w || !y || !is_given(workSpace, workSpaceSizeInBytes)) return CUDNN_STATUS_BAD_PARAM;
  return list_within(workSpaceSizeInBytes, requestedAlgoCount, returnedAlgoCount, perfResults,
                     [&](int count, int* returned, cudnnConvolutionFwdAlgoPerf_t* results) {
                       return cudnnFindConvolutionForwardAlgorithm(handle, xDesc, wDesc, convDesc,
                                                                   yDesc, count, returned, results);
                     });
}

cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc, const void* w,
    const cudnnTensorDescriptor_t dyDesc, const void* dy,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t dxDesc, void* dx,
    int requestedAlgoCount, int* returnedAlgoCount, cudnnConvolutionBwdDataAlgoPerf_t* perfResults,
    void* workSpace, size_t workSpaceSizeInBytes) {
  if (!w || !dy || !dx || !is_given(workSpace, workSpaceSizeInBytes)) return CUDNN_STATUS_BAD_PARAM;
  return list_within(workSpaceSizeInBytes, requestedAlgoCount, returnedAlgoCount, perfResults,
                     [&](int count, int* returned, cudnnConvolutionBwdDataAlgoPerf_t* results) {
                       return cudnnFindConvolutionBackwardDataAlgorithm(
                           handle, wDesc, dyDesc, convDesc, dxDesc, count, returned, results);
                     });
}

cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const void* x,
    const cudnnTensorDescriptor_t dyDesc, const void* y,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t dwDesc, void* dw,
    int requestedAlgoCount, int* returnedAlgoCount,
    cudnnConvolutionBwdFilterAlgoPerf_t* perfResults, void* workSpace,
    size_t workSpaceSizeInBytes) {
  if (!x || !y || !dw || !is_given(workSpace, workSpaceSizeInBytes)) return CUDNN_STATUS_BAD_PARAM;
  return list_within(workSpaceSizeInBytes, requestedAlgoCount, returnedAlgoCount, perfResults,
                     [&](int count, int* returned, cudnnConvolutionBwdFilterAlgoPerf_t* results) {
                       return cudnnFindConvolutionBackwardFilterAlgorithm(
                           handle, xDesc, dyDesc, convDesc, dwDesc, count, returned, results);
                     });
}

}  // extern "C"
