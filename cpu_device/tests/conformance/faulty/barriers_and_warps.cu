// SPDX-License-Identifier: MIT
// Threads that wait for threads, or for ever.
#include <cassert>
#include <cuda/barrier>

#include "../check.h"
#include "../parts.h"

// An assertion about the index does not hold for the last threads.
namespace assertion_fails {

__global__ void bounded_kernel(int* data, int n) {
  const int i = threadIdx.x;
  assert(i < n);  // fault
  data[i] = i;
}

PART(assertion_fails) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 40 * sizeof(int)));
  bounded_kernel<<<1, 64>>>(d_data, 40);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace assertion_fails

/* Reports:
kind = "assertion"
kernel = "bounded_kernel"
mentions = ["i < n"]
mode = "any"
*/

// The two halves of the block wait at different barriers.
namespace barrier_in_branch {

__global__ void halves_kernel(int* data) {
  __shared__ int cells[64];
  const int t = threadIdx.x;
  if (t < 32) {
    cells[t] = 2 * t;
    __syncthreads();  // fault
  } else {
    cells[t] = 3 * t;
    __syncthreads();  // fault
  }
  data[t] = cells[63 - t];
}

PART(barrier_in_branch) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 64 * sizeof(int)));
  halves_kernel<<<1, 64>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace barrier_in_branch

/* Reports:
kind = "divergent_barrier"
kernel = "halves_kernel"
mode = "any"
*/

// Only threads with work reach the inner barrier; the rest are already at the next one.
namespace barrier_in_condition {

__global__ void tail_kernel(const int* in, int* out, int n) {
  __shared__ int cells[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i < n) {
    cells[t] = in[i];
    __syncthreads();  // fault
    if (t > 0) out[i] = cells[t - 1];
  }
  __syncthreads();  // fault
  if (i < n) cells[t] = 0;
}

PART(barrier_in_condition) {
  const int n = 100;
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(int)));
  tail_kernel<<<2, 64>>>(d_in, d_out, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace barrier_in_condition

/* Reports:
kind = "divergent_barrier"
kernel = "tail_kernel"
mode = "any"
*/

// Threads go through the loop, and so to its barrier, unequally often; the others wait after it.
namespace barrier_in_uneven_loop {

__global__ void loop_kernel(int* data) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  for (unsigned i = 0; i < 1 + threadIdx.x % 2; ++i) {
    atomicAdd(&total, 1);
    __syncthreads();  // fault
  }
  __syncthreads();  // fault
  data[threadIdx.x] = total;
}

PART(barrier_in_uneven_loop) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 64 * sizeof(int)));
  loop_kernel<<<1, 64>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace barrier_in_uneven_loop

/* Reports:
kind = "divergent_barrier"
kernel = "loop_kernel"
mode = "any"
*/

// The loop waits for a value that no thread ever writes.
namespace endless_loop {

__global__ void wait_kernel(volatile int* flag) {
  while (*flag == 0) {
  }
  *flag = 2;
}

PART(endless_loop) {
  int* d_flag = nullptr;
  CHECK(cudaMalloc(&d_flag, sizeof(int)));
  CHECK(cudaMemset(d_flag, 0, sizeof(int)));
  wait_kernel<<<1, 1>>>(d_flag);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_flag));
}

}  // namespace endless_loop

/* Reports:
kind = "endless_kernel"
kernel = "wait_kernel"
mode = "any"
*/

// The recursion has no end for odd numbers.
namespace endless_recursion {

__device__ int steps(int n) {
  return n == 0 ? 0 : 1 + steps(n - 2) * steps(n - 4);
}

__global__ void count_kernel(int* out) {
  out[threadIdx.x] = steps(2 * threadIdx.x + 1);
}

PART(endless_recursion) {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 4 * sizeof(int)));
  count_kernel<<<1, 4>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace endless_recursion

/* Reports:
kind = "stack_overflow"
kernel = "count_kernel"
mode = "any"
*/

// A loop whose step is an argument, and the argument is 0.
namespace endless_step_of_zero {

__global__ void sum_kernel(const int* in, int* out, int n, int step) {
  int sum = 0;
  for (int i = 0; i < n; i += step) sum += in[i];
  *out = sum;
}

PART(endless_step_of_zero) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64));
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemset(d_in, 1, 64));
  sum_kernel<<<1, 1>>>(d_in, d_out, 16, 0);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace endless_step_of_zero

