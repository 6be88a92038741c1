// SPDX-License-Identifier: MIT
// __host__ __device__ functions and constexpr names give the same on both sides.
#include "../check.h"

constexpr int kSize = 6;
constexpr float kThird = 0.25f;
static const int kOffset = 3;
enum { kBias = 40 };

__host__ __device__ constexpr int square(int x) {
  return x * x;
}

__host__ __device__ unsigned next_random(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 16;
}

template <class T>
__host__ __device__ T clamp_to(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}

__host__ __device__ int mixed(int i) {
  unsigned state = i;
  const int drawn = next_random(state) % 1000;
  return clamp_to(drawn, 100, 800) + square(i) + kOffset + kBias + static_cast<int>(kThird * 8);
}

__global__ void both_kernel(int* out) {
  out[threadIdx.x] = mixed(threadIdx.x);
}

int main() {
  static_assert(square(4) == 16, "a constant expression");
  DeviceArray<int> out(square(2) + 2);
  both_kernel<<<1, kSize>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> device = out.host();
  for (int i = 0; i < kSize; ++i) {
    if (device[i] != mixed(i)) show("differs", i, device[i], mixed(i));
  }
  show("values", device);
}

/* Prints:
values: 515 542 570 601 633 667
*/
