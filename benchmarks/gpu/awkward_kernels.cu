// SPDX-License-Identifier: MIT
// Kernels that access memory in awkward ways, each launched once: for profile_against_ncu.py.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                       \
  do {                                                                    \
    const cudaError_t error = call;                                       \
    if (error != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

constexpr int kThreads = 256, kBlocks = 24, kAll = kThreads * kBlocks, kSide = 64;

__device__ int number() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void copy_rows(const float* in, float* out) {
  out[number()] = in[number()];
}
__global__ void copy_shifted(const float* in, float* out) {
  out[number()] = in[number() + 3];
}
__global__ void copy_every_fifth(const float* in, float* out) {
  out[number()] = in[5 * number()];
}
__global__ void store_every_third(const float* in, float* out) {
  out[3 * number()] = in[number()];
}
__global__ void reverse_rows(const float* in, float* out) {
  out[kAll - 1 - number()] = in[number()];
}
__global__ void copy_float2(const float2* in, float2* out) {
  out[number()] = in[number()];
}
__global__ void copy_float4(const float4* in, float4* out) {
  out[number()] = in[number()];
}
__global__ void copy_doubles(const double* in, double* out) {
  out[number()] = in[number()];
}
__global__ void copy_bytes(const unsigned char* in, unsigned char* out) {
  out[number()] = in[number()];
}
__global__ void one_value_for_all(const float* in, float* out) {
  out[number()] = in[blockIdx.x];
}

struct Pixel {
  float red, green, blue;
};
__global__ void green_of_structures(const Pixel* in, float* out) {
  out[number()] = in[number()].green;
}

__global__ void gather(const int* places, const float* in, float* out) {
  out[number()] = in[places[number()]];
}
__global__ void first_lanes_only(const float* in, float* out) {
  if (threadIdx.x % 32 < 5) out[number()] = in[number()];
}
__global__ void two_sides_of_a_branch(const float* in, float* out) {
  if (threadIdx.x % 2 == 0) {
    out[number()] = 2 * in[number()];
  } else {
    out[number()] = in[number()] - in[number() + 64];
  }
}
__global__ void as_many_turns_as_lanes(const float* in, float* out) {
  float sum = 0;
  for (unsigned i = 0; i <= threadIdx.x % 32; ++i) sum += in[number() + i * kThreads];
  out[number()] = sum;
}

// Lanes at a border skip turns of the inner loop.
__global__ void skip_the_border(const float* in, float* out) {
  const int x = number() % kSide, y = number() / kSide, rows = kAll / kSide;
  float sum = 0;
  for (int i = -2; i <= 2; ++i) {
    for (int j = -2; j <= 2; ++j) {
      if (x + j < 0 || x + j >= kSide || y + i < 0 || y + i >= rows) continue;
      sum += in[(y + i) * kSide + x + j];
    }
  }
  out[number()] = sum;
}
// The lanes of a warp leave the inner loop early, each in other turns of the outer one.
__global__ void inner_loops_of_other_lengths(const float* in, float* out) {
  float sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < 6; ++i) {
#pragma unroll 1
    for (unsigned j = 0; j <= (threadIdx.x + i) % 8; ++j) sum += in[number() + (8 * i + j) * 64];
  }
  out[number()] = sum;
}
__device__ __noinline__ float column_sum(const float* in, int rows) {
  float sum = 0;
#pragma unroll 1
  for (int row = 0; row < rows; ++row) sum += in[row * kSide];
  return sum;
}
__global__ void call_in_some_turns(const float* in, float* out) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 5; ++i) {
    if ((number() + i) % 3 == 0) continue;
    sum += column_sum(in + number() + i, (number() + 2 * i) % 7);
  }
  out[number()] = sum;
}

__global__ void transpose_plainly(const float* in, float* out) {
  const int x = blockIdx.x % 2 * 32 + threadIdx.x % 32;
  for (int y = threadIdx.x / 32; y < kSide; y += kThreads / 32) {
    out[x * kSide + y] = in[y * kSide + x];
  }
}
template <int kPadding>
__device__ void transpose_by_tile(const float* in, float* out) {
  __shared__ float tile[32][32 + kPadding];
  const int lane = threadIdx.x % 32, first = threadIdx.x / 32;
  const int x0 = blockIdx.x % 2 * 32, y0 = blockIdx.x / 2 % 2 * 32;
  for (int y = first; y < 32; y += kThreads / 32) {
    tile[y][lane] = in[(y0 + y) * kSide + x0 + lane];
  }
  __syncthreads();
  for (int x = first; x < 32; x += kThreads / 32) {
    out[(x0 + x) * kSide + y0 + lane] = tile[lane][x];
  }
}
__global__ void transpose_tile_of_32(const float* in, float* out) {
  transpose_by_tile<0>(in, out);
}
__global__ void transpose_tile_of_33(const float* in, float* out) {
  transpose_by_tile<1>(in, out);
}

