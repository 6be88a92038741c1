// SPDX-License-Identifier: MIT
// Cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

#include <new>
#include <utility>

#include "../check.h"
#include "../parts.h"

// cooperative_groups::thread_block: ranks, sizes, indices, sync.
namespace block {

namespace cg = cooperative_groups;

__device__ int block_sum(cg::thread_block block, int value, int* shared) {
  shared[block.thread_rank()] = value;
  block.sync();
  for (unsigned n = block.size() / 2; n > 0; n /= 2) {
    if (block.thread_rank() < n) shared[block.thread_rank()] += shared[block.thread_rank() + n];
    cg::sync(block);
  }
  return shared[0];
}

__global__ void block_kernel(int* out) {
  extern __shared__ int shared[];
  const cg::thread_block block = cg::this_thread_block();
  const int sum = block_sum(block, block.thread_rank() + 1, shared);
  if (block.thread_rank() != 63) return;
  int* mine = out + 8 * block.group_index().x;
  mine[0] = sum;
  mine[1] = block.thread_index().x;
  mine[2] = block.thread_index().y;
  mine[3] = block.group_index().x;
  mine[4] = block.size();
  mine[5] = block.num_threads();
  mine[6] = block.dim_threads().x;
  mine[7] = block.group_dim().y;
}

PART(block) {
  DeviceArray<int> out(16);
  block_kernel<<<2, dim3(16, 4), 64 * sizeof(int)>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  show("first", std::vector<int>(host.begin(), host.begin() + 8));
  show("second", std::vector<int>(host.begin() + 8, host.end()));
}

}  // namespace block

/* Prints:
first: 2080 15 3 0 64 64 16 4
second: 2080 15 3 1 64 64 16 4
*/

// cooperative_groups::reduce over tiles, with the operators of the library and one of our own.
namespace reduce {

namespace cg = cooperative_groups;

__global__ void reduce_kernel(int* ints, float* floats) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto half_warp = cg::tiled_partition<16>(cg::this_thread_block());
  const int i = threadIdx.x;
  const int sum = cg::reduce(warp, i, cg::plus<int>());
  const int least = cg::reduce(half_warp, (i * 7) % 32, cg::less<int>());
  const int most = cg::reduce(half_warp, (i * 7) % 32, cg::greater<int>());
  const int ored = cg::reduce(warp, 1 << (i % 8), cg::bit_or<int>());
  const int anded = cg::reduce(warp, i | 64, cg::bit_and<int>());
  const int xored = cg::reduce(half_warp, i * i, cg::bit_xor<int>());
  const float real = cg::reduce(warp, i * 0.5f, cg::plus<float>());
  const int product = cg::reduce(half_warp, i % 2 + 1, [](int a, int b) { return a * b; });
  if (half_warp.thread_rank() == 0) {
    int* mine = ints + 7 * half_warp.meta_group_rank();
    const int values[] = {sum, least, most, ored, anded, xored, product};
    for (int k = 0; k < 7; ++k) mine[k] = values[k];
    floats[half_warp.meta_group_rank()] = real;
  }
}

PART(reduce) {
  DeviceArray<int> ints(28);
  DeviceArray<float> floats(4);
  reduce_kernel<<<1, 64>>>(ints.data(), floats.data());
  CHECK_LAUNCH();
  const std::vector<int> host = ints.host();
  for (int t = 0; t < 4; ++t) show("half warp", std::vector<int>(&host[7 * t], &host[7 * t] + 7));
  show("floats", floats.host());
}

}  // namespace reduce

/* Prints:
half warp: 496 0 31 255 64 0 256
half warp: 496 1 30 255 64 896 256
half warp: 1520 0 31 255 96 384 256
half warp: 1520 1 30 255 96 768 256
floats: 248 248 760 760
*/

// tiled_partition: ranks, shuffles, votes and sync of tiles of 4 to 32 threads, tiles of tiles.
namespace tiles {

namespace cg = cooperative_groups;

template <int kSize>
__global__ void tiles_kernel(int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kSize>(block);
  const int i = block.thread_rank();
  int sum = i;
  for (int by = tile.size() / 2; by > 0; by /= 2) sum += tile.shfl_down(sum, by);
  const int from_first = tile.shfl(sum, 0);
  const int neighbour = tile.shfl_xor(i, 1);
  const int left = tile.shfl_up(i, 1);
  const unsigned odd = tile.ballot(i & 1);
  const int votes = 2 * (tile.any(i == 5) != 0) + (tile.all(i < 32) != 0);
  tile.sync();
  int* mine = out + 8 * i;
  mine[0] = from_first;
  mine[1] = neighbour;
  mine[2] = left;
  mine[3] = odd;
  mine[4] = votes;
  mine[5] = tile.thread_rank();
  mine[6] = tile.meta_group_rank();
  mine[7] = tile.meta_group_size();
}

__global__ void nested_kernel(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto quad = cg::tiled_partition<4>(warp);
  int value = threadIdx.x;
  if (warp.thread_rank() < 8) value = quad.shfl(value, 3) * 10;  // two tiles of this warp only
  warp.sync();
  out[threadIdx.x] = value + 1000 * quad.num_threads();
}

template <int kSize>
void run() {
  DeviceArray<int> out(8 * 64);
  tiles_kernel<kSize><<<1, 64>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  for (int i : {1, 6, 63}) {
    std::printf("tile of %d, thread %d:", kSize, i);
    for (int k = 0; k < 8; ++k) print(host[8 * i + k]);
    std::printf("\n");
  }
}

PART(tiles) {
  run<4>();
  run<8>();
  run<16>();
  run<32>();
  DeviceArray<int> out(64);
  nested_kernel<<<1, 64>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  show("nested", host[0], host[7], host[8], host[36], host[63]);
}

}  // namespace tiles

