// SPDX-License-Identifier: MIT
// Calls that convolve.
#include "cpu_device/dnn/prepared_convolution.h"

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha,
                                      const cudnnTensorDescriptor_t xDesc, const void* x,
                                      const cudnnFilterDescriptor_t wDesc, const void* w,
                                      const cudnnConvolutionDescriptor_t convDesc,
                                      cudnnConvolutionFwdAlgo_t algo, void* workSpace,
                                      size_t workSpaceSizeInBytes, const void* beta,
                                      const cudnnTensorDescriptor_t yDesc, void* y) {
  constexpr const char* kCall = "cudnnConvolutionForward";
  Refusal refusal(kCall);
  Prepared prepared{convkit::simt::library_call(kCall), {}, {}};
  if (refusal.no_handle(handle) || refusal.null({{"x", x}, {"w", w}, {"y", y}}) ||
      !prepare(refusal, Pass::forward, algo,
               {xDesc, wDesc, convDesc, yDesc, names_of(Pass::forward)},
               {{"alpha", alpha}, {"beta", beta}, workSpace, workSpaceSizeInBytes}, prepared)) {
    return refusal.status();
  }
  return enqueue_on(prepared.call, handle, [=] {
    const auto& [call, conv, factors, workspace, bytes] = prepared;
    if (!may_use(call, "x", x, conv.x_tensor, Use::read) ||
        !may_use(call, "w", w, conv.w_tensor, Use::read) ||
        !may_use(call, "y", y, conv.y_tensor, result_use(factors.beta)) ||
        !prepared.may_use_workspace()) {
      return;
    }
    expect_apart(call, {"y", y, conv.y_tensor}, {{"x", x, conv.x_tensor}, {"w", w, conv.w_tensor}});
    compute(Pass::forward, conv, factors, x, w, y);
  });
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha,
                                           const cudnnFilterDescriptor_t wDesc, const void* w,
                                           const cudnnTensorDescriptor_t dyDesc, const void* dy,
                                           const cudnnConvolutionDescriptor_t convDesc,
                                           cudnnConvolutionBwdDataAlgo_t algo, void* workSpace,
                                           size_t workSpaceSizeInBytes, const void* beta,
                                           const cudnnTensorDescriptor_t dxDesc, void* dx) {
  constexpr const char* kCall = "cudnnConvolutionBackwardData";
  Refusal refusal(kCall);
  Prepared prepared{convkit::simt::library_call(kCall), {}, {}};
  if (refusal.no_handle(handle) || refusal.null({{"w", w}, {"dy", dy}, {"dx", dx}}) ||
      !prepare(refusal, Pass::data, algo, {dxDesc, wDesc, convDesc, dyDesc, names_of(Pass::data)},
               {{"alpha", alpha}, {"beta", beta}, workSpace, workSpaceSizeInBytes}, prepared)) {
    return refusal.status();
  }
  return enqueue_on(prepared.call, handle, [=] {
    const auto& [call, conv, factors, workspace, bytes] = prepared;
    if (!may_use(call, "w", w, conv.w_tensor, Use::read) ||
        !may_use(call, "dy", dy, conv.y_tensor, Use::read) ||
        !may_use(call, "dx", dx, conv.x_tensor, result_use(factors.beta)) ||
        !prepared.may_use_workspace()) {
      return;
    }
    expect_apart(call, {"dx", dx, conv.x_tensor},
                 {{"w", w, conv.w_tensor}, {"dy", dy, conv.y_tensor}});
    compute(Pass::data, conv, factors, w, dy, dx);
  });
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha,
                                             const cudnnTensorDescriptor_t xDesc, const void* x,
                                             const cudnnTensorDescriptor_t dyDesc, const void* dy,
                                             const cudnnConvolutionDescriptor_t convDesc,
                                             cudnnConvolutionBwdFilterAlgo_t algo, void* workSpace,
                                             size_t workSpaceSizeInBytes, const void* beta,
                                             const cudnnFilterDescriptor_t dwDesc, void* dw) {
  constexpr const char* kCall = "cudnnConvolutionBackwardFilter";
  Refusal refusal(kCall);
  Prepared prepared{convkit::simt::library_call(kCall), {}, {}};
  if (refusal.no_handle(handle) || refusal.null({{"x", x}, {"dy", dy}, {"dw", dw}}) ||
      !prepare(refusal, Pass::filter, algo,
               {xDesc, dwDesc, convDesc, dyDesc, names_of(Pass::filter)},
               {{"alpha", alpha}, {"beta", beta}, workSpace, workSpaceSizeInBytes}, prepared)) {
    return refusal.status();
  }
  return enqueue_on(prepared.call, handle, [=] {
    const auto& [call, conv, factors, workspace, bytes] = prepared;
    if (!may_use(call, "x", x, conv.x_tensor, Use::read) ||
        !may_use(call, "dy", dy, conv.y_tensor, Use::read) ||
        !may_use(call, "dw", dw, conv.w_tensor, result_use(factors.beta)) ||
        !prepared.may_use_workspace()) {
      return;
    }
    expect_apart(call, {"dw", dw, conv.w_tensor},
                 {{"x", x, conv.x_tensor}, {"dy", dy, conv.y_tensor}});
    compute(Pass::filter, conv, factors, x, dy, dw);
  });
}

}  // extern "C"
