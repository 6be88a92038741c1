// SPDX-License-Identifier: MIT
// Asynchronous copies to shared memory.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include "../check.h"
#include "../parts.h"

// A copy is asked for while other threads still read the buffer: a barrier is missing at the end of
// the loop. That the copy is waited for only after a later barrier does not help.
namespace copy_into_buffer_in_use {

__global__ void sum_kernel(const int* in, int* out, int parts) {
  __shared__ int cells[2][32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&cells[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  int sum = 0;
  for (int part = 0; part < parts; ++part) {
    if (part + 1 < parts) {
      const int* next = &in[32 * (part + 1)];
      __pipeline_memcpy_async(&cells[(part + 1) % 2][t], &next[t], sizeof(int));  // fault
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += cells[part % 2][31 - t];  // fault
  }
  out[t] = sum;
}

PART(copy_into_buffer_in_use) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 4 * 32 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 4 * 32 * sizeof(int)));
  sum_kernel<<<1, 32>>>(d_in, d_out, 4);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace copy_into_buffer_in_use

/* Reports:
kind = "race_shared"
kernel = "sum_kernel"
mentions = ["cells"]
mode = "check"
*/

// Copies of 16 bytes must begin at multiples of 16.
namespace copy_misaligned {

__global__ void load_kernel(const float* in, float* out) {
  __shared__ __align__(16) float cells[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&cells[4 * t], &in[4 * t + 1], 16);  // fault
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = cells[4 * t];
}

PART(copy_misaligned) {
  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64 * sizeof(float)));
  CHECK(cudaMalloc(&d_out, 8 * sizeof(float)));
  CHECK(cudaMemset(d_in, 0, 64 * sizeof(float)));
  load_kernel<<<1, 8>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace copy_misaligned

/* Reports:
kind = "misaligned"
kernel = "load_kernel"
mentions = ["16"]
mode = "check"
*/

// A barrier does not wait for asynchronous copies.
namespace copy_not_awaited {

namespace cg = cooperative_groups;

__global__ void reverse_kernel(const int* in, int* out) {
  __shared__ int cells[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, cells, in, sizeof cells);  // fault: cg::wait() is missing
  block.sync();
  out[threadIdx.x] = cells[63 - threadIdx.x];  // fault
}

PART(copy_not_awaited) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 64 * sizeof(int)));
  reverse_kernel<<<1, 64>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace copy_not_awaited

/* Reports:
kind = "uninitialised_shared"
kernel = "reverse_kernel"
mentions = ["asynchronous copy"]
mode = "check"
*/

// The last part has no stage after it: wait_prior<1> leaves it under way. By then both buffers hold
// older parts.
namespace copy_one_stage_short {

namespace cg = cooperative_groups;

__global__ void sum_kernel(const int* in, int* out, int parts) {
  __shared__ int cells[2][32];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, cells[0], in, sizeof cells[0]);
  int sum = 0;
  for (int part = 0; part < parts; ++part) {
    if (part + 1 < parts) {
      const int* next = in + 32 * (part + 1);
      cg::memcpy_async(block, cells[(part + 1) % 2], next, sizeof cells[0]);  // fault
    }
    cg::wait_prior<1>(block);
    sum += cells[part % 2][31 - threadIdx.x];  // fault
    block.sync();
  }
  out[threadIdx.x] = sum;
}

PART(copy_one_stage_short) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 4 * 32 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 4 * 32 * sizeof(int)));
  sum_kernel<<<1, 32>>>(d_in, d_out, 4);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace copy_one_stage_short

/* Reports:
kind = "uninitialised_shared"
kernel = "sum_kernel"
mentions = ["asynchronous copy"]
mode = "check"
*/

// The last thread's 16 bytes lie beyond the input, and no zeros are asked for in their place.
namespace copy_past_end {

__global__ void load_kernel(const float* in, float* out) {
  __shared__ __align__(16) float cells[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&cells[4 * t], &in[4 * t], 16);  // fault
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = cells[4 * t];
}

PART(copy_past_end) {
  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 28 * sizeof(float)));
  CHECK(cudaMalloc(&d_out, 8 * sizeof(float)));
  CHECK(cudaMemset(d_in, 0, 28 * sizeof(float)));
  load_kernel<<<1, 8>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace copy_past_end

/* Reports:
kind = "out_of_bounds_global"
kernel = "load_kernel"
mentions = ["112 bytes"]
mode = "check"
*/
