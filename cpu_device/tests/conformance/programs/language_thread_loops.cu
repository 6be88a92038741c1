// SPDX-License-Identifier: MIT
// Kernels whose threads never wait, or at barriers only: on the CPU device the threads of a block
// run as loops, which must not be seen.
#include <vector>

#include "../check.h"
#include "../parts.h"

// Sums that are small and differ where an element is in another place.
template <class T>
long weighted(const std::vector<T>& values) {
  long sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += static_cast<long>(values[i]) * (i % 13 + 1);
  return sum;
}

// Conditions at the beginning: the last threads of a row fail, the first, some in the middle, all.
namespace guards {

__global__ void last_kernel(int* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  if (column >= columns) {
    return;
  }
  out[row * columns + column] = 10 * row + column;
}

__global__ void inner_kernel(int* out, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < 1 || i >= n - 1) return;
  out[i] = i;
}

__global__ void odd_kernel(int* out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 2 == 1) out[i] = -int(i);
}

__global__ void after_load_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int value = in[i];
  if (value % 3 != 0) return;
  out[i] = value / 3;
  if (value > 60) {
    out[i] = 0;
    return;
  }
  out[i] += 1000;
}

PART(guards) {
  DeviceArray<int> image(37 * 29), line(100), odd(100), third(100);
  last_kernel<<<dim3(3, 5), dim3(16, 8)>>>(image.data(), 37, 29);
  inner_kernel<<<4, 32>>>(line.data(), 100);
  odd_kernel<<<7, 16>>>(odd.data(), 100);
  after_load_kernel<<<5, 24>>>(line.data(), third.data(), 100);
  CHECK_LAUNCH();
  std::printf("%ld %ld %ld %ld\n", weighted(image.host()), weighted(line.host()),
              weighted(odd.host()), weighted(third.host()));
}

}  // namespace guards

/* Prints:
1454311 33383 -17206 154501
*/

// Each thread has its own parameters, and lambdas, functions and macros of the kernel's own.
namespace own_parameters {

struct Line {
  int slope, offset;
  __device__ int at(int x) const { return slope * x + offset; }
};

__device__ int twice(int x) {
  return 2 * x;
}

#define GLOBAL_X (blockIdx.x * blockDim.x + threadIdx.x)
#define SQUARE(x) ((x) * (x))

template <class T, int steps>
__global__ void change_kernel(T* out, Line line, int n) {
  const auto plus = [&](int x) { return x + n; };
  for (int step = 0; step < steps; ++step) {
    n += threadIdx.x % 2;
    line.offset += n;
  }
  out[GLOBAL_X] = line.at(twice(plus(SQUARE(threadIdx.x))));
  out += GLOBAL_X;
  if (int(*out) % 5 == 0) return;
  *out += 1;
}

PART(own_parameters) {
  DeviceArray<int> data(64);
  DeviceArray<double> doubles(64);
  change_kernel<int, 3><<<4, 16>>>(data.data(), Line{3, 7}, 5);
  change_kernel<double, 0><<<2, 32>>>(doubles.data(), Line{3, 7}, 5);
  CHECK_LAUNCH();
  std::printf("%ld\n", weighted(data.host()));
}

}  // namespace own_parameters

/* Prints:
232242
*/

// Memory that threads share: results in the place of inputs, a histogram, one place for all.
namespace shared_places {

__global__ void in_place_kernel(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * 2 + 1;
}

__global__ void histogram_kernel(const int* data, int* counts, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&counts[data[i] % 7], 1);
  }
}

__global__ void overlap_kernel(int* data) {
  const int i = threadIdx.x;
  data[i + 64] = data[i] + data[63 - i];
}

PART(shared_places) {
  std::vector<int> numbers(1000);
  for (int i = 0; i < 1000; ++i) numbers[i] = i * i % 101;
  DeviceArray<int> data(numbers), counts(7), overlap(128);
  DeviceArray<float> floats(1000);
  CHECK(cudaMemcpy(overlap.data(), data.data(), 64 * sizeof(int), cudaMemcpyDeviceToDevice));
  in_place_kernel<<<8, 128>>>(floats.data(), 1000);
  in_place_kernel<<<8, 128>>>(floats.data(), 999);
  histogram_kernel<<<3, 50>>>(data.data(), counts.data(), 1000);
  overlap_kernel<<<1, 64>>>(overlap.data());
  CHECK_LAUNCH();
  show("counts", counts.host());
  std::printf("%ld %ld\n", weighted(floats.host()), weighted(overlap.host()));
}

}  // namespace shared_places

