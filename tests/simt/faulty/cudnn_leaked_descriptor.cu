// SPDX-License-Identifier: MIT
// A way out of a function leaves a descriptor behind. Link with -lcudnn.
#include <cudnn.h>

#include "../check.h"

cudnnStatus_t elements_of(int n, int c, size_t* bytes) {
  cudnnTensorDescriptor_t tensor = nullptr;
  cudnnStatus_t status = cudnnCreateTensorDescriptor(&tensor);  // fault
  if (status != CUDNN_STATUS_SUCCESS) return status;
  status = cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, 1, 1);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  status = cudnnGetTensorSizeInBytes(tensor, bytes);
  cudnnDestroyTensorDescriptor(tensor);
  return status;
}

int main() {
  size_t bytes = 0;
  elements_of(2, 3, &bytes);
  elements_of(2, -3, &bytes);
  return bytes == 24 ? 0 : 1;
}
