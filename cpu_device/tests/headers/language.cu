// SPDX-License-Identifier: MIT
// CUDA's language, as far as no launch is needed: this must compile without a warning.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <algorithm>
#include <complex>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <regex>
#include <thread>
#include <vector>

using namespace std;
namespace cg = cooperative_groups;

__constant__ float filter[25];
__device__ int counter;
__managed__ float seen_by_both[4];
inline __managed__ int merged_by_the_linker = 3;

template <typename T, int N>
struct __align__(16) Row {
  T values[N];
};

__host__ __device__ __forceinline__ float doubled(float x) {
  return 2 * x;
}
__noinline__ __device__ float of_library(float x) {
  return fmaxf(x, 1.0f) + std::sqrt(x) + powf(x, 2.0f) + sqrt(x) + rsqrtf(x) + abs(x);
}

template <typename T, int N>
__global__ void __launch_bounds__(256, 2)
    tiled(const T* __restrict__ in, T* __restrict__ out, const __grid_constant__ int n) {
  __shared__ T tile[N][N + 1];
  __shared__ __align__(16) float4 quads[4];
  __shared__ Row<T, N> row;
  __shared__ half2 halves[32];
  extern __thread
      __attribute__((aligned(16))) float dynamic[] __asm__("convkit_simt_dynamic_shared");
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
  for (int i = 0; i < N; ++i) tile[threadIdx.x % N][i] = x < n ? __ldg(&in[x]) : T(0);
  quads[threadIdx.x & 3] = make_float4(1, 2, 3, 4);
  row.values[threadIdx.x % N] = CUDART_PI_F;
  halves[threadIdx.x & 31] = __float2half2_rn(1.0f);
  __syncthreads();
  T sum = row.values[0] + quads[0].w;
  for (int i = 0; i < N; ++i) sum += tile[i][threadIdx.x % N] * filter[i % 25];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  }
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  sum = cg::reduce(warp, sum, cg::plus<T>());
  if (x < n) out[x] = min(max(sum, T(0)), T(100)) + dynamic[threadIdx.x] + __low2float(halves[0]);
  if (threadIdx.x == 0) atomicAdd(&counter, 1);
  assert(n > 0);
  if (x == 0) printf("block %d, %f\n", blockIdx.x, __fdividef(1.0f, doubled(3.0f)));
  __stcs(&out[x], 1.0);
  const long long begin = clock64();
  if (clock64() < begin) __trap();
}

template __global__ void tiled<float, 16>(const float*, float*, const __grid_constant__ int);

auto device_lambda = [] __host__ __device__(float x) { return __expf(x) + of_library(x); };

// Intrinsics can be pointed to.
float (*const kFunctions[])(float) = {rsqrtf, __expf, __frcp_rn, __saturatef, sinpif};

int main() {
  shared_ptr<int> p = make_shared<int>(max(3, 4));
  for (const auto function : kFunctions) cout << function(0.5f) * *p << device_lambda(1) << '\n';
  const dim3 grid(2, 3);
  return static_cast<int>(grid.z) - 1;
}
