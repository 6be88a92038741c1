// SPDX-License-Identifier: MIT
// Descriptors of operations on two tensors.
#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/op_tensor.h"
#include "cpu_device/dnn/refusal.h"

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t* opTensorDesc) {
  Refusal refusal("cudnnCreateOpTensorDescriptor");
  if (refusal.null({{"opTensorDesc", opTensorDesc}})) return refusal.status();
  *opTensorDesc = new cudnnOpTensorStruct;
  note_created(opTensorDesc, "operation descriptor",
               convkit::simt::library_call("cudnnCreateOpTensorDescriptor"));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc) {
  note_destroyed(opTensorDesc);
  delete opTensorDesc;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc,
                                         cudnnOpTensorOp_t opTensorOp,
                                         cudnnDataType_t opTensorCompType,
                                         cudnnNanPropagation_t opTensorNanOpt) {
  Refusal refusal("cudnnSetOpTensorDescriptor");
  if (refusal.null({{"opTensorDesc", opTensorDesc}}) ||
      ((opTensorOp < CUDNN_OP_TENSOR_ADD || opTensorOp > CUDNN_OP_TENSOR_NOT) &&
       refusal.wrong_number("opTensorOp", opTensorOp, "it must be a cudnnOpTensorOp_t")) ||
      refusal.unknown_type("opTensorCompType", opTensorCompType) ||
      refusal.unknown_nan_option("opTensorNanOpt", opTensorNanOpt)) {
    return refusal.status();
  }
  *opTensorDesc = {opTensorOp, opTensorCompType, opTensorNanOpt};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t opTensorDesc,
                                         cudnnOpTensorOp_t* opTensorOp,
                                         cudnnDataType_t* opTensorCompType,
                                         cudnnNanPropagation_t* opTensorNanOpt) {
  Refusal refusal("cudnnGetOpTensorDescriptor");
  if (refusal.null({{"opTensorDesc", opTensorDesc},
                    {"opTensorOp", opTensorOp},
                    {"opTensorCompType", opTensorCompType},
                    {"opTensorNanOpt", opTensorNanOpt}})) {
    return refusal.status();
  }
  *opTensorOp = opTensorDesc->operation;
  *opTensorCompType = opTensorDesc->type;
  *opTensorNanOpt = opTensorDesc->nan;
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