/* Prints:
tile of 4, thread 1: 6 0 0 10 1 1 0 16
tile of 4, thread 6: 22 7 5 10 3 2 1 16
tile of 4, thread 63: 246 62 62 10 0 3 15 16
tile of 8, thread 1: 28 0 0 170 3 1 0 8
tile of 8, thread 6: 28 7 5 170 3 6 0 8
tile of 8, thread 63: 476 62 62 170 0 7 7 8
tile of 16, thread 1: 120 0 0 43690 3 1 0 4
tile of 16, thread 6: 120 7 5 43690 3 6 0 4
tile of 16, thread 63: 888 62 62 43690 0 15 3 4
tile of 32, thread 1: 496 0 0 -1431655766 3 1 0 2
tile of 32, thread 6: 496 7 5 -1431655766 3 6 0 2
tile of 32, thread 63: 1520 62 62 -1431655766 0 31 1 2
nested: 4030 4070 4008 4390 4063
*/

// cuda::barrier: arrival and waiting in two steps and in one, by whole blocks and by threads that
// drop out.
namespace split_barrier {

namespace cg = cooperative_groups;

#pragma nv_diag_suppress static_var_with_dynamic_init

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void rotate_kernel(int* out, int rounds) {
  __shared__ Barrier barrier;
  __shared__ int cells[96];
  const cg::thread_block block = cg::this_thread_block();
  const int i = threadIdx.x;
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cells[i] = i;
  for (int round = 0; round < rounds; ++round) {
    Barrier::arrival_token token = barrier.arrive();
    const int own = i * round;  // needs no other thread
    barrier.wait(std::move(token));
    const int next = cells[(i + 1) % 96] + own;
    barrier.arrive_and_wait();
    cells[i] = next - own + 1;
  }
  barrier.arrive_and_wait();
  out[i] = cells[95 - i];
}

// Half of the block fills buffers that the other half empties.
__global__ void produce_kernel(const int* in, int* sums, int steps) {
  __shared__ Barrier barriers[4];
  __shared__ int buffers[2][32];
  if (threadIdx.x < 4) init(&barriers[threadIdx.x], blockDim.x);
  __syncthreads();
  Barrier *empty = barriers, *full = barriers + 2;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int step = 0; step < steps; ++step) {
      empty[step % 2].arrive_and_wait();
      buffers[step % 2][lane] = in[32 * step + lane];
      static_cast<void>(full[step % 2].arrive());
    }
  } else {
    static_cast<void>(empty[0].arrive());
    static_cast<void>(empty[1].arrive());
    int sum = 0;
    for (int step = 0; step < steps; ++step) {
      full[step % 2].arrive_and_wait();
      for (const int value : buffers[step % 2]) sum += value * (lane + 1);
      static_cast<void>(empty[step % 2].arrive());
    }
    sums[lane] = sum;
  }
}

