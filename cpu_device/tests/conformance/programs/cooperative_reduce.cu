// SPDX-License-Identifier: MIT
// cooperative_groups::reduce over tiles, with the operators of the library and one of our own.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../check.h"

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

int main() {
  DeviceArray<int> ints(28);
  DeviceArray<float> floats(4);
  reduce_kernel<<<1, 64>>>(ints.data(), floats.data());
  CHECK_LAUNCH();
  const std::vector<int> host = ints.host();
  for (int t = 0; t < 4; ++t) show("half warp", std::vector<int>(&host[7 * t], &host[7 * t] + 7));
  show("floats", floats.host());
}

/* Prints:
half warp: 496 0 31 255 64 0 256
half warp: 496 1 30 255 64 896 256
half warp: 1520 0 31 255 96 384 256
half warp: 1520 1 30 255 96 768 256
floats: 248 248 760 760
*/
