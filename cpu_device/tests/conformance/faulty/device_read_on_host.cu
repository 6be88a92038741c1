// SPDX-License-Identifier: MIT
// Host code reads an element of device memory.
#include "../check.h"

int main() {
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 256 * sizeof(float)));
  CHECK(cudaMemset(d_data, 0, 256 * sizeof(float)));
  std::printf("%g\n", d_data[3]);  // fault
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "device_pointer_on_host"
line = 9
mentions = ["1024 bytes"]
mode = "any"
*/
