// SPDX-License-Identifier: MIT
// atomicInc and atomicDec wrap around at their bound.
#include "../check.h"

__global__ void wrap_kernel(unsigned* counters, int* zeros) {
  if (atomicInc(&counters[0], 9) == 0) atomicAdd(&zeros[0], 1);
  if (atomicDec(&counters[1], 9) == 0) atomicAdd(&zeros[1], 1);
  atomicInc(&counters[2], 0xffffffffu);
}

__global__ void beyond_kernel(unsigned* counters, unsigned* out) {
  out[0] = atomicInc(&counters[3], 10);  // 50 is beyond the bound: becomes 0
  out[1] = atomicDec(&counters[4], 10);  // becomes 10
  out[2] = atomicInc(&counters[5], 0);   // stays 0
  out[3] = atomicDec(&counters[6], 5);   // 3 becomes 2
}

int main() {
  DeviceArray<unsigned> counters({0, 0, 4294967290u, 50, 50, 0, 3}), out(4);
  DeviceArray<int> zeros(2);
  wrap_kernel<<<5, 21>>>(counters.data(), zeros.data());
  beyond_kernel<<<1, 1>>>(counters.data(), out.data());
  CHECK_LAUNCH();
  show("counters", counters.host());
  show("zeros", zeros.host());
  show("returned", out.host());
}

/* Prints:
counters: 5 5 99 0 10 0 2
zeros: 11 11
returned: 50 50 0 3
*/
