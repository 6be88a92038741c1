// SPDX-License-Identifier: MIT
// __pipeline_memcpy_async and the waits for its batches: 4, 8 and 16 bytes, with zeros at the end,
// empty batches, and prefetching with one batch under way.
#include <cuda_pipeline.h>

#include "../check.h"

// The thread reads what it has copied itself: it needs no barrier.
template <class Value>
__global__ void own_kernel(const Value* in, Value* out) {
  __shared__ Value cells[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&cells[t], &in[t], sizeof(Value));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = cells[t];
}

// What lies beyond the input is 0; nothing is read there.
__global__ void zeros_kernel(const int* in, int* out, int count) {
  __shared__ __align__(16) int cells[32];
  const int t = threadIdx.x;
  if (t < 8) {
    const int rest = min(max(count - 4 * t, 0), 4);
    __pipeline_memcpy_async(&cells[4 * t], &in[4 * t], 16, 16 - 4 * rest);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = cells[31 - t];
}

__global__ void prefetch_kernel(const int* in, int* out, int parts) {
  __shared__ int cells[2][32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&cells[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  int sum = 0;
  for (int part = 0; part < parts; ++part) {
    if (part + 1 < parts) {
      __pipeline_memcpy_async(&cells[(part + 1) % 2][t], &in[32 * (part + 1) + t], sizeof(int));
    }
    __pipeline_commit();  // perhaps an empty batch
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += cells[part % 2][31 - t];
    __syncthreads();
  }
  out[t] = sum;
}

// The first of three batches is there while two are under way. What is left at the end does not
// come to the next block.
__global__ void abandoned_kernel(const int* in, int* out) {
  __shared__ int cells[3];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) {
      __pipeline_memcpy_async(&cells[i], &in[i], 4);
      __pipeline_commit();
    }
    __pipeline_wait_prior(2);
    out[blockIdx.x] = cells[0];
  }
}

int main() {
  std::vector<int> numbers(160);
  std::vector<double> reals(32);
  std::vector<float4> vectors(32);
  for (int i = 0; i < 160; ++i) numbers[i] = i + 1;
  for (int i = 0; i < 32; ++i) {
    reals[i] = i / 2.0;
    vectors[i] = make_float4(float(i), float(2 * i), float(3 * i), float(4 * i));
  }
  DeviceArray<int> in(numbers), out(32), firsts(64);
  own_kernel<<<1, 32>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("4 bytes", out.host());
  DeviceArray<double> in_reals(reals), out_reals(32);
  own_kernel<<<1, 32>>>(in_reals.data(), out_reals.data());
  CHECK_LAUNCH();
  show("8 bytes", out_reals.host());
  DeviceArray<float4> in_vectors(vectors), out_vectors(32);
  own_kernel<<<1, 32>>>(in_vectors.data(), out_vectors.data());
  CHECK_LAUNCH();
  const float4 last = out_vectors.host()[31];
  show("16 bytes", double(last.x), double(last.y), double(last.z), double(last.w));
  for (int count : {4, 9, 30, 32}) {
    DeviceArray<int> part(std::vector<int>(numbers.begin(), numbers.begin() + count));
    zeros_kernel<<<1, 32>>>(part.data(), out.data(), count);
    CHECK_LAUNCH();
    show("zeros", out.host());
  }
  for (int parts : {1, 2, 5}) {
    prefetch_kernel<<<1, 32>>>(in.data(), out.data(), parts);
    CHECK_LAUNCH();
    show("prefetch", out.host());
  }
  abandoned_kernel<<<64, 32>>>(in.data(), firsts.data());
  CHECK_LAUNCH();
  expect("the first batch", firsts.host() == std::vector<int>(64, 1));
}

/* Prints:
4 bytes: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
8 bytes: 0 0.5 1 1.5 2 2.5 3 3.5 4 4.5 5 5.5 6 6.5 7 7.5 8 8.5 9 9.5 10 10.5 11 11.5 12 12.5 13 13.5 14 14.5 15 15.5
16 bytes: 31 62 93 124
zeros: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 4 3 2 1
zeros: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 9 8 7 6 5 4 3 2 1
zeros: 0 0 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1
zeros: 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1
prefetch: 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1
prefetch: 96 94 92 90 88 86 84 82 80 78 76 74 72 70 68 66 64 62 60 58 56 54 52 50 48 46 44 42 40 38 36 34
prefetch: 480 475 470 465 460 455 450 445 440 435 430 425 420 415 410 405 400 395 390 385 380 375 370 365 360 355 350 345 340 335 330 325
the first batch: ok
*/
