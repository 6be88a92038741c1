// SPDX-License-Identifier: MIT
// The address of a local variable is given to the kernel for its result.
#include "../check.h"

__global__ void answer_kernel(int* out) {
  *out = 42;
}

int main() {
  int result = 0;
  answer_kernel<<<1, 1>>>(&result);  // fault
  CHECK_LAUNCH();
  return result == 42 ? 0 : 1;
}

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "answer_kernel"
line = 11
mentions = ["argument 1"]
mode = "any"
*/
