// SPDX-License-Identifier: MIT
// Cooperative launches: the blocks of a grid wait for each other.
#include <cooperative_groups.h>

#include <algorithm>

#include "../check.h"
#include "../parts.h"

// this_grid().sync(): each thread reads what a thread of the next block wrote, again and again.
// Shared memory, static and dynamic, keeps what it holds.
namespace grid_sync {

namespace cg = cooperative_groups;

__global__ void pass_on_kernel(int* values, int* kept, int n, int rounds) {
  extern __shared__ int numbers[];
  __shared__ int block;
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  if (threadIdx.x == 0) block = blockIdx.x;
  numbers[threadIdx.x] = i;
  for (int round = 0; round < rounds; ++round) {
    const int next = values[(i + blockDim.x) % n];
    grid.sync();
    values[i] = next + 1;
    cg::sync(grid);
  }
  kept[i] = numbers[threadIdx.x] == i && block == static_cast<int>(blockIdx.x);
}

PART(grid_sync) {
  for (const int blocks : {1, 2, 5}) {
    const int threads = 33, rounds = 7, n = blocks * threads;
    std::vector<int> start(n);
    for (int i = 0; i < n; ++i) start[i] = i;
    const DeviceArray<int> values(start), kept(n);
    int* d_values = values.data();
    int* d_kept = kept.data();
    int count = n, turns = rounds;
    void* arguments[] = {&d_values, &d_kept, &count, &turns};
    CHECK(cudaLaunchCooperativeKernel((void*)pass_on_kernel, blocks, threads, arguments,
                                      threads * sizeof(int), 0));
    CHECK_LAUNCH();
    bool right = true;
    const std::vector<int> result = values.host(), whole = kept.host();
    for (int i = 0; i < n; ++i) right = right && result[i] == (i + rounds * threads) % n + rounds;
    show("blocks", blocks);
    expect("values", right);
    expect("shared memory", std::count(whole.begin(), whole.end(), 1) == n);
  }
}

}  // namespace grid_sync

/* Prints:
blocks: 1
values: ok
shared memory: ok
blocks: 2
values: ok
shared memory: ok
blocks: 5
values: ok
shared memory: ok
*/

// What a grid_group says of itself and of the calling thread.
namespace grid_members {

namespace cg = cooperative_groups;

__global__ void members_kernel(unsigned long long* sizes, int* wrong) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned long long block =
      blockIdx.x +
      gridDim.x * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  const unsigned long long thread =
      threadIdx.x +
      blockDim.x * (threadIdx.y + static_cast<unsigned long long>(blockDim.y) * threadIdx.z);
  const dim3 at = grid.thread_index();
  const bool right = grid.block_rank() == block && grid.thread_rank() == block * 30 + thread &&
                     grid.block_index().y == blockIdx.y && grid.block_index().z == blockIdx.z &&
                     at.x == blockIdx.x * blockDim.x + threadIdx.x &&
                     at.y == blockIdx.y * blockDim.y + threadIdx.y &&
                     at.z == blockIdx.z * blockDim.z + threadIdx.z;
  if (!right) atomicAdd(wrong, 1);
  if (grid.thread_rank() != 0) return;
  sizes[0] = grid.size();
  sizes[1] = grid.num_threads();
  sizes[2] = grid.num_blocks();
  sizes[3] = grid.group_dim().x;
  sizes[4] = grid.dim_blocks().y;
  sizes[5] = grid.dim_threads().z;
}

__global__ void valid_kernel(int* valid) {
  *valid = cg::this_grid().is_valid();
}

PART(grid_members) {
  const DeviceArray<unsigned long long> sizes(6);
  const DeviceArray<int> wrong(1), valid(1);
  unsigned long long* d_sizes = sizes.data();
  int* d_wrong = wrong.data();
  void* arguments[] = {&d_sizes, &d_wrong};
  CHECK(cudaLaunchCooperativeKernel(members_kernel, dim3(3, 2, 2), dim3(5, 3, 2), arguments));
  CHECK_LAUNCH();
  show("cooperative", sizes.host());
  members_kernel<<<dim3(3, 2, 2), dim3(5, 3, 2)>>>(d_sizes, d_wrong);
  CHECK_LAUNCH();
  show("ordinary", sizes.host());
  show("wrong", wrong.host());
  int* d_valid = valid.data();
  void* valid_arguments[] = {&d_valid};
  CHECK(cudaLaunchCooperativeKernel(valid_kernel, 1, 1, valid_arguments));
  CHECK_LAUNCH();
  show("valid", valid.host());
}

}  // namespace grid_members

