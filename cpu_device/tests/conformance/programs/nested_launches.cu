// SPDX-License-Identifier: MIT
// Kernels that launch kernels (dynamic parallelism).
// Compile with -rdc=true.
#include <algorithm>
#include <numeric>

#include "../check.h"
#include "../parts.h"

// Thread 0 launches its own kernel, with half as many threads.
namespace recursion {

__global__ void halving_kernel(int* threads, int depth) {
  atomicAdd(&threads[depth], 1);
  if (threadIdx.x != 0 || blockDim.x == 1) return;
  halving_kernel<<<gridDim.x, blockDim.x / 2>>>(threads, depth + 1);
}

__global__ void deeper_kernel(int* reached, int levels) {
  *reached += 1;
  if (levels > 1) deeper_kernel<<<1, 1>>>(reached, levels - 1);
}

// Each grid halves its range.
__global__ void tree_kernel(const int* values, int* sum, int begin, int end) {
  if (end - begin == 1) {
    atomicAdd(sum, values[begin]);
    return;
  }
  const int middle = begin + (end - begin) / 2;
  tree_kernel<<<1, 1, 0, cudaStreamFireAndForget>>>(values, sum, begin, middle);
  tree_kernel<<<1, 1, 0, cudaStreamFireAndForget>>>(values, sum, middle, end);
}

PART(recursion) {
  const DeviceArray<int> threads(4), reached(1), sum(1);
  halving_kernel<<<1, 8>>>(threads.data(), 0);
  CHECK_LAUNCH();
  show("threads by depth", threads.host());
  halving_kernel<<<2, 8>>>(threads.data(), 0);
  CHECK_LAUNCH();
  show("of two blocks, too", threads.host());
  deeper_kernel<<<1, 1>>>(reached.data(), 24);
  CHECK_LAUNCH();
  show("levels", reached.host());
  std::vector<int> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 1);
  const DeviceArray<int> values(numbers);
  tree_kernel<<<1, 1>>>(values.data(), sum.data(), 0, 100);
  CHECK_LAUNCH();
  show("sum", sum.host());
}

}  // namespace recursion

/* Prints:
threads by depth: 8 4 2 1
of two blocks, too: 24 20 18 17
levels: 24
sum: 5050
*/

// Launches in device functions, in functions for both sides, and in templates.
namespace functions {

template <class T>
__global__ void add_kernel(T* x, int n, T value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += value;
}

template <class T>
__device__ void add_in_device(T* x, int n, T value) {
  add_kernel<<<(n + 31) / 32, 32>>>(x, n, value);
}

__host__ __device__ void add_on_both(int* x, int n) {
  add_kernel<int><<<dim3(1), dim3(n)>>>(x, n, 100);
}

struct Numbers {
  int first;
  double second[3];
};
__global__ void numbers_kernel(Numbers numbers, double* sums) {
  sums[threadIdx.x] = numbers.first + numbers.second[threadIdx.x];
}

template <class T, int kCount>
__global__ void parent_kernel(T* x, int n, double* sums) {
  for (int i = 0; i < kCount; ++i) add_in_device<T>(x, n, T(1));
  add_on_both(reinterpret_cast<int*>(x), n);
  // Arguments are those of the time of the launch.
  Numbers numbers{1, {0.5, 1.5, 2.5}};
  numbers_kernel<<<1, 3>>>(numbers, sums);
  numbers.second[0] = 1000;
}

__global__ void shared_kernel(int* out) {
  extern __shared__ int sums[];
  const int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  sums[i] = i;
  __syncthreads();
  if (i == 0) {
    int sum = 0;
    for (unsigned k = 0; k < blockDim.x * blockDim.y * blockDim.z; ++k) sum += sums[k];
    out[blockIdx.x + gridDim.x * blockIdx.y] = sum;
  }
}
__global__ void shapes_kernel(int* out) {
  shared_kernel<<<dim3(3, 2), dim3(4, 3, 2), 24 * sizeof(int)>>>(out);
}

PART(functions) {
  const DeviceArray<int> x(40), out(6);
  const DeviceArray<double> sums(3);
  parent_kernel<int, 3><<<1, 1>>>(x.data(), 40, sums.data());
  CHECK_LAUNCH();
  add_on_both(x.data(), 40);
  CHECK_LAUNCH();
  const std::vector<int> added = x.host();
  expect("added", std::count(added.begin(), added.end(), 203) == 40);
  show("copied arguments", sums.host());
  shapes_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("shared memory", out.host());
}

}  // namespace functions

/* Prints:
added: ok
copied arguments: 1.5 2.5 3.5
shared memory: 276 276 276 276 276 276
*/

