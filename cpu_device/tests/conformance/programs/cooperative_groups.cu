// SPDX-License-Identifier: MIT
// Cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../check.h"
#include "../parts.h"

// cooperative_groups::thread_block: ranks, sizes, indices, sync.
namespace block {

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

PART(block) {
  DeviceArray<int> out(16);
  block_kernel<<<2, dim3(16, 4), 64 * sizeof(int)>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  show("first", std::vector<int>(host.begin(), host.begin() + 8));
  show("second", std::vector<int>(host.begin() + 8, host.end()));
}

}  // namespace block

/* Prints:
first: 2080 15 3 0 64 64 16 4
second: 2080 15 3 1 64 64 16 4
*/

// cooperative_groups::reduce over tiles, with the operators of the library and one of our own.
namespace reduce {

namespace cg = cooperative_groups;

__global__ void reduce_kernel(int* ints, float* floats) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto half_warp = cg::tiled_partition<16>(cg::this_thread_block());
  const int i = threadIdx.x;
  const int sum = cg::reduce(warp, i, cg::plus<int>());
  const int least = cg::reduce(half_warp, (i * 7) % 32, cg::less<int>());
  const int most = cg::reduce(half_warp, (i * 7) % 32, cg::greater<int>());
  const int ored = cg::reduce(warp, 1 << (i % 8), cg::bit_or<int>());
  const int anded = cg::reduce(warp, i | 64, cg::bit_and<int>());
  const int xored = cg::reduce(half_warp, i * i, cg::bit_xor<int>());
  const float real = cg::reduce(warp, i * 0.5f, cg::plus<float>());
  const int product = cg::reduce(half_warp, i % 2 + 1, [](int a, int b) { return a * b; });
  if (half_warp.thread_rank() == 0) {
    int* mine = ints + 7 * half_warp.meta_group_rank();
    const int values[] = {sum, least, most, ored, anded, xored, product};
    for (int k = 0; k < 7; ++k) mine[k] = values[k];
    floats[half_warp.meta_group_rank()] = real;
  }
}

PART(reduce) {
  DeviceArray<int> ints(28);
  DeviceArray<float> floats(4);
  reduce_kernel<<<1, 64>>>(ints.data(), floats.data());
  CHECK_LAUNCH();
  const std::vector<int> host = ints.host();
  for (int t = 0; t < 4; ++t) show("half warp", std::vector<int>(&host[7 * t], &host[7 * t] + 7));
  show("floats", floats.host());
}

}  // namespace reduce

/* Prints:
half warp: 496 0 31 255 64 0 256
half warp: 496 1 30 255 64 896 256
half warp: 1520 0 31 255 96 384 256
half warp: 1520 1 30 255 96 768 256
floats: 248 248 760 760
*/

// tiled_partition: ranks, shuffles, votes and sync of tiles of 4 to 32 threads, tiles of tiles.
namespace tiles {

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

PART(tiles) {
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

}  // namespace tiles

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
