// SPDX-License-Identifier: MIT
// Threads and whole blocks leave early; those that stay meet at barriers and in warp functions.
#include "../check.h"

__global__ void tail_kernel(const int* in, int* out, int n) {
  __shared__ int cells[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (static_cast<int>(blockIdx.x) * 64 >= n) return;
  if (i >= n) return;
  cells[t] = in[i];
  __syncthreads();
  const int left = t > 0 ? cells[t - 1] : 0;
  __syncthreads();
  cells[t] += left;
  if (t % 2 == 1) return;
  __syncthreads();
  const int left_of_warp = min(64, n - static_cast<int>(blockIdx.x) * 64) - t / 32 * 32;
  const unsigned mask = 0x55555555u & (left_of_warp >= 32 ? ~0u : (1u << left_of_warp) - 1);
  const unsigned even = __ballot_sync(mask, cells[t] % 2 == 0);
  out[i] = cells[t] + (even != 0 ? 0 : 1000);
}

int main() {
  const int n = 100;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i * i;
  DeviceArray<int> in(values), out(n);
  tail_kernel<<<4, 64>>>(in.data(), out.data(), n);
  CHECK_LAUNCH();
  const std::vector<int> got = out.host();
  show("some", got[0], got[2], got[3], got[64], got[98], got[99]);
}

/* Prints:
some: 0 5 0 4096 20013 0
*/