/* Prints:
counts: 149 177 177 140 97 160 100
20958 66851
*/

// Indices that wrap, blocks of three dimensions, and more than a million of them.
namespace large_numbers {

__global__ void wrap_kernel(unsigned* out, unsigned step) {
  const unsigned i = blockIdx.x * step + threadIdx.x;
  const int j = threadIdx.x + blockIdx.x * step;
  out[blockIdx.x * blockDim.x + threadIdx.x] = i / 2 + (j < 0 ? 5 : 0);
}

__global__ void deep_kernel(int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  out[(z * blockDim.y + y) * gridDim.x * blockDim.x + x] = 100 * z + 10 * y + x;
}

__global__ void long_kernel(long* out, long size) {
  out[blockIdx.x * size + threadIdx.x] = blockIdx.x * size + threadIdx.x;
}

__global__ void many_kernel(unsigned char* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 1024 != 3) return;
  out[i / 1024] = static_cast<unsigned char>(i >> 12);
}

PART(large_numbers) {
  DeviceArray<unsigned> wrapped(16);
  DeviceArray<int> deep(5 * 3 * 8);
  DeviceArray<long> longs(40);
  DeviceArray<unsigned char> many(2300);
  wrap_kernel<<<4, 4>>>(wrapped.data(), 0x7ffffffe);
  deep_kernel<<<2, dim3(4, 3, 5)>>>(deep.data());
  long_kernel<<<4, 10>>>(longs.data(), 10);
  many_kernel<<<2300 * 1024, 1>>>(many.data());
  CHECK_LAUNCH();
  show("wrapped", wrapped.host());
  std::printf("%ld %ld %ld\n", weighted(deep.host()), weighted(longs.host()),
              weighted(many.host()));
}

}  // namespace large_numbers

/* Prints:
wrapped: 0 0 1 1 1073741823 1073741823 1073741829 1073741829 2147483651 2147483651 2147483652 2147483652 1073741821 1073741821 1073741822 1073741822
179894 5772 1880982
*/

// Names that the loop's own code might use.
namespace own_names {

namespace convkit {
namespace simt {
struct Pass {
  int loop;
};
int run_block(int x) {
  return x;
}
}  // namespace simt
}  // namespace convkit

enum class Pass { guard, loop, thread };

template <class Kernel>
__global__ void run_threads(Kernel* captured, int kernel, int first, int end, int passes) {
  const int dim = blockDim.x, block = blockIdx.x, index = threadIdx.x, x = dim * block + index;
  if (x >= end) return;
  convkit::simt::Pass run{kernel}, pass{first};
  captured[x] = run.loop + pass.loop * index + passes + (Pass::loop == Pass::thread);
}

__global__ void of_thread(int* plus_thread, unsigned thread_plus) {
  const unsigned of = blockIdx.x * blockDim.x + threadIdx.x;
  if (of < thread_plus) plus_thread[of] += of;
}

PART(own_names) {
  DeviceArray<int> data(40);
  run_threads<<<3, 16>>>(data.data(), 1, 2, 40, 3);
  of_thread<<<3, 16>>>(data.data(), 33);
  CHECK_LAUNCH();
  std::printf("%ld %d\n", weighted(data.host()), convkit::simt::run_block(4));
}

}  // namespace own_names

/* Prints:
8183 4
*/

