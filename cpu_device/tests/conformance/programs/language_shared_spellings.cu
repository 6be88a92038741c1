// SPDX-License-Identifier: MIT
// The ways in which shared arrays are written in existing code: `static`, `volatile`, alignment,
// several names in one declaration, an array at file scope.
#include "../check.h"

__shared__ int file_scope[4];

__global__ void spellings_kernel(int* out) {
  static __shared__ int with_static[4];
  volatile __shared__ int volatile_first[4];
  __shared__ volatile int volatile_last[4];
  __align__(16) __shared__ int aligned_first[4];
  __shared__ __align__(32) int aligned_last[4];
  __shared__ int one[4], other[4], alone;
  const int i = threadIdx.x;
  file_scope[i] = i;
  with_static[i] = 10 + i;
  volatile_first[i] = 20 + i;
  volatile_last[i] = 30 + i;
  aligned_first[i] = 40 + i;
  aligned_last[i] = 50 + i;
  one[i] = 60 + i;
  other[i] = 70 + i;
  if (i == 0) alone = 1000;
  __syncthreads();
  const int j = 3 - i;
  out[i] = file_scope[j] + with_static[j] + volatile_first[j] + volatile_last[j] +
           aligned_first[j] + aligned_last[j] + one[j] + other[j] + alone;
  if (i == 0) {
    out[4] = reinterpret_cast<unsigned long long>(&aligned_first[0]) % 16 == 0;
    out[5] = reinterpret_cast<unsigned long long>(&aligned_last[0]) % 32 == 0;
  }
}

int main() {
  DeviceArray<int> out(6);
  spellings_kernel<<<1, 4>>>(out.data());
  CHECK_LAUNCH();
  show("sums, aligned", out.host());
}

/* Prints:
sums, aligned: 1304 1296 1288 1280 1 1
*/
