// SPDX-License-Identifier: MIT
// A convolution, a bias and an activation at once.
#include <vector>

#include "cpu_device/dnn/activation.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/prepared_convolution.h"
#include "cpu_device/dnn/refusal.h"
#include "cpu_device/dnn/rows.h"

namespace convkit::simt::dnn {
namespace {

bool is_unknown(Refusal& refusal, cudnnActivationMode_t mode, int algorithm) {
  constexpr int kOfIdentity = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
  if (mode == CUDNN_ACTIVATION_IDENTITY) {
    return algorithm != kOfIdentity &&
           refusal.not_supported("algo is " + algorithm_text(Pass::forward, algorithm) +
                                 "; CUDNN_ACTIVATION_IDENTITY goes with " +
                                 algorithm_text(Pass::forward, kOfIdentity) + " only");
  }
  return mode != CUDNN_ACTIVATION_RELU &&
         refusal.not_supported(said("activationDesc has the mode ", static_cast<int>(mode),
                                    "; it must be CUDNN_ACTIVATION_RELU or "
                                    "CUDNN_ACTIVATION_IDENTITY"));
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
  constexpr const char* kCall = "cudnnConvolutionBiasActivationForward";
  Refusal refusal(kCall);
  Prepared prepared{convkit::simt::library_call(kCall), {}, {}};
  if (refusal.no_handle(handle) ||
      refusal.null({{"x", x},
                    {"w", w},
                    {"zDesc", zDesc},
                    {"z", z},
                    {"biasDesc", biasDesc},
                    {"bias", bias},
                    {"activationDesc", activationDesc},
                    {"y", y}}) ||
      !prepare(
          refusal, Pass::forward, algo, {xDesc, wDesc, convDesc, yDesc, names_of(Pass::forward)},
          {{"alpha1", alpha1}, {"alpha2", alpha2}, workSpace, workSpaceSizeInBytes}, prepared) ||
      refusal.is_no_bias_of("biasDesc", *biasDesc, "yDesc", *yDesc) ||
      refusal.sizes_differ("yDesc", *yDesc, "zDesc", *zDesc) ||
      refusal.types_differ("yDesc", yDesc->type, "zDesc", zDesc->type) ||
      refusal.not_computed("biasDesc", *biasDesc) || refusal.not_computed("zDesc", *zDesc) ||
      is_unknown(refusal, activationDesc->mode, algo)) {
    return refusal.status();
  }
  const cudnnActivationStruct activation = *activationDesc;
  return enqueue_on(prepared.call, handle, [=, added = *zDesc, bias_tensor = *biasDesc] {
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
    expect_apart(call, {"y", y, conv.y_tensor},
                 {{"x", x, conv.x_tensor}, {"w", w, conv.w_tensor}, {"bias", bias, bias_tensor}});
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
