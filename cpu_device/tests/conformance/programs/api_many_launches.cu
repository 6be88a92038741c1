// SPDX-License-Identifier: MIT
// Twenty thousand launches, each seeing what the one before it left.
#include "../check.h"

__global__ void step_kernel(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
}

int main() {
  DeviceArray<unsigned> state(1);
  unsigned expected = 0;
  for (int i = 0; i < 20000; ++i) {
    step_kernel<<<1, 1>>>(state.data());
    expected = expected * 1664525u + 1013904223u;
  }
  CHECK_LAUNCH();
  expect("state", state.host()[0] == expected);
}

/* Prints:
state: ok
*/
