// SPDX-License-Identifier: MIT
// Each warp works in its own part of a shared array, with __syncwarp alone, at its own pace.
#include "../check.h"

__global__ void regions_kernel(int* out) {
  __shared__ int cells[4][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int* mine = cells[warp];
  mine[lane] = lane;
  for (int round = 0; round < 2 * warp + 1; ++round) {  // unequally many rounds
    __syncwarp();
    const int next = mine[(lane + 1) % 32];
    __syncwarp();
    mine[lane] = next + 1;
  }
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < 4; ++w) sum += cells[w][lane];
  if (warp == 0) out[lane] = sum;
}

int main() {
  DeviceArray<int> out(32);
  regions_kernel<<<1, 128>>>(out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

/* Prints:
sums: 32 36 40 44 48 52 56 60 64 68 72 76 80 84 88 92 96 100 104 108 112 116 120 124 128 100 104 76 80 52 56 28
*/
