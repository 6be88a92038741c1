// SPDX-License-Identifier: MIT
// Races of blocks and threads in global memory.
#include <cuda/atomic>

#include "../check.h"
#include "../parts.h"

// Atomic additions, and a plain read of the sum that does not wait for them.
namespace atomic_and_plain {

__global__ void count_kernel(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, in[threadIdx.x]);  // fault
  if (threadIdx.x == 0) *out = total;  // fault: a barrier is missing before it
}

PART(atomic_and_plain) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 96 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 96 * sizeof(int)));
  count_kernel<<<1, 96>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace atomic_and_plain

/* Reports:
kind = "race_shared"
kernel = "count_kernel"
mentions = ["total"]
mode = "check"
*/

// One thread of each block adds to a counter, without an atomic.
namespace blocks_counter {

__global__ void count_kernel(int* count) {
  if (threadIdx.x == 0) *count += 1;  // fault
}

PART(blocks_counter) {
  int* d_count = nullptr;
  CHECK(cudaMalloc(&d_count, sizeof(int)));
  CHECK(cudaMemset(d_count, 0, sizeof(int)));
  count_kernel<<<64, 32>>>(d_count);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_count));
}

}  // namespace blocks_counter

/* Reports:
kind = "race_across_blocks"
kernel = "count_kernel"
mentions = ["4 bytes"]
mode = "check"
*/

// A block waits for nothing: it reads what another block writes in the same launch.
namespace blocks_flag {

__global__ void relay_kernel(int* stages) {
  if (threadIdx.x != 0) return;
  const int block = blockIdx.x;
  const int before = block > 0 ? stages[block - 1] : 1;  // fault
  stages[block] = before + 1;                            // fault
}

PART(blocks_flag) {
  int* d_stages = nullptr;
  CHECK(cudaMalloc(&d_stages, 16 * sizeof(int)));
  CHECK(cudaMemset(d_stages, 0, 16 * sizeof(int)));
  relay_kernel<<<16, 32>>>(d_stages);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_stages));
}

}  // namespace blocks_flag

/* Reports:
kind = "race_across_blocks"
kernel = "relay_kernel"
mentions = ["64 bytes"]
mode = "check"
*/

// Tiles of 18 are placed 16 apart: two blocks write the same elements.
namespace blocks_overlapping_tiles {

__global__ void tile_kernel(float* out) {
  const int i = blockIdx.x * 16 + threadIdx.x;
  out[i] = blockIdx.x;  // fault
}

PART(blocks_overlapping_tiles) {
  float* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 100 * sizeof(float)));
  tile_kernel<<<5, 18>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace blocks_overlapping_tiles

/* Reports:
kind = "race_across_blocks"
kernel = "tile_kernel"
mentions = ["400 bytes"]
mode = "check"
*/

// A stencil in place: within a block there are barriers, but the neighbour's edge is overwritten.
namespace blocks_stencil {

__global__ void blur_kernel(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int right = i + 1 < n ? data[i + 1] : 0;  // fault
  __syncthreads();
  data[i] = right;  // fault
}

PART(blocks_stencil) {
  const int n = 512;
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, n * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, n * sizeof(int)));
  blur_kernel<<<n / 64, 64>>>(d_data, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace blocks_stencil

/* Reports:
kind = "race_across_blocks"
kernel = "blur_kernel"
mentions = ["2048 bytes"]
mode = "check"
*/

// The threads of one block count in global memory without atomics.
namespace global_histogram {

__global__ void histogram_kernel(const int* values, int* bins) {
  bins[values[threadIdx.x]] += 1;  // fault
}

PART(global_histogram) {
  int values[64], *d_values = nullptr, *d_bins = nullptr;
  for (int i = 0; i < 64; ++i) values[i] = i % 5;
  CHECK(cudaMalloc(&d_values, sizeof(values)));
  CHECK(cudaMalloc(&d_bins, 5 * sizeof(int)));
  CHECK(cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_bins, 0, 5 * sizeof(int)));
  histogram_kernel<<<1, 64>>>(d_values, d_bins);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_bins));
}

}  // namespace global_histogram

/* Reports:
kind = "race_global_block"
kernel = "histogram_kernel"
mentions = ["20 bytes"]
mode = "check"
*/

// A block shifts an array in global memory in place.
namespace global_shift {

__global__ void shift_kernel(int* data, int n) {
  const int i = threadIdx.x;
  if (i + 1 >= n) return;
  const int next = data[i + 1];  // fault
  data[i] = next;                // fault
}

PART(global_shift) {
  const int n = 128;
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, n * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, n * sizeof(int)));
  shift_kernel<<<1, n>>>(d_data, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace global_shift

/* Reports:
kind = "race_global_block"
kernel = "shift_kernel"
mentions = ["512 bytes"]
mode = "check"
*/

// A blur in place: a neighbour is read that may have been overwritten already.
namespace stencil_in_place {

__global__ void blur_kernel(int* data) {
  __shared__ int cells[96];
  const int t = threadIdx.x;
  cells[t] = data[t];
  __syncthreads();
  const int right = t < 95 ? cells[t + 1] : 0;  // fault
  cells[t] = right / 2;                         // fault
  __syncthreads();
  data[t] = cells[t];
}

PART(stencil_in_place) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 96 * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, 96 * sizeof(int)));
  blur_kernel<<<1, 96>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace stencil_in_place

