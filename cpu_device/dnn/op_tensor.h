// SPDX-License-Identifier: MIT
// What a descriptor of an operation on two tensors holds.
#pragma once

#include "simt/cudnn_op_tensor.h"

struct cudnnOpTensorStruct {
  cudnnOpTensorOp_t operation = CUDNN_OP_TENSOR_ADD;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
};
