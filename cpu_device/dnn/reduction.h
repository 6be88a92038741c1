// SPDX-License-Identifier: MIT
// Reductions, and what their descriptors hold.
#pragma once

#include "cpu_device/dnn/arguments.h"
#include "simt/cudnn_reduce.h"

struct cudnnReduceTensorStruct {
  cudnnReduceTensorOp_t operation = CUDNN_REDUCE_TENSOR_ADD;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  cudnnReduceTensorIndices_t indices = CUDNN_REDUCE_TENSOR_NO_INDICES;
  cudnnIndicesType_t indices_type = CUDNN_32BIT_INDICES;
};

namespace convkit::simt::dnn {

// c = alpha * (a reduced along the axes where c has size 1) + beta * c. In double.
void reduce(cudnnReduceTensorOp_t operation, cudnnNanPropagation_t nan, Factors factors,
            const float* a, const cudnnTensorStruct& a_tensor, float* c,
            const cudnnTensorStruct& c_tensor);

}  // namespace convkit::simt::dnn
