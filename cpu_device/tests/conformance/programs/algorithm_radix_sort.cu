// SPDX-License-Identifier: MIT
// A radix sort by single bits: each pass scans flags in shared memory and scatters.
#include "../check.h"

__global__ void sort_kernel(unsigned* keys, int n) {
  __shared__ unsigned values[256];
  __shared__ int scan[2][256];
  const int i = threadIdx.x;
  values[i] = i < n ? keys[i] : 0xffffffffu;
  for (int bit = 0; bit < 16; ++bit) {
    __syncthreads();
    const unsigned mine = values[i];
    const int zero = !(mine >> bit & 1);
    int from = 0;
    scan[0][i] = zero;
    for (int by = 1; by < 256; by *= 2, from = 1 - from) {
      __syncthreads();
      scan[1 - from][i] = scan[from][i] + (i >= by ? scan[from][i - by] : 0);
    }
    __syncthreads();
    const int zeros = scan[from][255], before = scan[from][i] - zero;
    values[zero ? before : zeros + i - before] = mine;
  }
  __syncthreads();
  if (i < n) keys[i] = values[i];
}

int main() {
  const int n = 200;
  std::vector<unsigned> keys(n);
  for (int i = 0; i < n; ++i) keys[i] = (i * 40503u + 7) & 0xffff;
  DeviceArray<unsigned> d_keys(keys);
  sort_kernel<<<1, 256>>>(d_keys.data(), n);
  CHECK_LAUNCH();
  const std::vector<unsigned> sorted = d_keys.host();
  int disorder = 0;
  unsigned sum = 0, expected = 0;
  for (int i = 0; i < n; ++i) {
    disorder += i > 0 && sorted[i - 1] > sorted[i];
    sum += sorted[i], expected += keys[i];
  }
  show("disorder, same sum", disorder, sum == expected);
  show("ends", sorted[0], sorted[n - 1]);
}

/* Prints:
disorder, same sum: 0 1
ends: 7 65271
*/
