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
