// SPDX-License-Identifier: MIT
// The pointer was moved on before it was freed.
#include "../check.h"

int main() {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 300));
  CHECK(cudaMemset(d_data, 0, 300));
  d_data += 4;
  CHECK(cudaFree(d_data));  // fault
}

/* Reports:
kind = "bad_free"
line = 10
mentions = ["300 bytes"]
mode = "check"
*/