/* Reports:
kind = "race_shared"
kernel = "blur_kernel"
mentions = ["cells"]
mode = "check"
*/

// The row of an output is forgotten in its index: threads of several rows write one element.
namespace two_threads_one_output {

__global__ void row_kernel(const float* x, float* y, int width) {
  y[threadIdx.x] = x[threadIdx.y * width + threadIdx.x];  // fault
}

PART(two_threads_one_output) {
  std::vector<float> values(64);
  for (int i = 0; i < 64; ++i) values[i] = static_cast<float>(i);
  DeviceArray<float> x(values), y(64);
  row_kernel<<<1, dim3(8, 8)>>>(x.data(), y.data(), 8);
  CHECK_LAUNCH();
}

}  // namespace two_threads_one_output

/* Reports:
kind = "race_global_block"
kernel = "row_kernel"
mentions = ["threads (0,1,0) and (0,0,0) of block (0,0,0) both write element 0"]
mode = "check"
*/

// A flag is looked at without an acquire, and no fence comes behind.
namespace relaxed_look {

__device__ cuda::atomic<int, cuda::thread_scope_device> ready{0};

__global__ void look_kernel(int* data, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 5;  // fault
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_relaxed) == 0) {
    }
    out[0] = data[0];  // fault
  }
}

PART(relaxed_look) {
  const DeviceArray<int> data(1), out(1);
  look_kernel<<<2, 32>>>(data.data(), out.data());
  CHECK_LAUNCH();
}

}  // namespace relaxed_look

/* Reports:
kind = "race_across_blocks"
kernel = "look_kernel"
mode = "check"
*/

// A flag is raised without a release: it does not hand the data on.
namespace relaxed_flag {

__device__ cuda::atomic<int, cuda::thread_scope_device> ready{0};

__global__ void relaxed_kernel(int* data, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 5;  // fault
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    out[0] = data[0];  // fault
  }
}

PART(relaxed_flag) {
  const DeviceArray<int> data(1), out(1);
  relaxed_kernel<<<2, 32>>>(data.data(), out.data());
  CHECK_LAUNCH();
}

}  // namespace relaxed_flag

/* Reports:
kind = "race_across_blocks"
kernel = "relaxed_kernel"
mode = "check"
*/

// atomicAdd_block() is atomic among the threads of one block; two blocks add.
namespace atomics_of_a_block {

__global__ void tally_kernel(int* bins) {
  atomicAdd_block(&bins[threadIdx.x % 4], 1);  // fault
}

PART(atomics_of_a_block) {
  const DeviceArray<int> bins(4);
  tally_kernel<<<2, 32>>>(bins.data());
  CHECK_LAUNCH();
}

}  // namespace atomics_of_a_block

/* Reports:
kind = "race_across_blocks"
kernel = "tally_kernel"
mentions = ["use the function without it"]
mode = "check"
*/

// The fence before the flag is for the block of the producer, the consumer is in another one.
namespace fence_of_a_block {

__device__ int g_ready;

__global__ void hand_kernel(int* data, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 5;  // fault
    __threadfence_block();
    atomicExch(&g_ready, 1);
  } else {
    while (atomicAdd(&g_ready, 0) == 0) {
    }
    out[0] = data[0];  // fault
  }
}

PART(fence_of_a_block) {
  const DeviceArray<int> data(1), out(1);
  hand_kernel<<<2, 32>>>(data.data(), out.data());
  CHECK_LAUNCH();
}

}  // namespace fence_of_a_block

/* Reports:
kind = "race_across_blocks"
kernel = "hand_kernel"
mentions = ["is for one block only"]
mode = "check"
*/

// A lock that one of two blocks takes without a fence: the one that comes first.
namespace lock_without_a_fence {

__device__ int g_lock;

__global__ void account_kernel(int* balance) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&g_lock, 0, 1) != 0) {
  }
  if (blockIdx.x == 0) {
    *balance += 100;  // fault
  } else {
    __threadfence();
    *balance -= 30;  // fault
  }
  __threadfence();
  atomicExch(&g_lock, 0);
}

PART(lock_without_a_fence) {
  const DeviceArray<int> balance(1);
  account_kernel<<<2, 32>>>(balance.data());
  CHECK_LAUNCH();
}

}  // namespace lock_without_a_fence

