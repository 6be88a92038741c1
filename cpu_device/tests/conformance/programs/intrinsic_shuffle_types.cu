// SPDX-License-Identifier: MIT
// Shuffles of every type, 32 and 64 bits wide.
#include "../check.h"

template <class T>
__global__ void types_kernel(T* out, T step) {
  const int lane = threadIdx.x;
  const T value = step * static_cast<T>(lane);
  out[0 * 32 + lane] = __shfl_sync(0xffffffffu, value, 31 - lane);
  out[1 * 32 + lane] = __shfl_up_sync(0xffffffffu, value, 1);
  out[2 * 32 + lane] = __shfl_down_sync(0xffffffffu, value, 2);
  out[3 * 32 + lane] = __shfl_xor_sync(0xffffffffu, value, 16);
}

template <class T>
void run(const char* name, T step) {
  DeviceArray<T> out(4 * 32);
  types_kernel<T><<<1, 32>>>(out.data(), step);
  CHECK_LAUNCH();
  const std::vector<T> host = out.host();
  int wrong = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const int from[4] = {31 - lane, lane ? lane - 1 : 0, lane < 30 ? lane + 2 : lane, lane ^ 16};
    for (int i = 0; i < 4; ++i) wrong += host[i * 32 + lane] != step * static_cast<T>(from[i]);
  }
  std::printf("%s: %d wrong, first", name, wrong);
  print(host[0]);
  std::printf("\n");
}

int main() {
  run<int>("int", -70000);
  run<unsigned>("unsigned", 130000000u);
  run<long>("long", -3000000000l);
  run<unsigned long>("unsigned long", 5000000000ul);
  run<long long>("long long", -3000000000ll);
  run<unsigned long long>("unsigned long long", 1ull << 58);
  run<float>("float", -0.375f);
  run<double>("double", 1.0 / 1024 + 1048576.0);
}

/* Prints:
int: 0 wrong, first -2170000
unsigned: 0 wrong, first 4030000000
long: 0 wrong, first -93000000000
unsigned long: 0 wrong, first 155000000000
long long: 0 wrong, first -93000000000
unsigned long long: 0 wrong, first 8935141660703064064
float: 0 wrong, first -11.625
double: 0 wrong, first 3.25059e+07
*/
