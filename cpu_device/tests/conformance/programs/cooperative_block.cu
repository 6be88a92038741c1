// SPDX-License-Identifier: MIT
// cooperative_groups::thread_block: ranks, sizes, indices, sync.
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

__device__ int block_sum(cg::thread_block block, int value, int* shared) {
  shared[block.thread_rank()] = value;
  block.sync();
  for (unsigned n = block.size() / 2; n > 0; n /= 2) {
    if (block.thread_rank() < n) shared[block.thread_rank()] += shared[block.thread_rank() + n];
    cg::sync(block);
  }
  return shared[0];
}

__global__ void block_kernel(int* out) {
  extern __shared__ int shared[];
  const cg::thread_block block = cg::this_thread_block();
  const int sum = block_sum(block, block.thread_rank() + 1, shared);
  if (block.thread_rank() != 63) return;
  int* mine = out + 8 * block.group_index().x;
  mine[0] = sum;
  mine[1] = block.thread_index().x;
  mine[2] = block.thread_index().y;
  mine[3] = block.group_index().x;
  mine[4] = block.size();
  mine[5] = block.num_threads();
  mine[6] = block.dim_threads().x;
  mine[7] = block.group_dim().y;
}

int main() {
  DeviceArray<int> out(16);
  block_kernel<<<2, dim3(16, 4), 64 * sizeof(int)>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  show("first", std::vector<int>(host.begin(), host.begin() + 8));
  show("second", std::vector<int>(host.begin() + 8, host.end()));
}

/* Prints:
first: 2080 15 3 0 64 64 16 4
second: 2080 15 3 1 64 64 16 4
*/
