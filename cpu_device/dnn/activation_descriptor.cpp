// SPDX-License-Identifier: MIT
// Descriptors of activations.
#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* activationDesc) {
  if (!activationDesc) return CUDNN_STATUS_BAD_PARAM;
  *activationDesc = new cudnnActivationStruct;
  note_created(*activationDesc, "activation descriptor",
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
  if (!activationDesc || mode < CUDNN_ACTIVATION_SIGMOID || mode > CUDNN_ACTIVATION_SWISH ||
      !is_nan_propagation(reluNanOpt)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  *activationDesc = {mode, reluNanOpt, coef};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetActivationDescriptor(const cudnnActivationDescriptor_t activationDesc,
                                           cudnnActivationMode_t* mode,
                                           cudnnNanPropagation_t* reluNanOpt, double* coef) {
  if (!activationDesc || !mode || !reluNanOpt || !coef) return CUDNN_STATUS_BAD_PARAM;
  *mode = activationDesc->mode;
  *reluNanOpt = activationDesc->nan;
  *coef = activationDesc->coefficient;
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