// Kernels that wait at barriers only: the threads of a block run as a loop from barrier to barrier.
namespace phases {

constexpr int kTile = 8;

// Tiles, at the edge of the matrices, too.
__global__ void product_kernel(const int* a, const int* b, int* c, int n) {
  __shared__ int a_tile[kTile][kTile], b_tile[kTile][kTile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y, tiles = (n + kTile - 1) / kTile;
  int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    const int first = tile * kTile;
    a_tile[ty][tx] = row < n && first + tx < n ? a[row * n + first + tx] : 0;
    b_tile[ty][tx] = first + ty < n && column < n ? b[(first + ty) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();
  }
  if (row >= n || column >= n) return;
  c[row * n + column] = sum;
}

// Several elements a thread, in an array that outlives barriers; and a class that does.
struct Bounds {
  int low, high;
  __device__ void take(int value) {
    low = min(low, value);
    high = max(high, value);
  }
};

template <class T, int kEach>
__global__ void elements_kernel(const T* in, T* out, Bounds* bounds, int turns) {
  extern __shared__ int shared_bytes[];
  T* shared = reinterpret_cast<T*>(shared_bytes);
  const int kStep = 16;
  T kept[kEach][2] = {};
  Bounds seen = {1 << 30, -(1 << 30)};
  const T* from = in + blockIdx.x * kStep * kEach;
  int turn = 0;
  while (turn < turns) {
    for (int e = 0; e < kEach; ++e) shared[threadIdx.x + e * kStep] = from[threadIdx.x + e * kStep];
    __syncthreads();
    for (int e = 0; e < kEach; ++e) {
      const T value = shared[(threadIdx.x + turn + e * kStep) % (kStep * kEach)];
      kept[e][turn % 2] += value;
      seen.take(value);
    }
    turn += 1;
    __syncthreads();
  }
  for (int e = 0; e < kEach; ++e) {
    out[(blockIdx.x * kEach + e) * kStep + threadIdx.x] = kept[e][0] * 3 + kept[e][1];
  }
  bounds[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

// A tree, with a barrier under a condition that is the same for the block.
__global__ void tree_kernel(const int* in, int* out, bool twice) {
  __shared__ int sums[64];
  int tid = threadIdx.x;
  sums[tid] = in[blockIdx.x * blockDim.x + tid];
  if (twice) {
    const int mine = 2 * sums[tid];
    __syncthreads();
    sums[tid] = mine;
  }
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (tid < s) sums[tid] += sums[tid + s];
  }
  if (tid == 0) out[blockIdx.x] = sums[0];
}

// Blelloch's scan: a step that is the same for all threads lives outside of loops.
__global__ void scan_kernel(const int* in, int* out) {
  __shared__ int cells[64];
  const unsigned thread = threadIdx.x, n = 2 * blockDim.x;
  int offset = 1;
  cells[2 * thread] = in[2 * thread], cells[2 * thread + 1] = in[2 * thread + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thread < d) {
      const int ai = offset * (2 * thread + 1) - 1, bi = offset * (2 * thread + 2) - 1;
      cells[bi] += cells[ai];
    }
    offset *= 2;
  }
  if (thread == 0) cells[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thread < d) {
      const int ai = offset * (2 * thread + 1) - 1, bi = offset * (2 * thread + 2) - 1;
      const int was = cells[ai];
      cells[ai] = cells[bi];
      cells[bi] += was;
    }
  }
  __syncthreads();
  out[2 * thread] = cells[2 * thread], out[2 * thread + 1] = cells[2 * thread + 1];
}

// Variables that are given other values later, by name, pointer, reference, function and macro.
__device__ void add_to(int& sum, int value) {
  sum += value;
}
#define DOUBLE(variable) variable += variable

__global__ void changes_kernel(int* out, int n) {
  __shared__ int cells[32];
  int x = threadIdx.x, y = 2 * threadIdx.x, z = n + threadIdx.x, u = threadIdx.x, v = n;
  const int before = x + y + z + u;
  cells[threadIdx.x] = before + v;
  __syncthreads();
  x = cells[31 - threadIdx.x];
  int* of_y = &y;
  *of_y += 1;
  int& of_z = z;
  of_z *= 2;
  add_to(u, x);
  DOUBLE(v);
  __syncthreads();
  cells[threadIdx.x] = x;
  __syncthreads();
  n -= 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      before + 2 * x + 3 * y + 5 * z + 7 * u + 11 * v + 13 * cells[threadIdx.x ^ 1];
}

// What decides about another turn lies in memory.
__global__ void settle_kernel(int* data, int* turns) {
  __shared__ int changed, cells[48];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  cells[t] = data[t];
  if (t == 0) changed = 1;
  __syncthreads();
  int count = 0;
  while (changed != 0) {
    __syncthreads();
    if (t == 0) changed = 0;
    const int left = t > 0 ? cells[t - 1] : cells[t];
    __syncthreads();
    if (left > cells[t]) {
      cells[t] = left;
      atomicAdd(&changed, 1);
    }
    ++count;
    __syncthreads();
  }
  data[t] = cells[t];
  if (t == 0) *turns = count;
}

// Some threads return before the barrier: the others do not wait for them.
__global__ void early_kernel(int* out, int n) {
  __shared__ int cells[64];
  const int i = threadIdx.x;
  if (i >= n) return;
  cells[i] = i;
  __syncthreads();
  out[i] = cells[n - 1 - i];
}

PART(phases) {
  const int n = 21;
  std::vector<int> values(n * n), many(256);
  for (int i = 0; i < n * n; ++i) values[i] = (i * 37) % 19 - 9;
  for (int i = 0; i < 256; ++i) many[i] = (i * 101) % 97 - 40;
  DeviceArray<int> a(values), c(n * n), in(many), out(256), sums(8), turns(1);
  DeviceArray<Bounds> bounds(64);
  product_kernel<<<dim3(3, 3), dim3(kTile, kTile)>>>(a.data(), a.data(), c.data(), n);
  CHECK_LAUNCH();
  std::printf("product: %ld\n", weighted(c.host()));
  elements_kernel<int, 4><<<4, 16, 64 * sizeof(int)>>>(in.data(), out.data(), bounds.data(), 5);
  CHECK_LAUNCH();
  long seen = 0;
  for (const Bounds& each : bounds.host()) seen = seen * 3 % 1000003 + each.low + 7 * each.high;
  std::printf("elements: %ld, bounds: %ld\n", weighted(out.host()), seen);
  tree_kernel<<<4, 64>>>(in.data(), sums.data(), false);
  tree_kernel<<<4, 64>>>(in.data(), sums.data() + 4, true);
  CHECK_LAUNCH();
  show("trees", sums.host());
  scan_kernel<<<1, 32>>>(in.data(), out.data());
  CHECK_LAUNCH();
  std::printf("scan: %ld\n", weighted(out.host()));
  changes_kernel<<<2, 32>>>(out.data(), 5);
  CHECK_LAUNCH();
  std::printf("changes: %ld\n", weighted(out.host()));
  settle_kernel<<<1, dim3(16, 3)>>>(in.data(), turns.data());
  CHECK_LAUNCH();
  std::printf("settled: %ld after %d\n", weighted(in.host()), turns.host()[0]);
  early_kernel<<<1, 64>>>(out.data(), 50);
  CHECK_LAUNCH();
  std::printf("early: %ld\n", weighted(out.host()));
}

}  // namespace phases

