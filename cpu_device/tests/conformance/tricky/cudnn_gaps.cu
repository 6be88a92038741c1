// SPDX-License-Identifier: MIT
// Tensors with gaps along all four dimensions: what lies between their elements was never written,
// and is not read. Nor is a result where beta is 0. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor spread;
  CHECK(cudnnSetTensor4dDescriptorEx(spread, CUDNN_DATA_FLOAT, 2, 2, 2, 2, 80, 30, 10, 2));
  const Tensor packed(2, 2, 2, 2);
  float* memory = nullptr;
  CHECK(cudaMalloc(&memory, 123 * sizeof(float)));  // the last element is number 122
  const float one = 1, two = 2, zero = 0, three = 3;
  CHECK(cudnnSetTensor(dnn, spread, memory, &two));
  CHECK(cudnnScaleTensor(dnn, spread, memory, &three));
  const DeviceArray<float> result(16);
  CHECK(cudnnAddTensor(dnn, &one, spread, memory, &zero, packed, result.data()));
  show("gathered", result);

  const Activation relu;
  CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  float* unwritten = nullptr;
  CHECK(cudaMalloc(&unwritten, 16 * sizeof(float)));
  CHECK(cudnnActivationForward(dnn, relu, &one, packed, result.data(), &zero, packed, unwritten));
  CHECK(cudnnAddTensor(dnn, &one, packed, unwritten, &one, packed, result.data()));
  show("beta is 0", result);
  CHECK(cudaFree(unwritten));
  CHECK(cudaFree(memory));
}

/* Prints:
gathered: 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6
beta is 0: 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12
*/