/* Reports:
kind = "endless_kernel"
kernel = "sum_kernel"
mode = "any"
*/

// Half a warp shuffles with a mask that names all of it; the rest waits at the block's barrier.
namespace shuffle_in_branch {

__global__ void sum_kernel(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x < 16) {
    value += __shfl_down_sync(0xffffffff, value, 8);  // fault: lanes 16 to 31 do not come
  }
  __syncthreads();
  out[threadIdx.x] = value;
}

PART(shuffle_in_branch) {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
  sum_kernel<<<1, 32>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace shuffle_in_branch

/* Reports:
kind = "shuffle_mask"
kernel = "sum_kernel"
mode = "any"
*/

// Lanes of one mask are in different warp functions.
namespace shuffle_of_different_functions {

__global__ void mixed_kernel(int* out) {
  int value = threadIdx.x;
  if (threadIdx.x % 2) {
    value = __shfl_xor_sync(0xffffffff, value, 1);  // fault
  } else {
    value = __any_sync(0xffffffff, value == 3);  // fault
  }
  out[threadIdx.x] = value;
}

PART(shuffle_of_different_functions) {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
  mixed_kernel<<<1, 32>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace shuffle_of_different_functions

/* Reports:
kind = "shuffle_mask"
kernel = "mixed_kernel"
mode = "any"
*/

// Every lane calls, but the mask names only the lower half.
namespace shuffle_without_own_lane {

__global__ void vote_kernel(unsigned* out) {
  const unsigned votes = __ballot_sync(0x0000ffff, threadIdx.x % 2);  // fault: lane 16 is not named
  out[threadIdx.x] = votes;
}

PART(shuffle_without_own_lane) {
  unsigned* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 32 * sizeof(unsigned)));
  vote_kernel<<<1, 32>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace shuffle_without_own_lane

/* Reports:
kind = "shuffle_mask"
kernel = "vote_kernel"
mentions = ["lane"]
mode = "any"
*/

// A cuda::barrier expects an arrival more than there are threads.
namespace arrivals_missing {

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void waiting_kernel(int* data) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 65);
  __syncthreads();
  barrier.arrive_and_wait();  // fault
  data[threadIdx.x] = 1;
}

PART(arrivals_missing) {
  const DeviceArray<int> data(64);
  waiting_kernel<<<1, 64>>>(data.data());
  CHECK_LAUNCH();
}

}  // namespace arrivals_missing

/* Reports:
kind = "divergent_barrier"
kernel = "waiting_kernel"
mentions = ["64 of 65 arrivals have come"]
mode = "any"
*/

// A cuda::barrier that nobody has initialised.
namespace barrier_without_init {

__global__ void forgetful_kernel(int* data) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  barrier.arrive_and_wait();  // fault
  data[threadIdx.x] = 1;
}

PART(barrier_without_init) {
  const DeviceArray<int> data(64);
  forgetful_kernel<<<1, 64>>>(data.data());
  CHECK_LAUNCH();
}

}  // namespace barrier_without_init

/* Reports:
kind = "uninitialised_shared"
kernel = "forgetful_kernel"
mentions = ["cuda::barrier"]
mode = "any"
*/

// A thread writes after it has arrived: nothing orders that with those who wait.
namespace write_after_arrival {

__global__ void hasty_kernel(int* data) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int cells[64];
  if (threadIdx.x == 0) init(&barrier, 64);
  __syncthreads();
  auto token = barrier.arrive();
  cells[threadIdx.x] = threadIdx.x;  // fault
  barrier.wait(std::move(token));
  data[threadIdx.x] = cells[63 - threadIdx.x];  // fault
}

PART(write_after_arrival) {
  const DeviceArray<int> data(64);
  hasty_kernel<<<1, 64>>>(data.data());
  CHECK_LAUNCH();
}

}  // namespace write_after_arrival

/* Reports:
kind = "race_shared"
kernel = "hasty_kernel"
mentions = ["cells"]
mode = "check"
*/