/* Prints:
cooperative: 360 360 12 3 2 4
ordinary: 360 360 12 3 2 4
wrong: 0
valid: 1
*/

// As many blocks as the device holds, by its attributes, and one more.
namespace as_many_as_fit {

namespace cg = cooperative_groups;

// The sum of all values: of the blocks first, then of their sums, by the first block.
template <class Value, int block_size>
__global__ void sum_kernel(const Value* values, int n, Value* sums, Value* result) {
  __shared__ Value parts[block_size];
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  Value sum = 0;
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) sum += values[i];
  for (int step = 0; step < 2; ++step) {
    parts[block.thread_rank()] = sum;
    block.sync();
    for (int half = block_size / 2; half > 0; half /= 2) {
      if (block.thread_rank() < half) {
        parts[block.thread_rank()] += parts[block.thread_rank() + half];
      }
      block.sync();
    }
    if (block.thread_rank() == 0) (step == 0 ? sums[blockIdx.x] : *result) = parts[0];
    if (step == 1) return;
    grid.sync();
    if (grid.block_rank() > 0) return;
    sum = 0;
    for (unsigned i = block.thread_rank(); i < gridDim.x; i += block.size()) sum += sums[i];
  }
}

PART(as_many_as_fit) {
  constexpr int kThreads = 128, kValues = 100003;
  int cooperative = 0, processors = 0, blocks = 0;
  CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_kernel<long long, kThreads>,
                                                      kThreads, 0));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  show("cooperative", cooperative, properties.cooperativeLaunch);
  std::vector<long long> numbers(kValues);
  for (int i = 0; i < kValues; ++i) numbers[i] = i;
  const DeviceArray<long long> values(numbers), sums(processors * blocks), result(1);
  const long long* d_values = values.data();
  long long* d_sums = sums.data();
  long long* d_result = result.data();
  int n = kValues;
  void* arguments[] = {&d_values, &n, &d_sums, &d_result};
  const auto kernel = sum_kernel<long long, kThreads>;
  CHECK(cudaLaunchCooperativeKernel(kernel, processors * blocks, kThreads, arguments));
  CHECK_LAUNCH();
  show("sum", result.host());
  const cudaError_t error =
      cudaLaunchCooperativeKernel(kernel, processors * blocks + 1, kThreads, arguments);
  show("one more", cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace as_many_as_fit

/* Prints:
cooperative: 1 1
sum: 5000250003
one more: cudaErrorCooperativeLaunchTooLarge cudaErrorCooperativeLaunchTooLarge
*/

// A refused launch returns the error: a program that falls back has nothing else to ask for.
namespace refused_and_handled {

__global__ void count_kernel(int* count) {
  atomicAdd(count, 1);
}

PART(refused_and_handled) {
  const DeviceArray<int> count({0});
  int* d_count = count.data();
  void* arguments[] = {&d_count};
  const cudaError_t error = cudaLaunchCooperativeKernel(count_kernel, 1 << 20, 1024, arguments);
  show("too large", error == cudaErrorCooperativeLaunchTooLarge);
  count_kernel<<<3, 32>>>(d_count);
  CHECK(cudaDeviceSynchronize());
  show("count", count.host());
}

}  // namespace refused_and_handled

/* Prints:
too large: 1
count: 96
*/

// cudaLaunchKernelExC and cudaLaunchKernelEx with the attribute, on a stream.
namespace launch_attributes {

namespace cg = cooperative_groups;

__global__ void rotate_kernel(int* values, float scale) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned long long i = grid.thread_rank();
  const int next = values[(i + 1) % grid.size()];
  if (grid.is_valid()) grid.sync();
  values[i] = static_cast<int>(next * scale);
}

PART(launch_attributes) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const DeviceArray<int> values({1, 2, 3, 4, 5, 6});
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(3);
  config.blockDim = dim3(2);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int* d_values = values.data();
  float scale = 1;
  void* arguments[] = {&d_values, &scale};
  CHECK(cudaLaunchKernelExC(&config, (void*)rotate_kernel, arguments));
  CHECK(cudaLaunchKernelEx(&config, rotate_kernel, d_values, 2));  // the int becomes a float
  CHECK(cudaStreamSynchronize(stream));
  show("values", values.host());
  CHECK(cudaStreamDestroy(stream));
}

}  // namespace launch_attributes

