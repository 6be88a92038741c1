// SPDX-License-Identifier: MIT
// A barrier does not wait for asynchronous copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "../check.h"

namespace cg = cooperative_groups;

__global__ void reverse_kernel(const int* in, int* out) {
  __shared__ int cells[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, cells, in, sizeof cells);  // fault: cg::wait() is missing
  block.sync();
  out[threadIdx.x] = cells[63 - threadIdx.x];  // fault
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 64 * sizeof(int)));
  reverse_kernel<<<1, 64>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "uninitialised_shared"
kernel = "reverse_kernel"
lines = [13, 15]
mentions = ["asynchronous copy"]
mode = "check"
*/
