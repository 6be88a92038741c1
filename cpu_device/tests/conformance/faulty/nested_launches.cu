// SPDX-License-Identifier: MIT
// Mistakes with kernels that launch kernels.
// Compile with -rdc=true.
#include "../check.h"
#include "../parts.h"

// The child reads what all threads wrote, and no barrier came before the launch.
namespace no_barrier_before_launch {

__global__ void sum_kernel(const int* x, int* sum) {
  for (int i = 0; i < 64; ++i) *sum += x[i];  // fault
}
__global__ void parent_kernel(int* x, int* sum) {
  x[threadIdx.x] = threadIdx.x;  // fault
  if (threadIdx.x == 0) sum_kernel<<<1, 1>>>(x, sum);
}

PART(no_barrier_before_launch) {
  int* d_x = nullptr;
  CHECK(cudaMalloc(&d_x, 65 * sizeof(int)));
  CHECK(cudaMemset(d_x, 0, 65 * sizeof(int)));
  parent_kernel<<<1, 64>>>(d_x, d_x + 64);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
}

}  // namespace no_barrier_before_launch

/* Reports:
kind = "race_across_grids"
kernel = "sum_kernel"
mentions = ["parent_kernel", "__syncthreads()"]
mode = "check"
*/

// The parent goes on with what the child is to read.
namespace written_after_launch {

__global__ void copy_kernel(const int* x, int* y) {
  y[threadIdx.x] = x[threadIdx.x];  // fault
}
__global__ void parent_kernel(int* x, int* y) {
  x[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    copy_kernel<<<1, 32>>>(x, y);
    x[7] = 2;  // fault
  }
}

PART(written_after_launch) {
  int* d_x = nullptr;
  CHECK(cudaMalloc(&d_x, 64 * sizeof(int)));
  parent_kernel<<<1, 32>>>(d_x, d_x + 32);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
}

}  // namespace written_after_launch

/* Reports:
kind = "race_across_grids"
kernel = "copy_kernel"
mentions = ["parent_kernel", "cudaStreamTailLaunch"]
mode = "check"
*/

// Nothing says which of the two runs first.
namespace siblings {

__global__ void fill_kernel(int* x) {
  x[threadIdx.x] = 3;  // fault
}
__global__ void double_kernel(int* x) {
  x[threadIdx.x] *= 2;  // fault
}
__global__ void parent_kernel(int* x) {
  fill_kernel<<<1, 32, 0, cudaStreamFireAndForget>>>(x);
  double_kernel<<<1, 32>>>(x);
}

PART(siblings) {
  int* d_x = nullptr;
  CHECK(cudaMalloc(&d_x, 32 * sizeof(int)));
  CHECK(cudaMemset(d_x, 0, 32 * sizeof(int)));
  parent_kernel<<<1, 1>>>(d_x);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
}

}  // namespace siblings

/* Reports:
kind = "race_across_grids"
kernel = "double_kernel"
mentions = ["fill_kernel", "both grids come of one launch"]
mode = "check"
*/

