// SPDX-License-Identifier: MIT
// Calls that convolve.
#include <vector>

#include "simt/dnn/places.h"
#include "simt/dnn/prepared_convolution.h"

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha,
                                      const cudnnTensorDescriptor_t xDesc, const void* x,
                                      const cudnnFilterDescriptor_t wDesc, const void* w,
                                      const cudnnConvolutionDescriptor_t convDesc,
                                      cudnnConvolutionFwdAlgo_t algo, void* workSpace,
                                      size_t workSpaceSizeInBytes, const void* beta,
                                      const cudnnTensorDescriptor_t yDesc, void* y) {
  if (!is_alive(handle) || !x || !w || !y) return CUDNN_STATUS_BAD_PARAM;
  Prepared prepared{convkit::simt::library_call("cudnnConvolutionForward"), {}, {}};
  const cudnnStatus_t status = prepare(Pass::forward, algo, xDesc, wDesc, convDesc, yDesc, alpha,
                                       beta, workSpace, workSpaceSizeInBytes, prepared);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  return enqueue_on(handle, [=] {
    const auto& [call, conv, factors, workspace, bytes] = prepared;
    if (!may_use(call, "x", x, conv.x_tensor, Use::read) ||
        !may_use(call, "w", w, conv.w_tensor, Use::read) ||
        !may_use(call, "y", y, conv.y_tensor, result_use(factors.beta)) ||
        !prepared.may_use_workspace()) {
      return;
    }
    convolve(conv, factors, static_cast<const float*>(x), static_cast<const float*>(w),
             static_cast<float*>(y));
  });
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha,
                                           const cudnnFilterDescriptor_t wDesc, const void* w,
                                           const cudnnTensorDescriptor_t dyDesc, const void* dy,
                                           const cudnnConvolutionDescriptor_t convDesc,
                                           cudnnConvolutionBwdDataAlgo_t algo, void* workSpace,
                                           size_t workSpaceSizeInBytes, const void* beta,
                                           const cudnnTensorDescriptor_t dxDesc, void* dx) {
  if (!is_alive(handle) || !w || !dy || !dx) return CUDNN_STATUS_BAD_PARAM;
  Prepared prepared{convkit::simt::library_call("cudnnConvolutionBackwardData"), {}, {}};
  const cudnnStatus_t status = prepare(Pass::data, algo, dxDesc, wDesc, convDesc, dyDesc, alpha,
                                       beta, workSpace, workSpaceSizeInBytes, prepared);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  return enqueue_on(handle, [=] {
    const auto& [call, conv, factors, workspace, bytes] = prepared;
    if (!may_use(call, "w", w, conv.w_tensor, Use::read) ||
        !may_use(call, "dy", dy, conv.y_tensor, Use::read) ||
        !may_use(call, "dx", dx, conv.x_tensor, result_use(factors.beta)) ||
        !prepared.may_use_workspace()) {
      return;
    }
    convolve_back_to_data(conv, factors, static_cast<const float*>(w),
                          static_cast<const float*>(dy), static_cast<float*>(dx));
  });
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha,
                                             const cudnnTensorDescriptor_t xDesc, const void* x,
                                             const cudnnTensorDescriptor_t dyDesc, const void* dy,
                                             const cudnnConvolutionDescriptor_t convDesc,
                                             cudnnConvolutionBwdFilterAlgo_t algo, void* workSpace,
                                             size_t workSpaceSizeInBytes, const void* beta,
                                             const cudnnFilterDescriptor_t dwDesc, void* dw) {
  if (!is_alive(handle) || !x || !dy || !dw) return CUDNN_STATUS_BAD_PARAM;
  Prepared prepared{convkit::simt::library_call("cudnnConvolutionBackwardFilter"), {}, {}};
  const cudnnStatus_t status = prepare(Pass::filter, algo, xDesc, dwDesc, convDesc, dyDesc, alpha,
                                       beta, workSpace, workSpaceSizeInBytes, prepared);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  return enqueue_on(handle, [=] {
    const auto& [call, conv, factors, workspace, bytes] = prepared;
    if (!may_use(call, "x", x, conv.x_tensor, Use::read) ||
        !may_use(call, "dy", dy, conv.y_tensor, Use::read) ||
        !may_use(call, "dw", dw, conv.w_tensor, result_use(factors.beta)) ||
        !prepared.may_use_workspace()) {
      return;
    }
    convolve_back_to_filter(conv, factors, static_cast<const float*>(x),
                            static_cast<const float*>(dy), static_cast<float*>(dw));
  });
}

// db, of one value for each channel, gets the sum of dy over everything else.
cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void* alpha,
                                           const cudnnTensorDescriptor_t dyDesc, const void* dy,
                                           const void* beta, const cudnnTensorDescriptor_t dbDesc,
                                           void* db) {
  if (!is_alive(handle) || !alpha || !dyDesc || !dy || !beta || !dbDesc || !db) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const cudnnTensorStruct from = *dyDesc, to = *dbDesc;
  bool fits = from.dims == to.dims && from.dims >= 3 && from.type == to.type;
  for (int i = 0; i < from.dims && fits; ++i) {
    fits = to.size[i] == (i == 1 ? from.size[i] : 1);
  }
  if (!fits) return CUDNN_STATUS_BAD_PARAM;
  if (from.type != CUDNN_DATA_FLOAT) return CUDNN_STATUS_NOT_SUPPORTED;
  const auto call = convkit::simt::library_call("cudnnConvolutionBackwardBias");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(handle, [=] {
    if (!may_use(call, "dy", dy, from, Use::read) ||
        !may_use(call, "db", db, to, result_use(factors.beta))) {
      return;
    }
    std::vector<double> sums(static_cast<size_t>(from.size[1]));
    for_each_place(from, [&](const int* position, int64_t place) {
      sums[static_cast<size_t>(position[1])] += static_cast<const float*>(dy)[place];
    });
    for (int c = 0; c < from.size[1]; ++c) {
      blend(factors.alpha, static_cast<float>(sums[static_cast<size_t>(c)]), factors.beta,
            static_cast<float*>(db)[int64_t{c} * to.stride[1]]);
    }
  });
}

}  // extern "C"
