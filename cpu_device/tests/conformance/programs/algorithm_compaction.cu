// SPDX-License-Identifier: MIT
// Keeping some elements in order: votes within a warp, a scan over warps, an offset for each block.
#include "../check.h"

__global__ void compact_kernel(const int* in, int n, int* out, int* kept) {
  __shared__ int warp_counts[8], block_first;
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32,
            warp = threadIdx.x / 32;
  const bool keep = i < n && in[i] % 3 == 0;
  const unsigned mask = __ballot_sync(0xffffffff, keep);
  const int before = __popc(mask & ((1u << lane) - 1));
  if (lane == 0) warp_counts[warp] = __popc(mask);
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int w = 0; w < 8; ++w) {
      const int count = warp_counts[w];
      warp_counts[w] = sum;
      sum += count;
    }
    block_first = atomicAdd(kept, sum);
  }
  __syncthreads();
  if (keep) out[block_first + warp_counts[warp] + before] = in[i];
}

int main() {
  const int n = 1000;
  std::vector<int> values(n);
  long long expected = 0;
  for (int i = 0; i < n; ++i) {
    values[i] = (i * 37) % 1009;
    if (values[i] % 3 == 0) expected += values[i];
  }
  DeviceArray<int> in(values), out(n), kept(1);
  compact_kernel<<<4, 256>>>(in.data(), n, out.data(), kept.data());
  CHECK_LAUNCH();
  const int count = kept.host()[0];
  const std::vector<int> got = out.host();
  long long sum = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    sum += got[i];
    wrong += i < count ? got[i] % 3 != 0 : got[i] != 0;
  }
  show("kept, wrong", count, wrong);
  expect("sum", sum == expected);
}

/* Prints:
kept, wrong: 334 0
sum: ok
*/
