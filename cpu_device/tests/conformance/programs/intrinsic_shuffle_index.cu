// SPDX-License-Identifier: MIT
// __shfl_sync with every width; source lanes beyond the width wrap within the segment.
#include "../check.h"

__global__ void index_kernel(int* out, int width, int source) {
  const int lane = threadIdx.x;
  out[lane] = __shfl_sync(0xffffffff, 100 + lane, source, width);
}

__global__ void rotate_kernel(int* out) {
  const int lane = threadIdx.x;
  out[lane] = __shfl_sync(0xffffffff, lane * lane, lane + 1);
}

int main() {
  DeviceArray<int> out(32);
  int wrong = 0;
  for (int width = 1; width <= 32; width *= 2) {
    for (int source = 0; source < 40; source += 3) {
      index_kernel<<<1, 32>>>(out.data(), width, source);
      const std::vector<int> host = out.host();
      for (int lane = 0; lane < 32; ++lane) {
        wrong += host[lane] != 100 + (lane & ~(width - 1)) + (source & (width - 1));
      }
    }
  }
  show("wrong", wrong);
  index_kernel<<<1, 32>>>(out.data(), 8, 11);
  show("width 8, source 11", out.host());
  rotate_kernel<<<1, 32>>>(out.data());
  show("rotated squares", out.host());
}

/* Prints:
wrong: 0
width 8, source 11: 103 103 103 103 103 103 103 103 111 111 111 111 111 111 111 111 119 119 119 119 119 119 119 119 127 127 127 127 127 127 127 127
rotated squares: 1 4 9 16 25 36 49 64 81 100 121 144 169 196 225 256 289 324 361 400 441 484 529 576 625 676 729 784 841 900 961 0
*/
