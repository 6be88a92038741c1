// SPDX-License-Identifier: MIT
// A loop on the host fills device memory.
#include "../check.h"

int main() {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 50 * sizeof(int)));
  for (int i = 0; i < 50; ++i) {
    d_data[i] = i;  // fault
  }
  CHECK(cudaFree(d_data));
}

/* Reports:
kind = "device_pointer_on_host"
line = 9
mentions = ["200 bytes"]
mode = "any"
*/