__global__ void drop_kernel(int* out) {
  __shared__ Barrier barrier;
  __shared__ int cells[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cells[threadIdx.x] = 1;
  if (threadIdx.x >= 40) {
    barrier.arrive_and_drop();
    return;
  }
  barrier.arrive_and_wait();
  out[threadIdx.x] = cells[63 - threadIdx.x];
  barrier.arrive_and_wait();
  if (threadIdx.x == 0) out[40] = out[39] + 1;
}

__global__ void copy_kernel(const int* in, int* out, int tiles) {
  __shared__ Barrier barrier;
  __shared__ int cells[2][48];
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  for (int tile = 0; tile < tiles; ++tile) {
    cuda::memcpy_async(block, cells[tile % 2], in + 48 * tile, sizeof(int) * 48, barrier);
    barrier.arrive_and_wait();
    out[48 * tile + threadIdx.x] = cells[tile % 2][47 - threadIdx.x];
  }
}

PART(split_barrier) {
  const DeviceArray<int> rotated(96), sums(32), dropped(41), copied(144);
  rotate_kernel<<<1, 96>>>(rotated.data(), 5);
  std::vector<int> numbers(224);
  int total = 0;
  for (int i = 0; i < 224; ++i) total += numbers[i] = i % 10;
  const DeviceArray<int> in(numbers);
  produce_kernel<<<1, 64>>>(in.data(), sums.data(), 7);
  drop_kernel<<<1, 64>>>(dropped.data());
  copy_kernel<<<1, 48>>>(in.data(), copied.data(), 3);
  CHECK_LAUNCH();
  bool right = true;
  for (int i = 0; i < 96; ++i) right = right && rotated.host()[i] == (95 - i + 5) % 96 + 5;
  expect("rotated", right);
  right = true;
  for (int i = 0; i < 32; ++i) right = right && sums.host()[i] == total * (i + 1);
  expect("sums", right);
  show("dropped", dropped.host()[0], dropped.host()[40]);
  right = true;
  for (int i = 0; i < 144; ++i) {
    right = right && copied.host()[i] == numbers[i / 48 * 48 + 47 - i % 48];
  }
  expect("copied", right);
}

}  // namespace split_barrier

/* Prints:
rotated: ok
sums: ok
dropped: 1 2
copied: ok
*/

