// SPDX-License-Identifier: MIT
// Shared memory and barriers.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include "../check.h"
#include "../parts.h"

// One dynamic array is carved into parts that end where the next begins, up to the last byte.
namespace carved_shared_memory {

__global__ void carve_kernel(int* out, int n) {
  extern __shared__ __align__(8) char carved[];
  double* reals = reinterpret_cast<double*>(carved);
  int* ints = reinterpret_cast<int*>(reals + n);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(ints + n);
  const int t = threadIdx.x;
  bytes[t] = t;
  ints[t] = 10 * t;
  reals[t] = 0.5 * t;
  __syncthreads();
  const int other = n - 1 - t;
  out[t] = static_cast<int>(2 * reals[other]) + ints[other] + bytes[other];
}

PART(carved_shared_memory) {
  const int n = 37;
  DeviceArray<int> out(n);
  carve_kernel<<<1, n, n*(sizeof(double) + sizeof(int) + 1)>>>(out.data(), n);
  CHECK_LAUNCH();
  show("ends", out.host()[0], out.host()[n - 1]);
}

}  // namespace carved_shared_memory

/* Prints:
ends: 432 0
*/

// cooperative_groups::memcpy_async into shared memory, by blocks and by tiles: whole words, single
// bytes at the end, at any offset.
namespace cooperative_memcpy_async {

namespace cg = cooperative_groups;

__global__ void block_kernel(const float* in, float* out, int count, int offset) {
  extern __shared__ float cells[];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, cells + offset, in, sizeof(float) * count);
  cg::wait(block);
  if (threadIdx.x < count) out[threadIdx.x] = cells[offset + count - 1 - threadIdx.x];
}

__global__ void tile_kernel(const int* in, int* out) {
  __shared__ int cells[64];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int first = threadIdx.x / 32 * 32;
  cg::memcpy_async(tile, cells + first, in + first, 32 * sizeof(int));
  cg::wait(tile);
  out[threadIdx.x] = cells[first + 31 - threadIdx.x % 32];
}

__global__ void bytes_kernel(const char* in, char* out, int count) {
  __shared__ char cells[64];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, cells, in, count);
  cg::wait(block);
  if (threadIdx.x < count) out[threadIdx.x] = cells[count - 1 - threadIdx.x];
}

