// SPDX-License-Identifier: MIT
// __shfl_up_sync, _down_sync and _xor_sync with widths: what a lane gets at the edge of its
// segment.
#include "../check.h"

__global__ void directions_kernel(int* up, int* down, int* exclusive, int by, int width) {
  const int lane = threadIdx.x;
  up[lane] = __shfl_up_sync(0xffffffff, lane, by, width);
  down[lane] = __shfl_down_sync(0xffffffff, lane, by, width);
  exclusive[lane] = __shfl_xor_sync(0xffffffff, lane, by, width);
}

int main() {
  DeviceArray<int> up(32), down(32), exclusive(32);
  int wrong = 0;
  for (int width = 2; width <= 32; width *= 2) {
    for (int by = 0; by < 32; ++by) {
      directions_kernel<<<1, 32>>>(up.data(), down.data(), exclusive.data(), by, width);
      const std::vector<int> u = up.host(), d = down.host(), x = exclusive.host();
      for (int lane = 0; lane < 32; ++lane) {
        const int first = lane & ~(width - 1), last = first + width - 1;
        wrong += u[lane] != (lane - by >= first ? lane - by : lane);
        wrong += d[lane] != (lane + by <= last ? lane + by : lane);
        wrong += x[lane] != ((lane ^ by) <= last ? lane ^ by : lane);
      }
    }
  }
  show("wrong", wrong);
  directions_kernel<<<1, 32>>>(up.data(), down.data(), exclusive.data(), 3, 8);
  show("up 3, width 8", up.host());
  show("down 3, width 8", down.host());
  directions_kernel<<<1, 32>>>(up.data(), down.data(), exclusive.data(), 8, 8);
  show("xor 8, width 8", exclusive.host());
}

/* Prints:
wrong: 0
up 3, width 8: 0 1 2 0 1 2 3 4 8 9 10 8 9 10 11 12 16 17 18 16 17 18 19 20 24 25 26 24 25 26 27 28
down 3, width 8: 3 4 5 6 7 5 6 7 11 12 13 14 15 13 14 15 19 20 21 22 23 21 22 23 27 28 29 30 31 29 30 31
xor 8, width 8: 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 16 17 18 19 20 21 22 23
*/
