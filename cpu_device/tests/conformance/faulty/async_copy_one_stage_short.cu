// SPDX-License-Identifier: MIT
// The last part has no stage after it: wait_prior<1> leaves it under way. By then both buffers hold
// older parts.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "../check.h"

namespace cg = cooperative_groups;

__global__ void sum_kernel(const int* in, int* out, int parts) {
  __shared__ int cells[2][32];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, cells[0], in, sizeof cells[0]);
  int sum = 0;
  for (int part = 0; part < parts; ++part) {
    if (part + 1 < parts) {
      const int* next = in + 32 * (part + 1);
      cg::memcpy_async(block, cells[(part + 1) % 2], next, sizeof cells[0]);  // fault
    }
    cg::wait_prior<1>(block);
    sum += cells[part % 2][31 - threadIdx.x];  // fault
    block.sync();
  }
  out[threadIdx.x] = sum;
}

int main() {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 4 * 32 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 4 * 32 * sizeof(int)));
  sum_kernel<<<1, 32>>>(d_in, d_out, 4);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "uninitialised_shared"
kernel = "sum_kernel"
lines = [19, 22]
mentions = ["asynchronous copy"]
mode = "check"
*/
