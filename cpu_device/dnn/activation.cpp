// SPDX-License-Identifier: MIT
// Activations. Their gradients are made of y alone, so that x may have been overwritten by it.
// Descriptors of activations.
#include "cpu_device/dnn/activation.h"

#include <algorithm>
#include <cmath>

#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/refusal.h"
#include "cpu_device/dnn/rows.h"

namespace convkit::simt::dnn {
namespace {

bool is_unknown(Refusal& refusal, const cudnnActivationStruct& activation) {
  return activation.mode > CUDNN_ACTIVATION_ELU &&
         refusal.not_supported(said("the CPU device does not compute the activation mode ",
                                    static_cast<int>(activation.mode), " of activationDesc"));
}

// A NaN becomes 0 unless it is to be handed on.
float rectified(const cudnnActivationStruct& activation, float x) {
  if (std::isnan(x)) return activation.nan == CUDNN_PROPAGATE_NAN ? x : 0.0f;
  return std::max(x, 0.0f);
}

bool is_plain_relu(const cudnnActivationStruct& activation) {
  return activation.mode == CUDNN_ACTIVATION_RELU && activation.nan == CUDNN_NOT_PROPAGATE_NAN;
}

}  // namespace

float activated(const cudnnActivationStruct& activation, float x) {
  const auto coefficient = static_cast<float>(activation.coefficient);
  switch (activation.mode) {
    case CUDNN_ACTIVATION_SIGMOID:
      return 1 / (1 + std::exp(-x));
    case CUDNN_ACTIVATION_TANH:
      return std::tanh(x);
    case CUDNN_ACTIVATION_CLIPPED_RELU:
      return rectified(activation, x) > coefficient ? coefficient : rectified(activation, x);
    case CUDNN_ACTIVATION_ELU:
      return x > 0 ? x : coefficient * std::expm1(x);
    case CUDNN_ACTIVATION_IDENTITY:
      return x;
    default:
      return rectified(activation, x);
  }
}

float slope_at_value(const cudnnActivationStruct& activation, float y) {
  const auto coefficient = static_cast<float>(activation.coefficient);
  switch (activation.mode) {
    case CUDNN_ACTIVATION_SIGMOID:
      return y * (1 - y);
    case CUDNN_ACTIVATION_TANH:
      return 1 - y * y;
    case CUDNN_ACTIVATION_CLIPPED_RELU:
      return y > 0 && y < coefficient ? 1.0f : 0.0f;
    case CUDNN_ACTIVATION_ELU:
      return y > 0 ? 1.0f : y + coefficient;
    default:
      return y > 0 ? 1.0f : 0.0f;
  }
}

}  // namespace convkit::simt::dnn

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle,
                                     cudnnActivationDescriptor_t activationDesc, const void* alpha,
                                     const cudnnTensorDescriptor_t xDesc, const void* x,
                                     const void* beta, const cudnnTensorDescriptor_t yDesc,
                                     void* y) {
  Refusal refusal("cudnnActivationForward");
  if (refusal.no_handle(handle) ||
      refusal.null({{"activationDesc", activationDesc},
                    {"alpha", alpha},
                    {"xDesc", xDesc},
                    {"x", x},
                    {"beta", beta},
                    {"yDesc", yDesc},
                    {"y", y}}) ||
      refusal.never_set("xDesc", *xDesc) ||
      refusal.sizes_differ("xDesc", *xDesc, "yDesc", *yDesc) ||
      refusal.types_differ("xDesc", xDesc->type, "yDesc", yDesc->type) ||
      refusal.not_computed("xDesc", *xDesc) || refusal.not_computed("yDesc", *yDesc) ||
      is_unknown(refusal, *activationDesc)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnActivationForward");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle, [=, from = *xDesc, to = *yDesc, activation = *activationDesc] {
    if (!may_use(call, "x", x, from, Use::read) ||
        !may_use(call, "y", y, to, result_use(factors.beta))) {
      return;
    }
    const FloatInput input(x, from);
    FloatResult result(y, to, factors.beta != 0);
    const float* in = input.data();
    const auto rows = rows_of(to, from);
    if (is_plain_relu(activation)) {
      blend_rows(rows, factors, result.data(),
                 [=](const auto& at) { return in[at[1]] > 0 ? in[at[1]] : 0.0f; });
    } else {
      blend_rows(rows, factors, result.data(),
                 [&](const auto& at) { return activated(activation, in[at[1]]); });
    }
  });
}

