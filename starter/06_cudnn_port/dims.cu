// SPDX-License-Identifier: MIT
// Task 06.1: the output's sizes, from the descriptors alone.
#include <algorithm>

#include "convolution.cuh"
#include "cudnn_port.h"

cudnnStatus_t conv2d_output_dims(const Conv2dShape* shape, int* dims) {
  // TODO(06.1): describe the convolution and copy its `output`. Return a status that is not a
  // success to the caller.
  CONVKIT_TODO("06.1");
  (void)shape, (void)dims;
  return CUDNN_STATUS_SUCCESS;
}