// Whatever follows a grid waits for its children, and for theirs.
namespace following_work {

__global__ void leaf_kernel(int* x) {
  for (int i = 0; i < 1000; ++i) *reinterpret_cast<volatile int*>(x) = *x + 1;
}
__global__ void child_kernel(int* x) {
  leaf_kernel<<<1, 1>>>(x);
}
__global__ void parent_kernel(int* x) {
  child_kernel<<<1, 1>>>(x);
}
__global__ void copy_kernel(const int* from, int* to) {
  *to = *from;
}

PART(following_work) {
  const DeviceArray<int> x(1), seen(3);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) {
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  CHECK(cudaDeviceSynchronize());
  cudaEvent_t done;
  CHECK(cudaEventCreate(&done));
  parent_kernel<<<1, 1, 0, streams[0]>>>(x.data());
  copy_kernel<<<1, 1, 0, streams[0]>>>(x.data(), seen.data());
  parent_kernel<<<1, 1, 0, streams[0]>>>(x.data());
  CHECK(cudaEventRecord(done, streams[0]));
  CHECK(cudaStreamWaitEvent(streams[1], done));
  copy_kernel<<<1, 1, 0, streams[1]>>>(x.data(), seen.data() + 1);
  CHECK(cudaStreamSynchronize(streams[1]));
  parent_kernel<<<1, 1, 0, streams[0]>>>(x.data());
  CHECK(cudaStreamSynchronize(streams[0]));
  show("after the host has waited", x.host());
  CHECK(cudaMemcpy(seen.data() + 2, x.data(), sizeof(int), cudaMemcpyDeviceToDevice));
  show("seen by what followed", seen.host());
  CHECK(cudaEventDestroy(done));
  for (const cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
}

}  // namespace following_work

/* Prints:
after the host has waited: 3000
seen by what followed: 1000 2000 3000
*/

// The order of the grids that one grid launches.
namespace order {

__global__ void digit_kernel(long long* number, int digit) {
  *number = 10 * *number + digit;
}
__global__ void one_block_kernel(long long* number) {
  if (threadIdx.x == 0) {
    for (int digit = 1; digit <= 5; ++digit) digit_kernel<<<1, 1>>>(number, digit);
  }
}

__global__ void two_streams_kernel(long long* numbers) {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  }
  for (int digit = 1; digit <= 4; ++digit) {
    digit_kernel<<<1, 1, 0, streams[0]>>>(&numbers[0], digit);
    digit_kernel<<<1, 1, 0, streams[1]>>>(&numbers[1], 5 - digit);
  }
  for (cudaStream_t& stream : streams) cudaStreamDestroy(stream);
}

// Each block has a default stream of its own.
__global__ void many_blocks_kernel(long long* numbers) {
  digit_kernel<<<1, 1>>>(&numbers[blockIdx.x], 7);
  digit_kernel<<<1, 1>>>(&numbers[blockIdx.x], blockIdx.x);
}

PART(order) {
  const DeviceArray<long long> number(1), two(2), many(4);
  one_block_kernel<<<1, 32>>>(number.data());
  CHECK_LAUNCH();
  show("the default stream", number.host());
  two_streams_kernel<<<1, 1>>>(two.data());
  CHECK_LAUNCH();
  show("two streams", two.host());
  many_blocks_kernel<<<4, 1>>>(many.data());
  CHECK_LAUNCH();
  show("blocks", many.host());
}

}  // namespace order

/* Prints:
the default stream: 12345
two streams: 1234 4321
blocks: 70 71 72 73
*/

// A tail launch runs behind its parent and all other grids that this has launched.
namespace tail_launches {

__global__ void set_kernel(int* x, int value) {
  x[threadIdx.x] = value;
}
__global__ void slow_kernel(int* x) {
  set_kernel<<<1, 32, 0, cudaStreamFireAndForget>>>(x, 2);
}
__global__ void sum_kernel(const int* x, int n, int* sums, int at) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  sums[at] = sum + (at > 0 ? sums[at - 1] : 0);
}
__global__ void parent_kernel(int* x, int* sums) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    sum_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(x, 96, sums, 0);
    sum_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(x, 96, sums, 1);
    slow_kernel<<<1, 1, 0, cudaStreamFireAndForget>>>(x + 64);
  }
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// A loop of kernels, each behind the other.
__global__ void loop_kernel(int* x, int steps) {
  const int next = (threadIdx.x + 1) % 32;
  const int sum = x[32 * (steps % 2) + threadIdx.x] + x[32 * (steps % 2) + next];
  x[32 * ((steps + 1) % 2) + threadIdx.x] = sum % 1000;
  if (threadIdx.x == 0 && steps > 1) {
    loop_kernel<<<1, 32, 0, cudaStreamTailLaunch>>>(x, steps - 1);
  }
}

