// SPDX-License-Identifier: MIT
// Grids whose blocks wait for each other, or should.
#include <cooperative_groups.h>

#include "../check.h"
#include "../parts.h"

// The kernel was launched with <<< >>>, as any other.
namespace ordinary_launch {

namespace cg = cooperative_groups;

__global__ void waiting_kernel(int* data) {
  data[blockIdx.x * 64 + threadIdx.x] = 1;
  cg::this_grid().sync();  // fault
  data[blockIdx.x * 64 + threadIdx.x] += 1;
}

PART(ordinary_launch) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 3 * 64 * sizeof(int)));
  waiting_kernel<<<3, 64>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace ordinary_launch

/* Reports:
kind = "not_cooperative"
kernel = "waiting_kernel"
mentions = ["cudaLaunchCooperativeKernel"]
mode = "any"
*/

// Blocks beyond the data return before the grid's barrier.
namespace block_returns {

namespace cg = cooperative_groups;

__global__ void covering_kernel(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  data[i] = i;
  cg::this_grid().sync();  // fault
  data[i] += 1;
}

PART(block_returns) {
  int* d_data = nullptr;
  int n = 128;
  CHECK(cudaMalloc(&d_data, n * sizeof(int)));
  void* arguments[] = {&d_data, &n};
  CHECK(cudaLaunchCooperativeKernel(covering_kernel, 3, 64, arguments));
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace block_returns

/* Reports:
kind = "divergent_barrier"
kernel = "covering_kernel"
mentions = ["2 of its 3 blocks", "block (2,0,0) has ended"]
mode = "any"
*/

// The first thread of a block, which speaks for it at the grid's barrier, returns.
namespace first_thread_returns {

namespace cg = cooperative_groups;

__global__ void master_kernel(int* data) {
  if (threadIdx.x == 0) return;
  data[blockIdx.x * 64 + threadIdx.x] = 1;
  cg::this_grid().sync();  // fault
}

PART(first_thread_returns) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 2 * 64 * sizeof(int)));
  void* arguments[] = {&d_data};
  CHECK(cudaLaunchCooperativeKernel(master_kernel, 2, 64, arguments));
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace first_thread_returns

/* Reports:
kind = "divergent_barrier"
kernel = "master_kernel"
mentions = ["thread (0,0,0) of its block has returned"]
mode = "any"
*/

// Some threads of a block are at the grid's barrier, and others at the block's.
namespace grid_and_block {

namespace cg = cooperative_groups;

__global__ void mixed_kernel(int* data) {
  if (threadIdx.x < 32) {
    cg::this_grid().sync();  // fault
  } else {
    __syncthreads();  // fault
  }
  data[blockIdx.x * 64 + threadIdx.x] = 1;
}

PART(grid_and_block) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 2 * 64 * sizeof(int)));
  void* arguments[] = {&d_data};
  CHECK(cudaLaunchCooperativeKernel(mixed_kernel, 2, 64, arguments));
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace grid_and_block

/* Reports:
kind = "divergent_barrier"
kernel = "mixed_kernel"
mode = "any"
*/

// One of two barriers of the grid is missing: a block writes what its neighbour has yet to read.
namespace missing_grid_sync {

namespace cg = cooperative_groups;

__global__ void shift_kernel(int* data, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned long long i = grid.thread_rank();
  for (int round = 0; round < rounds; ++round) {
    const int next = data[(i + blockDim.x) % grid.size()];  // fault
    data[i] = next + 1;                                     // fault
    grid.sync();
  }
}

PART(missing_grid_sync) {
  const DeviceArray<int> data(3 * 64);
  int* d_data = data.data();
  int rounds = 4;
  void* arguments[] = {&d_data, &rounds};
  CHECK(cudaLaunchCooperativeKernel(shift_kernel, 3, 64, arguments));
  CHECK_LAUNCH();
}

}  // namespace missing_grid_sync

/* Reports:
kind = "race_across_blocks"
kernel = "shift_kernel"
mentions = ["grid_group::sync()"]
mode = "check"
*/

// A barrier of the block is no barrier of the grid.
namespace block_barrier_for_grid {

__global__ void halves_kernel(int* data, int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;  // fault
  __syncthreads();
  sums[i] = data[i] + data[(i + blockDim.x) % (gridDim.x * blockDim.x)];  // fault
}

PART(block_barrier_for_grid) {
  const DeviceArray<int> data(2 * 64), sums(2 * 64);
  int* d_data = data.data();
  int* d_sums = sums.data();
  void* arguments[] = {&d_data, &d_sums};
  CHECK(cudaLaunchCooperativeKernel(halves_kernel, 2, 64, arguments));
  CHECK_LAUNCH();
}

}  // namespace block_barrier_for_grid

/* Reports:
kind = "race_across_blocks"
kernel = "halves_kernel"
mode = "check"
*/

// A barrier of the grid that is made of atomics, without a fence: nothing hands the data on.
namespace own_barrier_without_fence {

__device__ unsigned arrived = 0;

__global__ void exchange_kernel(int* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;  // fault
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x) {
    }
  }
  __syncthreads();
  const int other = data[(i + blockDim.x) % (gridDim.x * blockDim.x)];  // fault
  if (other < 0) data[0] = other;
}

PART(own_barrier_without_fence) {
  const DeviceArray<int> data(3 * 64);
  int* d_data = data.data();
  void* arguments[] = {&d_data};
  CHECK(cudaLaunchCooperativeKernel(exchange_kernel, 3, 64, arguments));
  CHECK_LAUNCH();
}

}  // namespace own_barrier_without_fence

/* Reports:
kind = "race_across_blocks"
kernel = "exchange_kernel"
mode = "check"
*/

// Shared memory that nobody has written is unwritten after the grid's barrier, too.
namespace unwritten_after_grid_sync {

namespace cg = cooperative_groups;

__global__ void kept_kernel(int* out) {
  __shared__ int cells[64];
  if (threadIdx.x > 0) cells[threadIdx.x] = threadIdx.x;
  cg::this_grid().sync();
  out[blockIdx.x * 64 + threadIdx.x] = cells[63 - threadIdx.x];  // fault
}

PART(unwritten_after_grid_sync) {
  const DeviceArray<int> out(2 * 64);
  int* d_out = out.data();
  void* arguments[] = {&d_out};
  CHECK(cudaLaunchCooperativeKernel(kept_kernel, 2, 64, arguments));
  CHECK_LAUNCH();
}

}  // namespace unwritten_after_grid_sync

/* Reports:
kind = "uninitialised_shared"
kernel = "kept_kernel"
mentions = ["cells"]
mode = "check"
*/
