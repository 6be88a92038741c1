// SPDX-License-Identifier: MIT
// One shared array serves two phases and many rounds, with a barrier between all uses.
#include "../check.h"

__global__ void phases_kernel(const int* in, int* out, int rounds) {
  __shared__ int cells[96];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    cells[t] = in[t] + round;
    __syncthreads();
    sum += cells[95 - t];
    __syncthreads();
    cells[95 - t] = sum;
    __syncthreads();
    if (t % 2 == 0) sum += cells[t];
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  std::vector<int> values(96), expected(96);
  for (int i = 0; i < 96; ++i) values[i] = i;
  DeviceArray<int> in(values), out(96);
  phases_kernel<<<1, 96>>>(in.data(), out.data(), 3);
  CHECK_LAUNCH();
  for (int round = 0; round < 3; ++round) {
    for (int t = 0; t < 96; ++t) expected[t] += values[95 - t] + round;
    const std::vector<int> sums = expected;
    for (int t = 0; t < 96; t += 2) expected[t] += sums[95 - t];
  }
  expect("phases", out.host() == expected);
  show("some", out.host()[0], out.host()[1], out.host()[95]);
}

/* Prints:
phases: ok
some: 292 285 3
*/