/* Prints:
product: -1325
elements: 127260, bounds: 235178
trees: 266 548 636 336 532 1096 1272 672
scan: 140950
changes: 1214799
settled: 20397 after 24
early: 295596
*/

// Pointers to a thread's own variables outlive barriers; and kernels without a space too many.
namespace pointers_over_barriers {

struct Node {
  int value;
  Node* next;
};

__device__ int* address_of(int& x) {
  return &x;
}

__global__ void pointers_kernel(int* out) {
  __shared__ int cells[32];
  const int t = threadIdx.x;
  int x = t, row[4] = {t, 2 * t, 3 * t, 4 * t};
  int *to_x = &x, *to_row = row + 1, *handed_back = address_of(x);
  Node last = {t, nullptr}, first = {1, &last};
  cells[t] = t;
  __syncthreads();
  x += cells[31 - t];
  row[1] += cells[t ^ 1];
  last.value += cells[(t + 5) % 32];
  __syncthreads();
  out[t] = *to_x + 10 * *to_row + 100 * *handed_back + 1000 * first.next->value;
}

// clang-format off
__global__ void narrow_kernel(int*y){__shared__ int s[32];s[threadIdx.x]=threadIdx.x;__syncthreads();y[threadIdx.x]+=s[31-threadIdx.x];}
__global__ void guarded_kernel(int*y,int n){int i=threadIdx.x;if(i>=n)return;y[i]+=7;}
__global__ void plain_kernel(int*y){y[threadIdx.x]+=1;}
// clang-format on

PART(pointers_over_barriers) {
  DeviceArray<int> out(32);
  pointers_kernel<<<1, 32>>>(out.data());
  CHECK_LAUNCH();
  std::printf("pointers: %ld\n", weighted(out.host()));
  narrow_kernel<<<1, 32>>>(out.data());
  guarded_kernel<<<1, 32>>>(out.data(), 20);
  plain_kernel<<<1, 32>>>(out.data());
  CHECK_LAUNCH();
  std::printf("narrow: %ld\n", weighted(out.host()));
}

}  // namespace pointers_over_barriers

/* Prints:
pointers: 7618213
narrow: 7622287
*/