__global__ void append_kernel(long long* number, int digit) {
  *number = 10 * *number + digit;
}
// What a child launches at its tail comes before what its parent launches there.
__global__ void inner_kernel(long long* number) {
  append_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(number, 2);
  append_kernel<<<1, 1>>>(number, 1);
}
__global__ void outer_kernel(long long* number) {
  append_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(number, 3);
  inner_kernel<<<1, 1>>>(number);
  append_kernel<<<1, 1, 0, cudaStreamTailLaunch>>>(number, 4);
}

PART(tail_launches) {
  const DeviceArray<int> x(96), sums(2);
  std::vector<int> start(64);
  std::iota(start.begin(), start.end(), 0);
  const DeviceArray<int> loop(start);
  const DeviceArray<long long> number(1);
  parent_kernel<<<2, 32>>>(x.data(), sums.data());
  CHECK_LAUNCH();
  show("sums", sums.host());
  loop_kernel<<<1, 32>>>(loop.data(), 20);
  CHECK_LAUNCH();
  show("loop", loop.host()[32], loop.host()[63]);
  outer_kernel<<<1, 1>>>(number.data());
  CHECK_LAUNCH();
  show("order", number.host());
}

}  // namespace tail_launches

/* Prints:
sums: 128 256
loop: 736 480
order: 1234
*/

// What a child sees of its parent's memory.
namespace visible_memory {

__device__ int g_counter, g_number;
__managed__ int g_managed;

__global__ void read_kernel(const int* x, int* out) {
  out[threadIdx.x] = x[threadIdx.x] + g_number + g_managed;
}

// A thread's own writes.
__global__ void own_kernel(int* x, int* out) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 32; ++i) x[i] = i;
  g_number = 100;
  g_managed = 1000;
  read_kernel<<<1, 32>>>(x, out);
}

// Those of the block, before a barrier.
__global__ void block_kernel(int* x, int* out) {
  x[threadIdx.x] = 2 * threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 40) read_kernel<<<1, 64>>>(x, out);
}

// Those of a warp.
__global__ void warp_kernel(int* x, int* out) {
  x[threadIdx.x] = 3 * threadIdx.x;
  __syncwarp();
  if (threadIdx.x == 5) read_kernel<<<1, 32>>>(x, out);
}

// Those of all blocks: the last one launches.
__global__ void blocks_kernel(int* x, int* out) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0) return;
  const int before = atomicAdd(&g_counter, 1);
  __threadfence();
  if (before == static_cast<int>(gridDim.x) - 1) read_kernel<<<1, 64>>>(x, out);
}

__global__ void heap_child_kernel(int* made, int* out) {
  *out = *made + 1;
  delete made;
}
__global__ void heap_kernel(int* out) {
  heap_child_kernel<<<1, 1>>>(new int(41), out);
}

PART(visible_memory) {
  const DeviceArray<int> x(64), out(64), from_heap(1);
  own_kernel<<<1, 64>>>(x.data(), out.data());
  CHECK_LAUNCH();
  show("the thread's", out.host()[0], out.host()[31]);
  block_kernel<<<1, 64>>>(x.data(), out.data());
  CHECK_LAUNCH();
  show("the block's", out.host()[1], out.host()[63]);
  warp_kernel<<<1, 32>>>(x.data(), out.data());
  CHECK_LAUNCH();
  show("the warp's", out.host()[1], out.host()[31]);
  blocks_kernel<<<4, 16>>>(x.data(), out.data());
  CHECK_LAUNCH();
  show("other blocks'", out.host()[0], out.host()[16], out.host()[63]);
  heap_kernel<<<1, 1>>>(from_heap.data());
  CHECK_LAUNCH();
  show("of the heap", from_heap.host());
}

}  // namespace visible_memory

/* Prints:
the thread's: 1100 1131
the block's: 1102 1226
the warp's: 1103 1193
other blocks': 1100 1101 1103
of the heap: 42
*/

