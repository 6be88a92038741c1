// SPDX-License-Identifier: MIT
// A sum over a grid: grid-stride loop, shuffles in a warp, shared memory between warps, one atomic
// a block.
#include "../check.h"

__device__ double warp_sum(double value) {
  for (int by = 16; by > 0; by /= 2) value += __shfl_down_sync(0xffffffff, value, by);
  return value;
}

__global__ void dot_kernel(const float* x, const float* y, int n, double* out) {
  static __shared__ double warps[32];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += static_cast<double>(x[i]) * y[i];
  }
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sum = warp_sum(sum);
  if (lane == 0) warps[warp] = sum;
  __syncthreads();
  if (warp != 0) return;
  sum = warp_sum(lane < static_cast<int>(blockDim.x) / 32 ? warps[lane] : 0.0);
  if (lane == 0) atomicAdd(out, sum);
}

int main() {
  const int n = 100000;
  std::vector<float> x(n), y(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = (i % 17) * 0.25f;
    y[i] = (i % 5) - 2.0f;
    expected += static_cast<double>(x[i]) * y[i];
  }
  DeviceArray<float> d_x(x), d_y(y);
  for (int threads : {32, 128, 1024}) {
    DeviceArray<double> out(1);
    dot_kernel<<<13, threads>>>(d_x.data(), d_y.data(), n, out.data());
    CHECK_LAUNCH();
    const double got = out.host()[0];
    std::printf("%d threads: %.2f %s\n", threads, got, got == expected ? "exact" : "WRONG");
  }
}

/* Prints:
32 threads: -1.25 exact
128 threads: -1.25 exact
1024 threads: -1.25 exact
*/
