// SPDX-License-Identifier: MIT
// cuDNN: operations on the elements of two tensors, and copies from one layout to another.
#pragma once

#include "simt/cudnn_types.h"

typedef struct cudnnOpTensorStruct* cudnnOpTensorDescriptor_t;

typedef enum {
  CUDNN_OP_TENSOR_ADD = 0,
  CUDNN_OP_TENSOR_MUL = 1,
  CUDNN_OP_TENSOR_MIN = 2,
  CUDNN_OP_TENSOR_MAX = 3,
  CUDNN_OP_TENSOR_SQRT = 4,
  CUDNN_OP_TENSOR_NOT = 5
} cudnnOpTensorOp_t;

#pragma GCC visibility push(default)
extern "C" {

cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t* opTensorDesc);
cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc,
                                         cudnnOpTensorOp_t opTensorOp,
                                         cudnnDataType_t opTensorCompType,
                                         cudnnNanPropagation_t opTensorNanOpt);
cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t opTensorDesc,
                                         cudnnOpTensorOp_t* opTensorOp,
                                         cudnnDataType_t* opTensorCompType,
                                         cudnnNanPropagation_t* opTensorNanOpt);
cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc);
cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle, const cudnnOpTensorDescriptor_t opTensorDesc,
                            const void* alpha1, const cudnnTensorDescriptor_t aDesc, const void* A,
                            const void* alpha2, const cudnnTensorDescriptor_t bDesc, const void* B,
                            const void* beta, const cudnnTensorDescriptor_t cDesc, void* C);
cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void* alpha,
                                   const cudnnTensorDescriptor_t xDesc, const void* x,
                                   const void* beta, const cudnnTensorDescriptor_t yDesc, void* y);

}  // extern "C"
#pragma GCC visibility pop
