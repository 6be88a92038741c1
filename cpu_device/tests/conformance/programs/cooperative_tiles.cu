// SPDX-License-Identifier: MIT
// tiled_partition: ranks, shuffles, votes and sync of tiles of 4 to 32 threads, tiles of tiles.
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

template <int kSize>
__global__ void tiles_kernel(int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kSize>(block);
  const int i = block.thread_rank();
  int sum = i;
  for (int by = tile.size() / 2; by > 0; by /= 2) sum += tile.shfl_down(sum, by);
  const int from_first = tile.shfl(sum, 0);
  const int neighbour = tile.shfl_xor(i, 1);
  const int left = tile.shfl_up(i, 1);
  const unsigned odd = tile.ballot(i & 1);
  const int votes = 2 * (tile.any(i == 5) != 0) + (tile.all(i < 32) != 0);
  tile.sync();
  int* mine = out + 8 * i;
  mine[0] = from_first;
  mine[1] = neighbour;
  mine[2] = left;
  mine[3] = odd;
  mine[4] = votes;
  mine[5] = tile.thread_rank();
  mine[6] = tile.meta_group_rank();
  mine[7] = tile.meta_group_size();
}

__global__ void nested_kernel(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto quad = cg::tiled_partition<4>(warp);
  int value = threadIdx.x;
  if (warp.thread_rank() < 8) value = quad.shfl(value, 3) * 10;  // two tiles of this warp only
  warp.sync();
  out[threadIdx.x] = value + 1000 * quad.num_threads();
}

template <int kSize>
void run() {
  DeviceArray<int> out(8 * 64);
  tiles_kernel<kSize><<<1, 64>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  for (int i : {1, 6, 63}) {
    std::printf("tile of %d, thread %d:", kSize, i);
    for (int k = 0; k < 8; ++k) print(host[8 * i + k]);
    std::printf("\n");
  }
}

int main() {
  run<4>();
  run<8>();
  run<16>();
  run<32>();
  DeviceArray<int> out(64);
  nested_kernel<<<1, 64>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  show("nested", host[0], host[7], host[8], host[36], host[63]);
}

/* Prints:
tile of 4, thread 1: 6 0 0 10 1 1 0 16
tile of 4, thread 6: 22 7 5 10 3 2 1 16
tile of 4, thread 63: 246 62 62 10 0 3 15 16
tile of 8, thread 1: 28 0 0 170 3 1 0 8
tile of 8, thread 6: 28 7 5 170 3 6 0 8
tile of 8, thread 63: 476 62 62 170 0 7 7 8
tile of 16, thread 1: 120 0 0 43690 3 1 0 4
tile of 16, thread 6: 120 7 5 43690 3 6 0 4
tile of 16, thread 63: 888 62 62 43690 0 15 3 4
tile of 32, thread 1: 496 0 0 -1431655766 3 1 0 2
tile of 32, thread 6: 496 7 5 -1431655766 3 6 0 2
tile of 32, thread 63: 1520 62 62 -1431655766 0 31 1 2
nested: 4030 4070 4008 4390 4063
*/
