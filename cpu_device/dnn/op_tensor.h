// SPDX-License-Identifier: MIT
// The contents of a descriptor of an operation on two tensors.
#pragma once

#include "simt/cudnn_op_tensor.h"

struct cudnnOpTensorStruct {
  cudnnOpTensorOp_t operation = CUDNN_OP_TENSOR_ADD;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
};
