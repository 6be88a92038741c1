// SPDX-License-Identifier: MIT
// Arrays on a thread's own stack, indexed at run time, some large.
#include "../check.h"

__global__ void digits_kernel(int* out) {
  int counts[10] = {};
  unsigned long long number = 1;
  for (unsigned i = 0; i <= threadIdx.x; ++i) number *= 7;
  for (; number != 0; number /= 10) ++counts[number % 10];
  int code = 0;
  for (int digit = 9; digit >= 0; --digit) code = code * 3 + counts[digit] % 3;
  out[threadIdx.x] = code;
}

__global__ void large_kernel(int* out) {
  int values[1500];
  for (int i = 0; i < 1500; ++i) values[i] = i * (threadIdx.x + 1);
  int sum = 0;
  for (int i = 0; i < 1500; i += 7) sum += values[(i * 11) % 1500];
  out[threadIdx.x] = sum;
}

int main() {
  DeviceArray<int> digits(4), large(64);
  digits_kernel<<<1, 4>>>(digits.data());
  CHECK_LAUNCH();
  show("digits", digits.host());
  large_kernel<<<1, 64>>>(large.data());
  CHECK_LAUNCH();
  const std::vector<int> sums = large.host();
  int expected = 0;
  for (int i = 0; i < 1500; i += 7) expected += (i * 11) % 1500;
  int wrong = 0;
  for (int t = 0; t < 64; ++t) wrong += sums[t] != expected * (t + 1);
  show("wrong sums", wrong);
}

/* Prints:
digits: 2187 19764 135 94
wrong sums: 0
*/