// The runtime's functions in kernels.
namespace functions_of_the_runtime {

__global__ void facts_kernel(int* facts) {
  cudaGetDevice(&facts[0]);
  cudaDeviceGetAttribute(&facts[1], cudaDevAttrWarpSize, facts[0]);
  cudaDeviceGetAttribute(&facts[2], cudaDevAttrMaxThreadsPerBlock, facts[0]);
  facts[3] = cudaPeekAtLastError() == cudaSuccess && cudaGetLastError() == cudaSuccess;
}

__global__ void say_kernel() {
  printf("%s: %s\n", cudaGetErrorName(cudaErrorInvalidValue),
         cudaGetErrorString(cudaErrorInvalidValue));
}

PART(functions_of_the_runtime) {
  const DeviceArray<int> facts(4);
  facts_kernel<<<1, 1>>>(facts.data());
  CHECK_LAUNCH();
  show("facts", facts.host());
  say_kernel<<<1, 1>>>();
  CHECK_LAUNCH();
}

}  // namespace functions_of_the_runtime

/* Prints:
facts: 0 32 1024 1
cudaErrorInvalidValue: invalid argument
*/

// A launch that cannot be made: the error is its thread's, the child does not run, and the host
// hears nothing.
namespace refused_launches {

__global__ void child_kernel(int* ran) {
  atomicAdd(ran, 1);
}

__global__ void parent_kernel(int* ran, int* errors, int threads, int blocks, size_t bytes) {
  const int i = threadIdx.x;
  if (i < 3) {
    child_kernel<<<i == 1 ? blocks : 1, i == 0 ? threads : 1, i == 2 ? bytes : 0>>>(ran);
  }
  errors[2 * i] = cudaPeekAtLastError();
  errors[2 * i + 1] = cudaGetLastError();
  if (cudaGetLastError() != cudaSuccess) errors[2 * i] = -1;
  if (i == 0) {
    child_kernel<<<1, 1>>>(ran);
    if (cudaGetLastError() != cudaSuccess) errors[2 * i] = -1;
  }
}

PART(refused_launches) {
  const DeviceArray<int> ran(1), errors(8);
  parent_kernel<<<1, 4>>>(ran.data(), errors.data(), 2048, 0, size_t{1} << 20);
  CHECK_LAUNCH();
  for (const int error : errors.host()) std::printf("%s\n", cudaGetErrorName(cudaError_t(error)));
  show("ran", ran.host());
}

}  // namespace refused_launches

/* Prints:
cudaErrorInvalidConfiguration
cudaErrorInvalidConfiguration
cudaErrorInvalidConfiguration
cudaErrorInvalidConfiguration
cudaErrorInvalidConfiguration
cudaErrorInvalidConfiguration
cudaSuccess
cudaSuccess
ran: 1
*/

// cudaMalloc and cudaFree, and copies and memsets, which run when the kernel's blocks have ended.
namespace memory_calls {

__device__ int* kept[4];

// Each block fills a piece of the device's heap, and asks for it to be copied.
__global__ void fill_kernel(int* copies, int* errors) {
  int* piece = nullptr;
  errors[blockIdx.x] = cudaMalloc(&piece, 8 * sizeof(int));
  if (piece == nullptr) return;
  for (int i = 0; i < 8; ++i) piece[i] = 10 * static_cast<int>(blockIdx.x) + i;
  kept[blockIdx.x] = piece;
  errors[blockIdx.x] += cudaMemcpyAsync(copies + 8 * blockIdx.x, piece, 8 * sizeof(int),
                                        cudaMemcpyDeviceToDevice, nullptr);
}

__global__ void free_kernel(int* errors) {
  errors[threadIdx.x] = cudaFree(kept[threadIdx.x]);
}

// In the default stream of the block: one after the other. (cudaMemset2DAsync() in a kernel reports
// success on an H200 with CUDA 13.0, and sets nothing.)
__global__ void rows_kernel(int* out, const int* in) {
  cudaMemsetAsync(out, 0, 32 * sizeof(int), nullptr);
  cudaMemcpy2DAsync(out + 4, 8 * sizeof(int), in, 8 * sizeof(int), 3 * sizeof(int), 2,
                    cudaMemcpyDeviceToDevice, nullptr);
}

PART(memory_calls) {
  const DeviceArray<int> copies(32), errors(4), out(32);
  fill_kernel<<<4, 1>>>(copies.data(), errors.data());
  CHECK_LAUNCH();
  show("errors", errors.host());
  show("copies", copies.host()[0], copies.host()[15], copies.host()[31]);
  free_kernel<<<1, 4>>>(errors.data());
  CHECK_LAUNCH();
  show("freed", errors.host());
  rows_kernel<<<1, 1>>>(out.data(), copies.data());
  CHECK_LAUNCH();
  show("rows", out.host());
}

}  // namespace memory_calls

/* Prints:
errors: 0 0 0 0
copies: 0 17 37
freed: 0 0 0 0
rows: 0 0 0 0 0 1 2 0 0 0 0 0 10 11 12 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
*/
