// SPDX-License-Identifier: MIT
// grid_stride_range() gives every index to exactly one thread, whatever the grid, and an empty
// range to none.
#include "../../../../runtime/include/convkit/grid_stride_range.h"
#include "../check.h"

__global__ void count_visits(int* visits, int64_t count) {
  for (const int64_t i : grid_stride_range(count)) atomicAdd(&visits[i], 1);
}

// Neighbouring indices belong to neighbouring threads: 4, and a stride of 6, are thread 4's.
__global__ void first_and_second(int64_t* seen) {
  int at = 0;
  for (const int64_t i : grid_stride_range(12)) {
    if (blockIdx.x * blockDim.x + threadIdx.x == 4) seen[at++] = i;
  }
}

int main() {
  for (const int blocks : {1, 2, 3, 40}) {
    DeviceArray<int> visits(std::vector<int>(100, 0));
    count_visits<<<blocks, 32>>>(visits.data(), 100);
    CHECK_LAUNCH();
    int once = 0;
    for (const int visit : visits.host()) once += visit == 1;
    std::printf("%d blocks: %d of 100 visited once\n", blocks, once);
  }
  DeviceArray<int> none(std::vector<int>(1, 7));
  count_visits<<<2, 32>>>(none.data(), 0);
  CHECK_LAUNCH();
  show("nothing of an empty range", none.host());

  DeviceArray<int64_t> seen(std::vector<int64_t>(2, -1));
  first_and_second<<<2, 3>>>(seen.data());
  CHECK_LAUNCH();
  std::printf("thread 4 of 6: %lld, %lld\n", (long long)seen.host()[0], (long long)seen.host()[1]);

  std::printf("blocks for 0, 1, 256, 257 and 10^9 elements: %u %u %u %u %u\n",
              grid_stride_blocks(0, 256), grid_stride_blocks(1, 256), grid_stride_blocks(256, 256),
              grid_stride_blocks(257, 256), grid_stride_blocks(1000000000, 256));
}

/* Prints:
1 blocks: 100 of 100 visited once
2 blocks: 100 of 100 visited once
3 blocks: 100 of 100 visited once
40 blocks: 100 of 100 visited once
nothing of an empty range: 7
thread 4 of 6: 4, 10
blocks for 0, 1, 256, 257 and 10^9 elements: 1 1 1 2 2048
*/