/* Reports:
kind = "race_across_blocks"
kernel = "account_kernel"
mentions = ["right behind its atomicCAS()"]
mode = "check"
*/

// Volatile data that one block changes under a lock and another one without.
namespace volatile_beside_a_lock {

__device__ int g_lock;

__global__ void level_kernel(volatile int* level) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (atomicCAS(&g_lock, 0, 1) != 0) {
    }
    __threadfence();
    *level = 3;  // fault
    __threadfence();
    atomicExch(&g_lock, 0);
  } else {
    *level = 4;  // fault
  }
}

PART(volatile_beside_a_lock) {
  const DeviceArray<int> level(1);
  level_kernel<<<2, 32>>>(level.data());
  CHECK_LAUNCH();
}

}  // namespace volatile_beside_a_lock

/* Reports:
kind = "race_across_blocks"
kernel = "level_kernel"
mode = "check"
*/

// Volatile data, and a flag without any fence.
namespace volatile_without_a_fence {

__device__ int g_ready;

__global__ void pass_kernel(volatile int* data, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;  // fault
    atomicExch(&g_ready, 1);
  } else {
    while (atomicAdd(&g_ready, 0) == 0) {
    }
    out[0] = data[0];  // fault
  }
}

PART(volatile_without_a_fence) {
  const DeviceArray<int> data(1), out(1);
  pass_kernel<<<2, 32>>>(data.data(), out.data());
  CHECK_LAUNCH();
}

}  // namespace volatile_without_a_fence

/* Reports:
kind = "race_across_blocks"
kernel = "pass_kernel"
mentions = ["calls no fence between the two"]
mode = "check"
*/

// A maximum is looked at before atomicMax() decides about it.
namespace test_before_a_maximum {

__global__ void best_kernel(const int* values, int* best) {
  const int value = values[blockIdx.x * blockDim.x + threadIdx.x];
  if (*best < value) atomicMax(best, value);  // fault
}

PART(test_before_a_maximum) {
  const std::vector<int> values = {3, 9, 2, 7, 11, 1, 5, 13};
  const DeviceArray<int> in(values), best(1);
  best_kernel<<<1, 8>>>(in.data(), best.data());
  CHECK_LAUNCH();
}

}  // namespace test_before_a_maximum

/* Reports:
kind = "race_global_block"
kernel = "best_kernel"
mentions = ["decide by what the atomic returns"]
mode = "check"
*/

// A sum is used before all have added to it.
namespace sum_used_early {

__global__ void share_kernel(const int* values, int* sum, int* shares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(sum, values[i]);           // fault
  shares[i] = values[i] * 100 / *sum;  // fault
}

PART(sum_used_early) {
  const DeviceArray<int> in(std::vector<int>(64, 2)), sum(1), shares(64);
  share_kernel<<<2, 32>>>(in.data(), sum.data(), shares.data());
  CHECK_LAUNCH();
}

}  // namespace sum_used_early

/* Reports:
kind = "race_global_block"
kernel = "share_kernel"
mode = "check"
*/

// The block that writes has looked at the element itself, after others had.
namespace write_after_many_reads {

__global__ void level_kernel(int* level, const int* values) {
  if (threadIdx.x != 0) return;
  const int value = values[blockIdx.x];
  if (*level < value) *level = value;  // fault
}

PART(write_after_many_reads) {
  const DeviceArray<int> level(1), values({0, 0, 0, 5});
  level_kernel<<<4, 32>>>(level.data(), values.data());
  CHECK_LAUNCH();
}

}  // namespace write_after_many_reads

/* Reports:
kind = "race_across_blocks"
kernel = "level_kernel"
mode = "check"
*/

// One block clears the counter that all blocks count with.
namespace cleared_by_one_block {

__global__ void count_kernel(int* count) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *count = 0;  // fault
  __syncthreads();
  atomicAdd(count, 1);  // fault
}

PART(cleared_by_one_block) {
  const DeviceArray<int> count(1);
  count_kernel<<<4, 32>>>(count.data());
  CHECK_LAUNCH();
}

}  // namespace cleared_by_one_block

/* Reports:
kind = "race_across_blocks"
kernel = "count_kernel"
mode = "check"
*/

// One buffer is given as the input and as the output.
namespace one_buffer_for_both {

__global__ void shift_kernel(const float* from, float* to, int count) {
  const int i = threadIdx.x;
  if (i + 1 < count) to[i] = from[i + 1];  // fault
}

PART(one_buffer_for_both) {
  const DeviceArray<float> data(64);
  shift_kernel<<<1, 64>>>(data.data(), data.data(), 64);
  CHECK_LAUNCH();
}

}  // namespace one_buffer_for_both

/* Reports:
kind = "race_global_block"
kernel = "shift_kernel"
mentions = ["The kernel was given two pointers into this memory"]
mode = "check"
*/
