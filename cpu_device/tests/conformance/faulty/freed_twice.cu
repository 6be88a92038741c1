// SPDX-License-Identifier: MIT
// Two names for one allocation, and both are freed.
#include "../check.h"

int main() {
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 100 * sizeof(float)));
  float* d_alias = d_data;
  CHECK(cudaFree(d_data));
  CHECK(cudaFree(d_alias));  // fault
}

/* Reports:
kind = "double_free"
line = 10
mentions = ["400 bytes"]
mode = "check"
*/