/* Prints:
values: 6 8 10 12 2 4
*/

// Blocks that wait for each other by their own means: a barrier made of atomics, and flags.
namespace own_waiting {

__device__ unsigned arrived = 0;

__device__ void wait_for_grid(unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*static_cast<volatile unsigned*>(&arrived) < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void barrier_kernel(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned goal = 0;
  for (int round = 0; round < 5; ++round) {
    const int other = values[(i + 40) % n];
    wait_for_grid(goal += gridDim.x);
    values[i] = other + 1;
    wait_for_grid(goal += gridDim.x);
  }
}

// Each block takes the sum of the one after it, so the last one begins.
__global__ void chain_kernel(int* sums, int* ready) {
  if (threadIdx.x != 0) return;
  int sum = blockIdx.x;
  if (blockIdx.x + 1 < gridDim.x) {
    while (atomicAdd(&ready[blockIdx.x + 1], 0) == 0) {
    }
    __threadfence();
    sum += sums[blockIdx.x + 1];
  }
  sums[blockIdx.x] = sum;
  __threadfence();
  atomicExch(&ready[blockIdx.x], 1);
}

PART(own_waiting) {
  constexpr int kBlocks = 4, kThreads = 40, kCount = kBlocks * kThreads;
  std::vector<int> start(kCount);
  for (int i = 0; i < kCount; ++i) start[i] = i;
  const DeviceArray<int> values(start), sums(7), ready(7);
  int* d_values = values.data();
  int n = kCount;
  void* barrier_arguments[] = {&d_values, &n};
  CHECK(cudaLaunchCooperativeKernel(barrier_kernel, kBlocks, kThreads, barrier_arguments));
  int* d_sums = sums.data();
  int* d_ready = ready.data();
  void* chain_arguments[] = {&d_sums, &d_ready};
  CHECK(cudaLaunchCooperativeKernel(chain_kernel, 7, 32, chain_arguments));
  CHECK_LAUNCH();
  bool right = true;
  const std::vector<int> result = values.host();
  for (int i = 0; i < kCount; ++i) right = right && result[i] == (i + 5 * kThreads) % kCount + 5;
  expect("barrier", right);
  show("chain", sums.host());
}

}  // namespace own_waiting

/* Prints:
barrier: ok
chain: 21 21 20 18 15 11 6
*/

// Blocks and the grid wait in turn, and blocks wait for each other at two places.
namespace two_places {

namespace cg = cooperative_groups;

__global__ void two_places_kernel(int* counts, int n) {
  const cg::grid_group grid = cg::this_grid();
  const int threads = __syncthreads_count(threadIdx.x < n);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) counts[blockIdx.x] = threads;
    grid.sync();
  } else {
    grid.sync();
    if (threadIdx.x == 0) counts[blockIdx.x] = counts[0] + threads + blockIdx.x;
  }
  __syncthreads();
  grid.sync();
  if (threadIdx.x == 0) atomicAdd(&counts[gridDim.x], counts[(blockIdx.x + 1) % gridDim.x]);
}

PART(two_places) {
  const DeviceArray<int> counts(4);
  int* d_counts = counts.data();
  int n = 50;
  void* arguments[] = {&d_counts, &n};
  CHECK(cudaLaunchCooperativeKernel(two_places_kernel, 3, 96, arguments));
  CHECK_LAUNCH();
  show("counts", counts.host());
}

}  // namespace two_places

/* Prints:
counts: 50 101 102 253
*/
