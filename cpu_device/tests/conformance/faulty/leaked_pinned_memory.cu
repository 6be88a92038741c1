// SPDX-License-Identifier: MIT
// Pinned memory is lost on an early return.
#include "../check.h"

bool process(int n) {
  float* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, 777));  // fault
  if (n == 0) return false;
  CHECK(cudaFreeHost(pinned));
  return true;
}

int main() {
  return process(1) && !process(0) ? 0 : 1;
}

/* Reports:
kind = "leak"
line = 7
mentions = ["777"]
mode = "check"
*/
