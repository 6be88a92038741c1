// SPDX-License-Identifier: MIT
// A way out of a function leaves a descriptor behind. Link with -lcudnn.
#include <cudnn.h>

#include "../check.h"

cudnnStatus_t describe(cudnnTensorDescriptor_t tensor, double most, int n, int c) {
  cudnnActivationDescriptor_t clipped = nullptr;
  cudnnStatus_t status = cudnnCreateActivationDescriptor(&clipped);  // fault
  if (status != CUDNN_STATUS_SUCCESS) return status;
  status = cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, 1, 1);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  status = cudnnSetActivationDescriptor(clipped, CUDNN_ACTIVATION_CLIPPED_RELU,
                                        CUDNN_NOT_PROPAGATE_NAN, most);
  cudnnDestroyActivationDescriptor(clipped);
  return status;
}

int main() {
  cudnnTensorDescriptor_t tensor = nullptr;
  cudnnCreateTensorDescriptor(&tensor);
  const bool good = describe(tensor, 6, 2, 3) == CUDNN_STATUS_SUCCESS;
  const bool bad = describe(tensor, 6, 2, -3) != CUDNN_STATUS_SUCCESS;
  cudnnDestroyTensorDescriptor(tensor);
  return good && bad ? 0 : 1;
}

/* Reports:
kind = "leak"
line = 9
mentions = ["an activation descriptor", "cudnnDestroyActivationDescriptor()"]
mode = "check"
*/
