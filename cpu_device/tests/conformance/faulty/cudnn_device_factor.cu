// SPDX-License-Identifier: MIT
// alpha lies in device memory. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor x(1, 1, 1, 4);
  const DeviceArray<float> values(numbers(4, 1)), alpha{2};
  cudnnScaleTensor(dnn, x, values.data(), alpha.data());  // fault
  CHECK(cudaDeviceSynchronize());
}

/* Reports:
kind = "device_pointer_on_host"
kernel = "cudnnScaleTensor"
line = 9
mentions = ["argument alpha of cudnnScaleTensor, which is read on the host"]
mode = "any"
*/
