// SPDX-License-Identifier: MIT
// The gradient of a dropout is asked for without the forward call that says what stayed.
// Link with -lcudnn.
#include "../check_cudnn.h"

using Dropout =
    Owner<cudnnDropoutDescriptor_t, cudnnCreateDropoutDescriptor, cudnnDestroyDropoutDescriptor>;

int main() {
  const Dnn dnn;
  const Dropout dropout;
  const Tensor desc(1, 1, 8, 8);
  size_t state_bytes = 0, reserve_bytes = 0;
  CHECK(cudnnDropoutGetStatesSize(dnn, &state_bytes));
  CHECK(cudnnDropoutGetReserveSpaceSize(desc, &reserve_bytes));
  const DeviceArray<char> states(state_bytes);
  const DeviceArray<float> above(numbers(64, 1)), gradient(64);
  char* reserve = nullptr;
  CHECK(cudaMalloc(&reserve, reserve_bytes));
  CHECK(cudnnSetDropoutDescriptor(dropout, dnn, 0.5f, states.data(), state_bytes, 1));
  CHECK(cudnnDropoutBackward(dnn, dropout, desc, above.data(), desc, gradient.data(),  // fault
                             reserve, reserve_bytes));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(reserve));
}

/* Reports:
kind = "uninitialised_global"
kernel = "cudnnDropoutBackward"
line = 21
mentions = ["through its argument reserveSpace"]
mode = "check"
*/
