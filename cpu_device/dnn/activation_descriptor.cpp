// SPDX-License-Identifier: MIT
// Descriptors of activations.
#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/refusal.h"

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
  note_destroyed(activationDesc);
  delete activationDesc;
  return CUDNN_STATUS_SUCCESS;
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