__global__ void shared_two_apart(const float* in, float* out) {
  __shared__ float values[2 * kThreads];
  values[2 * threadIdx.x] = in[number()];
  __syncthreads();
  out[number()] = values[2 * (kThreads - 1 - threadIdx.x)];
}
__global__ void shared_vectors(const float4* in, float4* out) {
  __shared__ float4 values[kThreads];
  values[threadIdx.x] = in[number()];
  __syncthreads();
  out[number()] = values[kThreads - 1 - threadIdx.x];
}
__global__ void sum_interleaved(const float* in, float* out) {
  __shared__ float sums[kThreads];
  sums[threadIdx.x] = in[number()];
  __syncthreads();
  for (unsigned step = 1; step < kThreads; step *= 2) {
    const unsigned i = 2 * step * threadIdx.x;
    if (i + step < kThreads) sums[i] += sums[i + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
__global__ void sum_by_halves(const float* in, float* out) {
  __shared__ float sums[kThreads];
  sums[threadIdx.x] = in[number()];
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__global__ void count_in_global_bins(const int* places, unsigned* bins) {
  atomicAdd(&bins[places[number()] % 16], 1u);
}
__global__ void count_in_shared_bins(const int* places, unsigned* bins) {
  __shared__ unsigned own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[places[number()] % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void one_sum_for_all(const float* in, float* sum) {
  atomicAdd(sum, in[number()]);
}

int main() {
  float *in, *out;
  int* places;
  constexpr size_t kFloats = 64 * size_t{kAll};
  CHECK(cudaMalloc(&in, kFloats * sizeof(float)));
  CHECK(cudaMalloc(&out, kFloats * sizeof(float)));
  CHECK(cudaMalloc(&places, kAll * sizeof(int)));
  CHECK(cudaMemset(in, 0, kFloats * sizeof(float)));
  CHECK(cudaMemset(out, 0, kFloats * sizeof(float)));
  static int host[kAll];
  unsigned state = 1;
  for (int& place : host) {
    state = state * 1664525u + 1013904223u;
    place = static_cast<int>(state >> 8) % kAll;
  }
  CHECK(cudaMemcpy(places, host, sizeof host, cudaMemcpyHostToDevice));
  copy_rows<<<kBlocks, kThreads>>>(in, out);
  copy_shifted<<<kBlocks, kThreads>>>(in, out);
  copy_every_fifth<<<kBlocks, kThreads>>>(in, out);
  store_every_third<<<kBlocks, kThreads>>>(in, out);
  reverse_rows<<<kBlocks, kThreads>>>(in, out);
  copy_float2<<<kBlocks, kThreads>>>(reinterpret_cast<float2*>(in), reinterpret_cast<float2*>(out));
  copy_float4<<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(in), reinterpret_cast<float4*>(out));
  copy_doubles<<<kBlocks, kThreads>>>(reinterpret_cast<double*>(in),
                                      reinterpret_cast<double*>(out));
  copy_bytes<<<kBlocks, kThreads>>>(reinterpret_cast<unsigned char*>(in),
                                    reinterpret_cast<unsigned char*>(out));
  one_value_for_all<<<kBlocks, kThreads>>>(in, out);
  green_of_structures<<<kBlocks, kThreads>>>(reinterpret_cast<Pixel*>(in), out);
  gather<<<kBlocks, kThreads>>>(places, in, out);
  first_lanes_only<<<kBlocks, kThreads>>>(in, out);
  two_sides_of_a_branch<<<kBlocks, kThreads>>>(in, out);
  as_many_turns_as_lanes<<<kBlocks, kThreads>>>(in, out);
  skip_the_border<<<kBlocks, kThreads>>>(in, out);
  inner_loops_of_other_lengths<<<kBlocks, kThreads>>>(in, out);
  call_in_some_turns<<<kBlocks, kThreads>>>(in, out);
  transpose_plainly<<<2, kThreads>>>(in, out);
  transpose_tile_of_32<<<4, kThreads>>>(in, out);
  transpose_tile_of_33<<<4, kThreads>>>(in, out);
  shared_two_apart<<<kBlocks, kThreads>>>(in, out);
  shared_vectors<<<kBlocks, kThreads>>>(reinterpret_cast<float4*>(in),
                                        reinterpret_cast<float4*>(out));
  sum_interleaved<<<kBlocks, kThreads>>>(in, out);
  sum_by_halves<<<kBlocks, kThreads>>>(in, out);
  count_in_global_bins<<<kBlocks, kThreads>>>(places, reinterpret_cast<unsigned*>(out));
  count_in_shared_bins<<<kBlocks, kThreads>>>(places, reinterpret_cast<unsigned*>(out));
  one_sum_for_all<<<kBlocks, kThreads>>>(in, out);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(places));
}
