// SPDX-License-Identifier: MIT
// Handles, streams and versions. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn, other;
  int major = 0;
  CHECK(cudnnGetProperty(MAJOR_VERSION, &major));
  expect("version", major >= 9 && cudnnGetVersion() / 10000 == static_cast<size_t>(major));
  expect("cudart", cudnnGetCudartVersion() >= 12000);
  cudaStream_t stream = reinterpret_cast<cudaStream_t>(1), made = nullptr;
  CHECK(cudnnGetStream(dnn, &stream));
  expect("the default stream at first", stream == nullptr);
  CHECK(cudaStreamCreate(&made));
  CHECK(cudnnSetStream(dnn, made));
  CHECK(cudnnGetStream(dnn, &stream));
  expect("its own stream", stream == made);
  CHECK(cudnnGetStream(other, &stream));
  expect("not the other's", stream == nullptr);

  // Factors are read at the call; calls run in the order of the stream.
  const Tensor tensor(1, 1, 1, 4);
  const DeviceArray<float> x(4);
  float value = 3;
  CHECK(cudnnSetTensor(dnn, tensor, x.data(), &value));
  value = 5;
  CHECK(cudnnScaleTensor(dnn, tensor, x.data(), &value));
  value = 100;
  CHECK(cudaStreamSynchronize(made));
  show("in order", x);
  CHECK(cudnnSetStream(dnn, nullptr));
  CHECK(cudaStreamDestroy(made));
}

/* Prints:
version: ok
cudart: ok
the default stream at first: ok
its own stream: ok
not the other's: ok
in order: 15 15 15 15
*/
