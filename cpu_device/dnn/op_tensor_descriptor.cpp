// SPDX-License-Identifier: MIT
// Descriptors of operations on two tensors.
#include "cpu_device/dnn/alive.h"
#include "cpu_device/dnn/descriptors.h"
#include "cpu_device/dnn/op_tensor.h"

using namespace convkit::simt::dnn;

extern "C" {

cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t* opTensorDesc) {
  if (!opTensorDesc) return CUDNN_STATUS_BAD_PARAM;
  *opTensorDesc = new cudnnOpTensorStruct;
  note_created(*opTensorDesc, "operation descriptor",
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
  if (!opTensorDesc || opTensorOp < CUDNN_OP_TENSOR_ADD || opTensorOp > CUDNN_OP_TENSOR_NOT ||
      element_bytes(opTensorCompType) == 0 || !is_nan_propagation(opTensorNanOpt)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  *opTensorDesc = {opTensorOp, opTensorCompType, opTensorNanOpt};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t opTensorDesc,
                                         cudnnOpTensorOp_t* opTensorOp,
                                         cudnnDataType_t* opTensorCompType,
                                         cudnnNanPropagation_t* opTensorNanOpt) {
  if (!opTensorDesc || !opTensorOp || !opTensorCompType || !opTensorNanOpt) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  *opTensorOp = opTensorDesc->operation;
  *opTensorCompType = opTensorDesc->type;
  *opTensorNanOpt = opTensorDesc->nan;
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
