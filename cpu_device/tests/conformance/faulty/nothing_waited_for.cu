// SPDX-License-Identifier: MIT
// The program ends without waiting for its kernel.
#include "../check.h"

__global__ void hello_kernel() {
  printf("hello\n");
}

int main() {
  hello_kernel<<<1, 1>>>();  // fault
  return 0;
}

/* Reports:
kind = "unwaited_work"
line = 10
mentions = ["hello_kernel, launched at"]
mode = "check"
*/
