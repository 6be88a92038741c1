// SPDX-License-Identifier: MIT
// Kernels and a launch in a .cuh file that this program includes.
#include "header_kernels.cuh"

#include "../check.h"

int main() {
  DeviceArray<int> data({5, 6, 7});
  header_kernels::add<int>(data.data(), 3, 10);
  CHECK_LAUNCH();
  show("from the header", data.host());
  header_kernels::reverse_kernel<int><<<1, 3, 3 * sizeof(int)>>>(data.data());
  CHECK_LAUNCH();
  show("launched here", data.host());
}

/* Prints:
from the header: 15 16 17
launched here: 17 16 15
*/