// cuda::pipeline: stages that all threads of a block fill and use, that some fill and others use,
// and that are a thread's own; and its forerunner nvcuda::experimental::pipeline.
namespace pipelines {

namespace cg = cooperative_groups;

template <int stages>
__global__ void unified_kernel(int* out, const int* in, int batches) {
  const cg::thread_block block = cg::this_thread_block();
  extern __shared__ int cells[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int used = 0, asked = 0; used < batches; ++used) {
    for (; asked < batches && asked < used + stages; ++asked) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, cells + asked % stages * block.size(), in + asked * block.size(),
                         sizeof(int) * block.size(), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += cells[used % stages * block.size() + (threadIdx.x ^ 1)];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

template <int stages>
__global__ void roles_kernel(int* out, const int* in, int batches) {
  const cg::thread_block block = cg::this_thread_block();
  __shared__ int cells[stages][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto role =
      threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  if (role == cuda::pipeline_role::producer) {
    const auto warp = cg::tiled_partition<32>(block);
    for (int batch = 0; batch < batches; ++batch) {
      pipe.producer_acquire();
      cuda::memcpy_async(warp, cells[batch % stages], in + 32 * batch,
                         cuda::aligned_size_t<4>(sizeof cells[0]), pipe);
      pipe.producer_commit();
    }
  } else {
    int sum = 0;
    for (int batch = 0; batch < batches; ++batch) {
      pipe.consumer_wait();
      for (const int value : cells[batch % stages]) sum += value * static_cast<int>(threadIdx.x);
      pipe.consumer_release();
    }
    out[threadIdx.x - 32] = sum;
  }
  pipe.quit();
}

// The first 32 threads produce, each an element.
template <int stages>
__global__ void counted_kernel(int* out, const int* in) {
  const cg::thread_block block = cg::this_thread_block();
  __shared__ int cells[32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto pipe = cuda::make_pipeline(block, &state, 32);
  if (threadIdx.x < 32) {
    pipe.producer_acquire();
    cuda::memcpy_async(cells + threadIdx.x, in + threadIdx.x, sizeof(int), pipe);
    pipe.producer_commit();
  } else {
    pipe.consumer_wait();
    out[threadIdx.x - 32] = cells[63 - threadIdx.x];
    pipe.consumer_release();
  }
}

__global__ void thread_kernel(int* out, const int4* in, int steps) {
  __shared__ int4 cells[2][64];
  const int i = threadIdx.x;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  int sum = 0;
  for (int step = 0; step <= steps; ++step) {
    if (step < steps) {
      pipe.producer_acquire();
      cuda::memcpy_async(&cells[step % 2][i], &in[step * 64 + i],
                         cuda::aligned_size_t<16>(sizeof(int4)), pipe);
      pipe.producer_commit();
    }
    if (step == 0) continue;
    if (step < steps) {
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    const int4 value = cells[(step - 1) % 2][i];
    sum += value.x + value.y + value.z + value.w;
  }
  pipe.producer_acquire();
  cuda::memcpy_async(&cells[0][i], &in[i], sizeof(int4), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[i] = sum + cells[0][i].w;
  pipe.consumer_release();
}

// The copy has as many elements as both sides have.
__global__ void elements_kernel(int* out, const int* in) {
  __shared__ int cells[64];
  const cg::thread_block block = cg::this_thread_block();
  cells[threadIdx.x] = -1;
  block.sync();
  cg::memcpy_async(block, cells, 40, in, 48);
  cg::wait(block);
  out[threadIdx.x] = cells[threadIdx.x];
}

__global__ void experimental_kernel(int* out, const int* in) {
  __shared__ int one[32];
  __shared__ __align__(8) int two[64];
  __shared__ int4 four[32];
  const int i = threadIdx.x;
  nvcuda::experimental::pipeline pipe;
  nvcuda::experimental::memcpy_async(one[i], in[i], pipe);
  pipe.commit();
  nvcuda::experimental::memcpy_async(four[i], reinterpret_cast<const int4*>(in)[i], pipe);
  pipe.commit();
  nvcuda::experimental::memcpy_async(nvcuda::experimental::segment<2>(two + 2 * i),
                                     nvcuda::experimental::segment<1>(in + 2 * i), pipe);
  pipe.commit();
  pipe.wait_prior<1>();
  __syncthreads();
  out[i] = one[31 - i] + four[31 - i].w;
  pipe.wait_prior<0>();
  out[i] += 1000 * two[2 * i] + two[2 * i + 1];
}

PART(pipelines) {
  std::vector<int> numbers(64 * 4 * 8);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
  const DeviceArray<int> in(numbers), out(64);
  const auto ends = [&](const char* name, int last) {
    CHECK_LAUNCH();
    const std::vector<int> values = out.host();
    show(name, values[0], values[1], values[last]);
  };
  unified_kernel<3><<<1, 64, 3 * 64 * sizeof(int)>>>(out.data(), in.data(), 10);
  ends("unified", 63);
  unified_kernel<1><<<1, 64, 64 * sizeof(int)>>>(out.data(), in.data(), 2);
  ends("one stage", 63);
  roles_kernel<2><<<1, 96>>>(out.data(), in.data(), 7);
  ends("roles", 63);
  counted_kernel<1><<<1, 64>>>(out.data(), in.data());
  ends("counted", 31);
  thread_kernel<<<1, 64>>>(out.data(), reinterpret_cast<const int4*>(in.data()), 8);
  ends("thread", 63);
  elements_kernel<<<1, 64>>>(out.data(), in.data());
  CHECK_LAUNCH();
  show("elements", out.host()[39], out.host()[40]);
  experimental_kernel<<<1, 32>>>(out.data(), in.data());
  ends("experimental", 31);
}

}  // namespace pipelines

/* Prints:
unified: 2890 2880 3500
one stage: 66 64 188
roles: 799232 824208 2372720
counted: 31 30 0
thread: 28723 28855 37039
elements: 39 -1
experimental: 158 2153 62003
*/

// cuda::latch and semaphores; the block's barrier in two steps; one thread of a group that calls.
namespace latches {

namespace cg = cooperative_groups;

using Latch = cuda::latch<cuda::thread_scope_block>;

__device__ cuda::binary_semaphore<cuda::thread_scope_device> free_{1};
__device__ cuda::counting_semaphore<cuda::thread_scope_device> items{0};
__device__ int counted;

__global__ void latch_kernel(int* out) {
  __shared__ alignas(Latch) unsigned char place[sizeof(Latch)];
  __shared__ int cells[64];
  Latch* const latch = reinterpret_cast<Latch*>(place);
  const int i = threadIdx.x;
  if (i == 0) new (latch) Latch(64);
  __syncthreads();
  cells[i] = i * i;
  if (i >= 32) {
    latch->count_down();
    return;
  }
  latch->arrive_and_wait();
  out[i] = cells[63 - i];
}

__global__ void count_kernel() {
  if (threadIdx.x != 0) return;
  free_.acquire();
  counted = counted + 1;
  free_.release();
  items.release(2);
}
__global__ void take_kernel(int* out) {
  int taken = 0;
  while (items.try_acquire()) ++taken;
  out[0] = taken;
}

__global__ void steps_kernel(int* out) {
  __shared__ int cells[64];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  cells[threadIdx.x] = threadIdx.x;
  auto token = block.barrier_arrive();
  const int told = cg::invoke_one_broadcast(tile, [] { return 7; });
  block.barrier_wait(std::move(token));
  out[threadIdx.x] = cells[63 - threadIdx.x] * 10 + told;
  cg::invoke_one(tile, [&] { out[64 + tile.meta_group_rank()] = 5; });
}

PART(latches) {
  const DeviceArray<int> out(66);
  latch_kernel<<<1, 64>>>(out.data());
  CHECK_LAUNCH();
  show("latch", out.host()[0], out.host()[31]);
  count_kernel<<<10, 32>>>();
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, counted, sizeof count));
  take_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("semaphores", count, out.host()[0]);
  steps_kernel<<<1, 64>>>(out.data());
  CHECK_LAUNCH();
  show("steps", out.host()[0], out.host()[63], out.host()[64], out.host()[65]);
}

}  // namespace latches

/* Prints:
latch: 3969 1024
semaphores: 10 20
steps: 637 7 5 5
*/
