// SPDX-License-Identifier: MIT
// A convolution, a bias and an activation at once.
#include <vector>

#include "cpu_device/dnn/activation.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/prepared_convolution.h"
#include "cpu_device/dnn/rows.h"

namespace convkit::simt::dnn {
namespace {

bool is_bias_of(const cudnnTensorStruct& bias, const cudnnTensorStruct& y) {
  if (bias.dims != y.dims || bias.type != y.type) return false;
  for (int i = 0; i < y.dims; ++i) {
    if (bias.size[i] != (i == 1 ? y.size[i] : 1)) return false;
  }
  return true;
}

Convolution as_floats(Convolution conv) {
  for (cudnnTensorStruct* tensor : {&conv.x_tensor, &conv.w_tensor, &conv.y_tensor}) {
    tensor->type = CUDNN_DATA_FLOAT;
  }
  return conv;
}

}  // namespace
}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

// y = activation(alpha1 * (x with w) + alpha2 * z + bias); z may be y, and is not read where alpha2
// is 0.
extern "C" cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void* alpha1, const cudnnTensorDescriptor_t xDesc, const void* x,
    const cudnnFilterDescriptor_t wDesc, const void* w, const cudnnConvolutionDescriptor_t convDesc,
    cudnnConvolutionFwdAlgo_t algo, void* workSpace, size_t workSpaceSizeInBytes,
    const void* alpha2, const cudnnTensorDescriptor_t zDesc, const void* z,
    const cudnnTensorDescriptor_t biasDesc, const void* bias,
    const cudnnActivationDescriptor_t activationDesc, const cudnnTensorDescriptor_t yDesc,
    void* y) {
  if (!is_alive(handle) || !x || !w || !zDesc || !z || !biasDesc || !bias || !activationDesc ||
      !y) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  Prepared prepared{convkit::simt::library_call("cudnnConvolutionBiasActivationForward"), {}, {}};
  const cudnnStatus_t status = prepare(Pass::forward, algo, xDesc, wDesc, convDesc, yDesc, alpha1,
                                       alpha2, workSpace, workSpaceSizeInBytes, prepared);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const cudnnActivationStruct activation = *activationDesc;
  const bool identity = activation.mode == CUDNN_ACTIVATION_IDENTITY;
  if (!is_bias_of(*biasDesc, *yDesc) || !same_sizes(*zDesc, *yDesc) || zDesc->type != yDesc->type) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  if (!is_computed(*biasDesc) || !is_computed(*zDesc)) return CUDNN_STATUS_NOT_SUPPORTED;
  if ((!identity && activation.mode != CUDNN_ACTIVATION_RELU) ||
      (identity && algo != CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM)) {
    return CUDNN_STATUS_NOT_SUPPORTED;
  }
  return enqueue_on(handle, [=, added = *zDesc, bias_tensor = *biasDesc] {
    const convkit::simt::LibraryCall& call = prepared.call;
    const Convolution& conv = prepared.conv;
    const float of_convolution = prepared.factors.alpha, of_z = prepared.factors.beta;
    if (!may_use(call, "x", x, conv.x_tensor, Use::read) ||
        !may_use(call, "w", w, conv.w_tensor, Use::read) ||
        !may_use(call, "bias", bias, bias_tensor, Use::read) ||
        (of_z != 0 && !may_use(call, "z", z, added, Use::read)) ||
        !may_use(call, "y", y, conv.y_tensor, Use::write) || !prepared.may_use_workspace()) {
      return;
    }
    // Sums are rounded to halves once, at the end.
    cudnnTensorStruct float_y = conv.y_tensor;
    float_y.type = CUDNN_DATA_FLOAT;
    std::vector<float> sums(static_cast<size_t>(extent(float_y)));
    const FloatInput inputs(x, conv.x_tensor), filter(w, conv.w_tensor), biases(bias, bias_tensor);
    compute(Pass::forward, as_floats(conv), {of_convolution, 0}, inputs.data(), filter.data(),
            sums.data());
    if (of_z != 0) {
      const FloatInput addends(z, added);
      const float* values = addends.data();
      blend_rows(rows_of(float_y, added), {of_z, 1}, sums.data(),
                 [=](const auto& at) { return values[at[1]]; });
    }
    FloatResult result(y, conv.y_tensor, false);
    const float *sum = sums.data(), *of_bias = biases.data();
    blend_rows(rows_of(conv.y_tensor, bias_tensor), Factors{}, result.data(),
               [&](const auto& at) { return activated(activation, sum[at[0]] + of_bias[at[1]]); });
  });
}
