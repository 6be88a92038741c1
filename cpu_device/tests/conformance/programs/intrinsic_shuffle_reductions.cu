// SPDX-License-Identifier: MIT
// Reductions and scans by shuffles: sum, maximum, all lanes by xor, inclusive scan, several warps.
#include "../check.h"

__device__ int warp_sum(int value) {
  for (int by = 16; by > 0; by /= 2) value += __shfl_down_sync(0xffffffff, value, by);
  return value;
}
__device__ double warp_max(double value) {
  for (int by = 1; by < 32; by *= 2) value = max(value, __shfl_xor_sync(0xffffffff, value, by));
  return value;
}
__device__ int warp_scan(int value) {
  const int lane = threadIdx.x & 31;
  for (int by = 1; by < 32; by *= 2) {
    const int left = __shfl_up_sync(0xffffffff, value, by);
    if (lane >= by) value += left;
  }
  return value;
}

__global__ void reductions_kernel(int* sums, double* maxima, int* scans) {
  const int i = threadIdx.x, warp = i / 32;
  const int sum = warp_sum(i);
  const double largest = warp_max((i * 37 % 101) + 0.5);
  scans[i] = warp_scan(i + 1);
  if (i % 32 == 0) sums[warp] = sum;
  if (i % 32 == 7) maxima[warp] = largest;
}

int main() {
  DeviceArray<int> sums(4), scans(128);
  DeviceArray<double> maxima(4);
  reductions_kernel<<<1, 128>>>(sums.data(), maxima.data(), scans.data());
  CHECK_LAUNCH();
  show("sums", sums.host());
  show("maxima", maxima.host());
  const std::vector<int> scan = scans.host();
  show("scans", scan[0], scan[31], scan[32], scan[63], scan[127]);
}

/* Prints:
sums: 496 1520 2544 3568
maxima: 100.5 99.5 98.5 97.5
scans: 1 528 33 1552 3600
*/
