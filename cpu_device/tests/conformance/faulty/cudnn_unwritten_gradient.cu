// SPDX-License-Identifier: MIT
// beta is 1 on the first use: the gradient is added to what nobody has written. Link with -lcudnn.
#include "../check_cudnn.h"

int main() {
  const Dnn dnn;
  const Tensor dy(1, 2, 2, 2), db(1, 2, 1, 1);
  const DeviceArray<float> above(numbers(8, 1));
  float* bias = nullptr;
  CHECK(cudaMalloc(&bias, 2 * sizeof(float)));
  const float one = 1;
  CHECK(cudnnConvolutionBackwardBias(dnn, &one, dy, above.data(), &one, db, bias));  // fault
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(bias));
}

/* Reports:
kind = "uninitialised_global"
kernel = "cudnnConvolutionBackwardBias"
line = 12
mentions = ["element 0 (byte 0) of allocation 2 (8 bytes", "through its argument db"]
mode = "check"
*/