// A child has shared memory of its own.
namespace shared_pointer {

__global__ void child_kernel(const int* tile, int* out) {
  *out = tile[3];
}
__global__ void parent_kernel(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int* first = tile;
  if (threadIdx.x == 0) child_kernel<<<1, 1>>>(first, out);  // fault
}

PART(shared_pointer) {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  parent_kernel<<<1, 32>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace shared_pointer

/* Reports:
kind = "parent_pointer_in_child"
kernel = "parent_kernel"
mentions = ["argument 1 of child_kernel", "shared memory of the block"]
mode = "any"
*/

// A local variable is its thread's.
namespace local_pointer {

__global__ void child_kernel(int* out, const int* values) {
  *out = values[1];
}
__global__ void parent_kernel(int* out, int n) {
  int values[4];
  for (int i = 0; i < 4; ++i) values[i] = n + i;
  const int* chosen = n > 0 ? values : out;
  child_kernel<<<1, 1>>>(out, chosen);  // fault
}

PART(local_pointer) {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  parent_kernel<<<1, 1>>>(d_out, 5);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace local_pointer

/* Reports:
kind = "parent_pointer_in_child"
kernel = "parent_kernel"
mentions = ["argument 2 of child_kernel", "a local variable of the thread"]
mode = "any"
*/

// The block is too large, and nobody asks whether the launch was made.
namespace too_large_a_child {

__global__ void child_kernel(int* x) {
  x[threadIdx.x] = 1;
}
__global__ void parent_kernel(int* x, int n) {
  if (threadIdx.x == 0) child_kernel<<<1, n>>>(x);  // fault
}

PART(too_large_a_child) {
  int* d_x = nullptr;
  CHECK(cudaMalloc(&d_x, 2048 * sizeof(int)));
  parent_kernel<<<1, 32>>>(d_x, 2048);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
}

}  // namespace too_large_a_child

/* Reports:
kind = "launch_error_unread"
kernel = "parent_kernel"
mentions = ["child_kernel", "2048 threads", "cudaErrorInvalidConfiguration"]
mode = "check"
*/

// The recursion has no end.
namespace endless_recursion {

__global__ void again_kernel(int* x) {
  *x += 1;
  again_kernel<<<1, 1>>>(x);  // fault
}

PART(endless_recursion) {
  int* d_x = nullptr;
  CHECK(cudaMalloc(&d_x, sizeof(int)));
  CHECK(cudaMemset(d_x, 0, sizeof(int)));
  again_kernel<<<1, 1>>>(d_x);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
}

}  // namespace endless_recursion

/* Reports:
kind = "launch_error_unread"
kernel = "again_kernel"
mentions = ["cudaErrorLaunchMaxDepthExceeded", "24 deep"]
mode = "check"
*/

// Two kernels launch each other at their tails, for ever.
namespace endless_tail {

__global__ void pong_kernel(int* x);
__global__ void ping_kernel(int* x) {
  *x += 1;
  pong_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(x);
}
__global__ void pong_kernel(int* x) {
  *x -= 1;
  ping_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(x);
}

PART(endless_tail) {
  int* d_x = nullptr;
  CHECK(cudaMalloc(&d_x, sizeof(int)));
  CHECK(cudaMemset(d_x, 0, sizeof(int)));
  ping_kernel<<<1, 1>>>(d_x);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
}

}  // namespace endless_tail

/* Reports:
kind = "endless_kernel"
mentions = ["the grids that came of it", "launch each other without end"]
mode = "any"
*/

// A loop that launches and never ends.
namespace endless_launching {

__global__ void child_kernel(volatile int* x) {
  *x = 1;
}
__global__ void parent_kernel(volatile int* x) {
  while (*x == 0) child_kernel<<<1, 1>>>(x);
}

PART(endless_launching) {
  int* d_x = nullptr;
  CHECK(cudaMalloc(&d_x, sizeof(int)));
  CHECK(cudaMemset(d_x, 0, sizeof(int)));
  parent_kernel<<<1, 1>>>(d_x);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
}

}  // namespace endless_launching

/* Reports:
kind = "endless_kernel"
kernel = "parent_kernel"
mode = "any"
*/

// The fault is the child's, and its place is told as that of any kernel.
namespace child_out_of_bounds {

__global__ void child_kernel(int* x, int n) {
  x[threadIdx.x] = n;  // fault
}
__global__ void parent_kernel(int* x, int n) {
  child_kernel<<<1, 2 * n>>>(x, n);
}

PART(child_out_of_bounds) {
  int* d_x = nullptr;
  CHECK(cudaMalloc(&d_x, 32 * sizeof(int)));
  parent_kernel<<<1, 1>>>(d_x, 32);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
}

}  // namespace child_out_of_bounds

/* Reports:
kind = "out_of_bounds_global"
kernel = "child_kernel"
mode = "check"
*/

// nvcc compiles the first branch for kernels, and the CPU device the second: __CUDA_ARCH__ is not
// defined there.
namespace host_call {

__host__ __device__ void wait() {
#if !defined(__CUDA_ARCH__)
  cudaDeviceSynchronize();
#endif
}
__global__ void parent_kernel(int* x) {
  *x = 1;
  wait();
}

PART(host_call) {
  int* d_x = nullptr;
  CHECK(cudaMalloc(&d_x, sizeof(int)));
  parent_kernel<<<1, 1>>>(d_x);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
}

}  // namespace host_call

/* Reports:
kind = "host_call_in_kernel"
kernel = "parent_kernel"
mode = "any"
*/