cudnnStatus_t cudnnActivationBackward(cudnnHandle_t handle,
                                      cudnnActivationDescriptor_t activationDesc, const void* alpha,
                                      const cudnnTensorDescriptor_t yDesc, const void* y,
                                      const cudnnTensorDescriptor_t dyDesc, const void* dy,
                                      const cudnnTensorDescriptor_t xDesc, const void* x,
                                      const void* beta, const cudnnTensorDescriptor_t dxDesc,
                                      void* dx) {
  Refusal refusal("cudnnActivationBackward");
  if (refusal.no_handle(handle) ||
      refusal.null({{"activationDesc", activationDesc},
                    {"alpha", alpha},
                    {"yDesc", yDesc},
                    {"y", y},
                    {"dyDesc", dyDesc},
                    {"dy", dy},
                    {"xDesc", xDesc},
                    {"x", x},
                    {"beta", beta},
                    {"dxDesc", dxDesc},
                    {"dx", dx}}) ||
      refusal.never_set("yDesc", *yDesc) ||
      refusal.sizes_differ("yDesc", *yDesc, "dyDesc", *dyDesc) ||
      refusal.sizes_differ("yDesc", *yDesc, "xDesc", *xDesc) ||
      refusal.sizes_differ("yDesc", *yDesc, "dxDesc", *dxDesc) ||
      refusal.types_differ("yDesc", yDesc->type, "dyDesc", dyDesc->type) ||
      refusal.types_differ("yDesc", yDesc->type, "xDesc", xDesc->type) ||
      refusal.types_differ("yDesc", yDesc->type, "dxDesc", dxDesc->type) ||
      refusal.not_computed("yDesc", *yDesc) || refusal.not_computed("dyDesc", *dyDesc) ||
      refusal.not_computed("dxDesc", *dxDesc) || is_unknown(refusal, *activationDesc)) {
    return refusal.status();
  }
  const auto call = convkit::simt::library_call("cudnnActivationBackward");
  Factors factors;
  if (!take(call, alpha, beta, factors)) return CUDNN_STATUS_EXECUTION_FAILED;
  return enqueue_on(call, handle,
                    [=, result = *yDesc, gradient = *dyDesc, input = *xDesc, to = *dxDesc,
                     activation = *activationDesc] {
                      if (!may_use(call, "y", y, result, Use::read) ||
                          !may_use(call, "dy", dy, gradient, Use::read) ||
                          !may_use(call, "x", x, input, Use::read) ||
                          !may_use(call, "dx", dx, to, result_use(factors.beta))) {
                        return;
                      }
                      const FloatInput values(y, result), gradients(dy, gradient);
                      FloatResult results(dx, to, factors.beta != 0);
                      const float *of_y = values.data(), *above = gradients.data();
                      const auto rows = rows_of(to, result, gradient);
                      if (activation.mode == CUDNN_ACTIVATION_RELU) {
                        blend_rows(rows, factors, results.data(), [=](const auto& at) {
                          const float gradient_here =
                              above[at[2]];  // read in any case, so that vectors do
                          return of_y[at[1]] > 0 ? gradient_here : 0.0f;
                        });
                      } else {
                        blend_rows(rows, factors, results.data(), [&](const auto& at) {
                          return slope_at_value(activation, of_y[at[1]]) * above[at[2]];
                        });
                      }
                    });
}

}  // extern "C"

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* activationDesc) {
  Refusal refusal("cudnnCreateActivationDescriptor");
  if (refusal.null({{"activationDesc", activationDesc}})) return refusal.status();
  *activationDesc = new cudnnActivationStruct;
  note_created(activationDesc, "activation descriptor",
               convkit::simt::library_call("cudnnCreateActivationDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t activationDesc) {
  return destroy("cudnnDestroyActivationDescriptor", "activationDesc", activationDesc);
}

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t activationDesc,
                                           cudnnActivationMode_t mode,
                                           cudnnNanPropagation_t reluNanOpt, double coef) {
  Refusal refusal("cudnnSetActivationDescriptor");
  if (refusal.null({{"activationDesc", activationDesc}}) ||
      ((mode < CUDNN_ACTIVATION_SIGMOID || mode > CUDNN_ACTIVATION_SWISH) &&
       refusal.wrong_number("mode", mode, "it must be a cudnnActivationMode_t")) ||
      refusal.unknown_nan_option("reluNanOpt", reluNanOpt)) {
    return refusal.status();
  }
  *activationDesc = {mode, reluNanOpt, coef};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetActivationDescriptor(const cudnnActivationDescriptor_t activationDesc,
                                           cudnnActivationMode_t* mode,
                                           cudnnNanPropagation_t* reluNanOpt, double* coef) {
  Refusal refusal("cudnnGetActivationDescriptor");
  if (refusal.null({{"activationDesc", activationDesc},
                    {"mode", mode},
                    {"reluNanOpt", reluNanOpt},
                    {"coef", coef}})) {
    return refusal.status();
  }
  *mode = activationDesc->mode;
  *reluNanOpt = activationDesc->nan;
  *coef = activationDesc->coefficient;
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