__global__ void stages_kernel(const float* in, float* out, int parts) {
  __shared__ float cells[2][32];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, cells[0], in, sizeof cells[0]);
  float sum = 0;
  for (int part = 0; part < parts; ++part) {
    if (part + 1 < parts) {
      cg::memcpy_async(block, cells[(part + 1) % 2], in + 32 * (part + 1), sizeof cells[0]);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += cells[part % 2][31 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

PART(cooperative_memcpy_async) {
  std::vector<float> values(128);
  std::vector<int> numbers(64);
  std::vector<char> letters(64);
  for (int i = 0; i < 128; ++i) values[i] = i;
  for (int i = 0; i < 64; ++i) numbers[i] = i, letters[i] = 'A' + i % 26;
  DeviceArray<float> in(values), out(64);
  for (int count : {1, 8, 9, 64}) {
    for (int offset : {0, 1, 100}) {
      block_kernel<<<1, 64, 200 * sizeof(float)>>>(in.data(), out.data(), count, offset);
      CHECK_LAUNCH();
      show("block", count, offset, double(out.host()[0]), double(out.host()[count - 1]));
    }
  }
  DeviceArray<int> in_numbers(numbers), out_numbers(64);
  tile_kernel<<<1, 64>>>(in_numbers.data(), out_numbers.data());
  CHECK_LAUNCH();
  show("tile", out_numbers.host());
  DeviceArray<char> in_letters(letters), out_letters(64);
  for (int count : {1, 4, 7, 26}) {
    bytes_kernel<<<1, 64>>>(in_letters.data(), out_letters.data(), count);
    CHECK_LAUNCH();
    std::printf("bytes: %.*s\n", count, out_letters.host().data());
  }
  stages_kernel<<<1, 32>>>(in.data(), out.data(), 4);
  CHECK_LAUNCH();
  show("stages", double(out.host()[0]), double(out.host()[31]));
}

}  // namespace cooperative_memcpy_async

/* Prints:
block: 1 0 0 0
block: 1 1 0 0
block: 1 100 0 0
block: 8 0 7 0
block: 8 1 7 0
block: 8 100 7 0
block: 9 0 8 0
block: 9 1 8 0
block: 9 100 8 0
block: 64 0 63 0
block: 64 1 63 0
block: 64 100 63 0
tile: 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 63 62 61 60 59 58 57 56 55 54 53 52 51 50 49 48 47 46 45 44 43 42 41 40 39 38 37 36 35 34 33 32
bytes: A
bytes: DCBA
bytes: GFEDCBA
bytes: ZYXWVUTSRQPONMLKJIHGFEDCBA
stages: 316 192
*/

// Stages of cooperative_groups::memcpy_async ahead of the one that is used: wait_prior leaves the
// last ones under way. Threads without a part in a stage count it, too.
namespace cooperative_prefetch {

namespace cg = cooperative_groups;

constexpr int kPart = 24, kThreads = 32;

// out[t] = the sum of all parts' elements t.
template <int stages>
__global__ void sum_kernel(const int* in, int* out, int parts) {
  __shared__ int cells[stages + 1][kPart];
  const cg::thread_block block = cg::this_thread_block();
  const int t = threadIdx.x;
  for (int part = 0; part < stages; ++part) {
    const size_t bytes = part < parts ? sizeof cells[0] : 0;
    cg::memcpy_async(block, cells[part], in + kPart * part, bytes);
  }
  int sum = 0;
  for (int part = 0; part < parts; ++part) {
    const int next = part + stages;
    const size_t bytes = next < parts ? sizeof cells[0] : 0;
    cg::memcpy_async(block, cells[next % (stages + 1)], in + kPart * next, bytes);
    cg::wait_prior<stages>(block);
    if (t < kPart) sum += cells[part % (stages + 1)][kPart - 1 - t];
    block.sync();
  }
  if (t < kPart) out[blockIdx.x * kPart + t] = sum;
}

// Each warp has its own copies, and the buffer changes hands only within it.
__global__ void tile_kernel(const int* in, int* out, int parts) {
  __shared__ int cells[2][64];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = threadIdx.x, first = t / 32 * 32;
  cg::memcpy_async(tile, &cells[0][first], in + first, 32 * sizeof(int));
  int sum = 0;
  for (int part = 0; part < parts; ++part) {
    if (part + 1 < parts) {
      cg::memcpy_async(tile, &cells[(part + 1) % 2][first], in + 64 * (part + 1) + first,
                       32 * sizeof(int));
      cg::wait_prior<1>(tile);
    } else {
      cg::wait(tile);
    }
    sum += cells[part % 2][first + 31 - t % 32];
    tile.sync();
  }
  out[t] = sum;
}

// A thread waits for its own copies alone, and all at last.
__global__ void one_thread_kernel(const int* in, int* out) {
  __shared__ int cells[4];
  if (threadIdx.x == 0) {
    const auto self = cg::this_thread();
    cg::memcpy_async(self, cells, in, 2 * sizeof(int));
    cg::memcpy_async(self, cells + 2, in + 2, 2 * sizeof(int));
    cg::wait(self);
  }
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = cells[3 - threadIdx.x];
}

PART(cooperative_prefetch) {
  std::vector<int> values(kPart * 9);
  for (int i = 0; i < kPart * 9; ++i) values[i] = i * i;
  DeviceArray<int> in(values), out(3 * kPart), sums(64), four(4);
  for (int parts : {1, 2, 5, 9}) {
    sum_kernel<1><<<3, kThreads>>>(in.data(), out.data(), parts);
    CHECK_LAUNCH();
    const std::vector<int> one = out.host();
    sum_kernel<3><<<3, kThreads>>>(in.data(), out.data(), parts);
    CHECK_LAUNCH();
    show("parts", parts, one[0], one[kPart - 1], one[3 * kPart - 1]);
    expect("three stages", one == out.host());
  }
  tile_kernel<<<1, 64>>>(in.data(), sums.data(), 3);
  CHECK_LAUNCH();
  show("tiles", sums.host());
  one_thread_kernel<<<1, 32>>>(in.data(), four.data());
  CHECK_LAUNCH();
  show("one thread", four.host());
}

}  // namespace cooperative_prefetch

/* Prints:
parts: 1 529 0 0
three stages: ok
parts: 2 2738 576 576
three stages: ok
parts: 5 30965 17280 17280
three stages: ok
parts: 9 162009 117504 117504
three stages: ok
tiles: 35267 34700 34139 33584 33035 32492 31955 31424 30899 30380 29867 29360 28859 28364 27875 27392 26915 26444 25979 25520 25067 24620 24179 23744 23315 22892 22475 22064 21659 21260 20867 20480 56579 55820 55067 54320 53579 52844 52115 51392 50675 49964 49259 48560 47867 47180 46499 45824 45155 44492 43835 43184 42539 41900 41267 40640 40019 39404 38795 38192 37595 37004 36419 35840
one thread: 9 4 1 0
*/

// Two shared buffers change places: one barrier a step is enough.
namespace double_buffer {

__global__ void diffuse_kernel(int* data, int steps) {
  __shared__ int buffers[2][64];
  const int t = threadIdx.x;
  int from = 0;
  buffers[0][t] = data[t];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const int left = t > 0 ? buffers[from][t - 1] : 0, right = t < 63 ? buffers[from][t + 1] : 0;
    buffers[1 - from][t] = left + right;
    from = 1 - from;
    __syncthreads();
  }
  data[t] = buffers[from][t];
}

PART(double_buffer) {
  std::vector<int> values(64);
  values[31] = 1;
  DeviceArray<int> data(values);
  diffuse_kernel<<<1, 64>>>(data.data(), 8);
  CHECK_LAUNCH();
  const std::vector<int> row = data.host();
  show("Pascal's row", std::vector<int>(&row[22], &row[41]));
}

}  // namespace double_buffer

/* Prints:
Pascal's row: 0 1 0 8 0 28 0 56 0 70 0 56 0 28 0 8 0 1 0
*/

// Threads and whole blocks leave early; those that stay meet at barriers and in warp functions.
namespace early_exits {

__global__ void tail_kernel(const int* in, int* out, int n) {
  __shared__ int cells[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (static_cast<int>(blockIdx.x) * 64 >= n) return;
  if (i >= n) return;
  cells[t] = in[i];
  __syncthreads();
  const int left = t > 0 ? cells[t - 1] : 0;
  __syncthreads();
  cells[t] += left;
  if (t % 2 == 1) return;
  __syncthreads();
  const int left_of_warp = min(64, n - static_cast<int>(blockIdx.x) * 64) - t / 32 * 32;
  const unsigned mask = 0x55555555u & (left_of_warp >= 32 ? ~0u : (1u << left_of_warp) - 1);
  const unsigned even = __ballot_sync(mask, cells[t] % 2 == 0);
  out[i] = cells[t] + (even != 0 ? 0 : 1000);
}

PART(early_exits) {
  const int n = 100;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i * i;
  DeviceArray<int> in(values), out(n);
  tail_kernel<<<4, 64>>>(in.data(), out.data(), n);
  CHECK_LAUNCH();
  const std::vector<int> got = out.host();
  show("some", got[0], got[2], got[3], got[64], got[98], got[99]);
}

}  // namespace early_exits

/* Prints:
some: 0 5 0 4096 20013 0
*/

// Structures with padding, written member by member to shared memory and copied as a whole.
namespace padding_in_shared_memory {

struct NumberLast {
  double value;
  int number;
};
struct NumberFirst {
  int number;
  double value;
};
struct Letter {
  char letter;
  float value;
};

template <class T>
__global__ void copy_kernel(double* out) {
  __shared__ T cells[32];
  const int i = threadIdx.x;
  cells[i].value = i;
  cells[i].letter = 'a';
  __syncthreads();
  const T last = cells[31 - i];
  out[i] = last.value + last.letter;
}

template <class T>
__global__ void both_kernel(double* out) {
  __shared__ T cells[32];
  const int i = threadIdx.x;
  cells[i].value = i;
  cells[i].number = 100 * i;
  __syncthreads();
  const T last = cells[31 - i];
  out[i] = last.value + last.number;
}

PART(padding_in_shared_memory) {
  DeviceArray<double> out(32);
  both_kernel<NumberLast><<<1, 32>>>(out.data());
  CHECK_LAUNCH();
  show("number last", out.host()[0], out.host()[30]);
  both_kernel<NumberFirst><<<1, 32>>>(out.data());
  CHECK_LAUNCH();
  show("number first", out.host()[0], out.host()[30]);
  copy_kernel<Letter><<<1, 32>>>(out.data());
  CHECK_LAUNCH();
  show("letter", out.host()[0], out.host()[30]);
}

}  // namespace padding_in_shared_memory

/* Prints:
number last: 3131 101
number first: 3131 101
letter: 128 98
*/

// __pipeline_memcpy_async and the waits for its batches: 4, 8 and 16 bytes, with zeros at the end,
// empty batches, and prefetching with one batch under way.
namespace pipeline_primitives {

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

PART(pipeline_primitives) {
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

}  // namespace pipeline_primitives

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

// Shared arrays of types with constructors: half, half2, and a class that is trivial to construct.
namespace shared_arrays_of_classes {

class Fraction {
 public:
  Fraction() = default;
  __host__ __device__ Fraction(int above, int below) : above_(above), below_(below) {}
  __host__ __device__ float value() const {
    return static_cast<float>(above_) / static_cast<float>(below_);
  }

 private:
  int above_, below_;
};

template <class T>
__global__ void hand_on(const float* in, float* out) {
  __shared__ half halves[4];
  __shared__ half2 pairs[2][2];
  __shared__ Fraction fractions[4];
  __shared__ T any[4];
  const int i = static_cast<int>(threadIdx.x), next = (i + 1) % 4;
  halves[i] = __float2half(in[i]);
  pairs[i / 2][i % 2] = __floats2half2_rn(in[i], 2 * in[i]);
  fractions[i] = Fraction(i, 4);
  any[i] = T(in[i]);
  __syncthreads();
  out[i] = __half2float(halves[next]) + __high2float(pairs[next / 2][next % 2]) +
           fractions[next].value() + static_cast<float>(any[next]);
}

PART(shared_arrays_of_classes) {
  const DeviceArray<float> in = {1, 2, 3, 4};
  DeviceArray<float> out(4);
  hand_on<half><<<2, 4>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("halves", out.host());
  hand_on<float><<<1, 4>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("floats", out.host());
}

}  // namespace shared_arrays_of_classes

/* Prints:
halves: 8.25 12.5 16.75 4
floats: 8.25 12.5 16.75 4
*/

// One shared array serves two phases and many rounds, with a barrier between all uses.
namespace shared_reused_after_barrier {

__global__ void phases_kernel(const int* in, int* out, int rounds) {
  __shared__ int cells[96];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    cells[t] = in[t] + round;
    __syncthreads();
    sum += cells[95 - t];
    __syncthreads();
    cells[95 - t] = sum;
    __syncthreads();
    if (t % 2 == 0) sum += cells[t];
    __syncthreads();
  }
  out[t] = sum;
}

PART(shared_reused_after_barrier) {
  std::vector<int> values(96), expected(96);
  for (int i = 0; i < 96; ++i) values[i] = i;
  DeviceArray<int> in(values), out(96);
  phases_kernel<<<1, 96>>>(in.data(), out.data(), 3);
  CHECK_LAUNCH();
  for (int round = 0; round < 3; ++round) {
    for (int t = 0; t < 96; ++t) expected[t] += values[95 - t] + round;
    const std::vector<int> sums = expected;
    for (int t = 0; t < 96; t += 2) expected[t] += sums[95 - t];
  }
  expect("phases", out.host() == expected);
  show("some", out.host()[0], out.host()[1], out.host()[95]);
}

}  // namespace shared_reused_after_barrier

/* Prints:
phases: ok
some: 292 285 3
*/

// The same bytes of shared memory hold floats, then ints, then doubles; a barrier lies between.
namespace shared_under_another_type {

__global__ void types_kernel(double* out) {
  extern __shared__ __align__(16) unsigned char storage[];
  const int t = threadIdx.x;
  float* floats = reinterpret_cast<float*>(storage);
  int* ints = reinterpret_cast<int*>(storage);
  double* doubles = reinterpret_cast<double*>(storage);
  floats[t] = t * 0.5f;
  __syncthreads();
  const float a = floats[63 - t];
  __syncthreads();
  ints[63 - t] = t;
  __syncthreads();
  const int b = ints[t];
  __syncthreads();
  doubles[t] = a + b;
  __syncthreads();
  out[t] = doubles[(t + 1) % 64];
}

PART(shared_under_another_type) {
  DeviceArray<double> out(64);
  types_kernel<<<1, 64, 64 * sizeof(double)>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<double> got = out.host();
  show("some", got[0], got[31], got[62], got[63]);
}

}  // namespace shared_under_another_type

/* Prints:
some: 93 46.5 0 94.5
*/

// Barriers in branches and loops that a whole block takes alike, though blocks differ.
namespace uniform_barriers {

__device__ void exchange(int* cells, int partner) {
  const int value = cells[partner];
  __syncthreads();
  cells[threadIdx.x] = value + 1;
  __syncthreads();
}

__global__ void uniform_kernel(int* out) {
  __shared__ int cells[32];
  const int t = threadIdx.x;
  cells[t] = t;
  if (blockIdx.x % 2 == 0) {
    __syncthreads();
    exchange(cells, 31 - t);
  } else {
    __syncthreads();
    for (unsigned round = 0; round < blockIdx.x; ++round) exchange(cells, (t + 1) % 32);
  }
  if (cells[0] >= 0) __syncthreads();  // the same answer in all threads
  out[blockIdx.x * 32 + t] = cells[t];
}

PART(uniform_barriers) {
  DeviceArray<int> out(4 * 32);
  uniform_kernel<<<4, 32>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> got = out.host();
  show("some", got[0], got[31], got[32], got[63], got[64], got[96], got[127]);
}

}  // namespace uniform_barriers

/* Prints:
some: 32 1 2 1 32 6 5
*/

// Threads fill a tile of two dimensions through its first row, with an index that goes on into the
// next rows. nvcc takes the tile for one piece of memory.
namespace flat_walk_of_a_tile {

constexpr int kRows = 14, kColumns = 38, kThreads = 64;

__global__ void sums_of_rows(const int* x, int* y) {
  __shared__ int tile[kRows][kColumns];
  for (int e = threadIdx.x; e < kRows * kColumns; e += kThreads) tile[0][e] = x[e];
  __syncthreads();
  const int row = threadIdx.x;
  if (row >= kRows) return;
  int sum = 0;
  for (int column = 0; column < kColumns; ++column) sum += tile[row][column];
  y[row] = sum;
}

PART(flat_walk_of_a_tile) {
  std::vector<int> x(kRows * kColumns);
  for (int i = 0; i < kRows * kColumns; ++i) x[i] = i % 7;
  DeviceArray<int> d_x(x), d_y(size_t{kRows});
  sums_of_rows<<<1, kThreads>>>(d_x.data(), d_y.data());
  show("sums", d_y.host());
}

}  // namespace flat_walk_of_a_tile

/* Prints:
sums: 108 117 112 114 116 111 120 108 117 112 114 116 111 120
*/
