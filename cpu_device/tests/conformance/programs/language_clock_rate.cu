// SPDX-License-Identifier: MIT
// A kernel that lets its clock run for 5 ms, by the rate that the device reports, takes 5 ms. (The
// rate is the highest: a GPU may run slower, and then takes longer.)
#include <ctime>

#include "../check.h"

__global__ void wait_by_clock64(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

__global__ void wait_by_clock(clock_t cycles) {
  const clock_t start = clock();
  while (clock() - start < cycles) {
  }
}

int main() {
  const std::clock_t host_start = std::clock();
  int rate_khz = 0;
  CHECK(cudaDeviceGetAttribute(&rate_khz, cudaDevAttrClockRate, 0));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaEventRecord(start));
    if (i == 0) {
      wait_by_clock64<<<1, 1>>>(5ll * rate_khz);
    } else {
      wait_by_clock<<<1, 1>>>(static_cast<clock_t>(5l * rate_khz));
    }
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    expect(i == 0 ? "clock64" : "clock", ms >= 4.9f);
  }
  // On the host it is still processor time, in the C library's unit.
  expect("host", std::clock() - host_start < 60l * CLOCKS_PER_SEC);
}

/* Prints:
clock64: ok
clock: ok
host: ok
*/
