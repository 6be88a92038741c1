// SPDX-License-Identifier: MIT
// Atomic operations and fences.
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include "../check.h"
#include "../parts.h"

// atomicAdd of every type, over blocks; the returned values are all different.
namespace atomic_add {

template <class T>
__global__ void add_kernel(T* sum, T step) {
  atomicAdd(sum, step);
}

__global__ void ticket_kernel(int* next, int* taken) {
  atomicAdd(&taken[atomicAdd(next, 1)], 1);
}

template <class T>
void run(const char* name, T start, T step) {
  DeviceArray<T> sum(std::vector<T>{start});
  add_kernel<<<8, 125>>>(sum.data(), step);
  CHECK_LAUNCH();
  show(name, sum.host());
}

PART(atomic_add) {
  run<int>("int", 7, -3);
  run<unsigned>("unsigned wraps", 4294967295u, 1u);
  run<unsigned long long>("64 bit", 5ull, 1ull << 40);
  run<float>("float", 0.25f, 0.5f);
  run<double>("double", -1.0, 0.125);
  DeviceArray<int> next(1), taken(1000);
  ticket_kernel<<<10, 100>>>(next.data(), taken.data());
  CHECK_LAUNCH();
  int wrong = 0;
  for (int count : taken.host()) wrong += count != 1;
  show("tickets not taken once", wrong);
}

}  // namespace atomic_add

/* Prints:
int: -2993
unsigned wraps: 999
64 bit: 1099511627776005
float: 500.25
double: 124
tickets not taken once: 0
*/

// Atomic sums of doubles keep the digits that floats lose.
namespace atomic_add_double {

__global__ void add_kernel(double* sums, double value) {
  __shared__ double sum;
  if (threadIdx.x == 0) sum = 1;
  __syncthreads();
  atomicAdd(&sum, value);
  atomicAdd(&sums[0], value);
  atomicAdd_block(&sums[2 + blockIdx.x], value);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&sums[1], sum);
}

PART(atomic_add_double) {
  DeviceArray<double> sums({1, 1, 1, 1});
  const double value = 1.0 / (1ull << 40);  // a power of two: every order gives the same sum
  add_kernel<<<2, 256>>>(sums.data(), value);
  CHECK_LAUNCH();
  for (const double sum : sums.host()) {
    const double whole = sum > 2 ? 3 : 1;
    std::printf("%.0f + %.0f\n", whole, (sum - whole) / value);
  }
}

}  // namespace atomic_add_double

/* Prints:
1 + 512
3 + 512
1 + 256
1 + 256
*/

// atomicAnd, atomicOr and atomicXor on 32 and 64 bits, with returned values.
namespace atomic_bitwise {

template <class T>
__global__ void bits_kernel(T* words, T one, int* fresh) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int bit = i % (8 * sizeof(T));
  atomicAnd(&words[0], ~(one << bit));
  const T before = atomicOr(&words[1], one << bit);
  if (!(before >> bit & 1)) atomicAdd(fresh, 1);
  atomicXor(&words[2], one << (i % 7));
  atomicAnd(&words[3], static_cast<T>(~one));
}

template <class T>
void run(const char* name, int threads) {
  DeviceArray<T> words(std::vector<T>{static_cast<T>(-1), 0, 0, 3});
  DeviceArray<int> fresh(1);
  bits_kernel<T><<<2, threads>>>(words.data(), 1, fresh.data());
  CHECK_LAUNCH();
  show(name, words.host());
  show("fresh", fresh.host());
}

PART(atomic_bitwise) {
  run<int>("int", 10);
  run<unsigned>("unsigned", 32);
  run<unsigned long long>("64 bit", 30);
}

}  // namespace atomic_bitwise

/* Prints:
int: -1048576 1048575 63 2
fresh: 20
unsigned: 0 4294967295 126 2
fresh: 32
64 bit: 17293822569102704640 1152921504606846975 15 2
fresh: 60
*/

// Atomic operations that CUDA lacks, built from a compare-and-swap loop.
namespace atomic_cas_loop {

__device__ float atomic_max_float(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int seen = *bits;
  while (__int_as_float(seen) < value) {
    const int expected = seen;
    seen = atomicCAS(bits, expected, __float_as_int(value));
    if (seen == expected) break;
  }
  return __int_as_float(seen);
}

__device__ void atomic_multiply(double* address, double factor) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long seen = *bits, expected;
  do {
    expected = seen;
    const double product = __longlong_as_double(expected) * factor;
    seen = atomicCAS(bits, expected, __double_as_longlong(product));
  } while (seen != expected);
}

__device__ void saturating_add(unsigned* address, unsigned bound) {
  for (unsigned seen = *address; seen < bound;) {
    const unsigned expected = seen;
    if ((seen = atomicCAS(address, expected, expected + 1)) == expected) return;
  }
}

__global__ void loops_kernel(float* largest, double* product, unsigned* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomic_max_float(largest, (i * 83 % 200) * 0.25f - 10.0f);
  if (i % 8 == 0) atomic_multiply(product, i % 16 == 0 ? 2.0 : 0.25);
  saturating_add(count, 150);
}

PART(atomic_cas_loop) {
  DeviceArray<float> largest({-1000.0f});
  DeviceArray<double> product({3.0});
  DeviceArray<unsigned> count(1);
  loops_kernel<<<4, 50>>>(largest.data(), product.data(), count.data());
  CHECK_LAUNCH();
  show("largest", largest.host());
  show("product", product.host());
  show("count", count.host());
}

}  // namespace atomic_cas_loop

/* Prints:
largest: 39.75
product: 0.00146484
count: 150
*/

// atomicExch of every type: nothing is lost or doubled; atomicCAS of 16, 32 and 64 bits.
namespace atomic_exchange {

template <class T>
__global__ void exchange_kernel(T* slot, T* sum) {
  const T mine = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x + 1);
  atomicAdd(sum, atomicExch(slot, mine));
}

template <class T>
void run(const char* name) {
  DeviceArray<T> slot(1), sum(1);
  exchange_kernel<<<4, 32>>>(slot.data(), sum.data());
  CHECK_LAUNCH();
  show(name, slot.host()[0] + sum.host()[0]);  // 1 + ... + 128
}

template <class T>
__global__ void compare_kernel(T* slot, int* winners, T empty, T full) {
  if (atomicCAS(slot, empty, full) == empty) atomicAdd(winners, 1);
  if (atomicCAS(slot + 1, full, empty) == full) atomicAdd(winners, 100);
}

template <class T>
void run_compare(const char* name, T empty, T full) {
  DeviceArray<T> slot(std::vector<T>{empty, empty});
  DeviceArray<int> winners(1);
  compare_kernel<T><<<4, 32>>>(slot.data(), winners.data(), empty, full);
  CHECK_LAUNCH();
  const std::vector<T> host = slot.host();
  show(name, winners.host()[0], host[0] == full, host[1] == empty);
}

PART(atomic_exchange) {
  run<int>("int");
  run<unsigned>("unsigned");
  run<unsigned long long>("64 bit");
  run<float>("float");
  run_compare<int>("CAS int", -1, 5);
  run_compare<unsigned>("CAS unsigned", 0u, 4000000000u);
  run_compare<unsigned long long>("CAS 64 bit", 1ull << 50, 3ull);
  run_compare<unsigned short>("CAS 16 bit", 65535, 1);
}

}  // namespace atomic_exchange

/* Prints:
int: 8256
unsigned: 8256
64 bit: 8256
float: 8256
CAS int: 1 1 1
CAS unsigned: 1 1 1
CAS 64 bit: 1 1 1
CAS 16 bit: 1 1 1
*/

// atomicInc and atomicDec wrap around at their bound.
namespace atomic_inc_dec {

__global__ void wrap_kernel(unsigned* counters, int* zeros) {
  if (atomicInc(&counters[0], 9) == 0) atomicAdd(&zeros[0], 1);
  if (atomicDec(&counters[1], 9) == 0) atomicAdd(&zeros[1], 1);
  atomicInc(&counters[2], 0xffffffffu);
}

__global__ void beyond_kernel(unsigned* counters, unsigned* out) {
  out[0] = atomicInc(&counters[3], 10);  // 50 is beyond the bound: becomes 0
  out[1] = atomicDec(&counters[4], 10);  // becomes 10
  out[2] = atomicInc(&counters[5], 0);   // stays 0
  out[3] = atomicDec(&counters[6], 5);   // 3 becomes 2
}

PART(atomic_inc_dec) {
  DeviceArray<unsigned> counters({0, 0, 4294967290u, 50, 50, 0, 3}), out(4);
  DeviceArray<int> zeros(2);
  wrap_kernel<<<5, 21>>>(counters.data(), zeros.data());
  beyond_kernel<<<1, 1>>>(counters.data(), out.data());
  CHECK_LAUNCH();
  show("counters", counters.host());
  show("zeros", zeros.host());
  show("returned", out.host());
}

}  // namespace atomic_inc_dec

/* Prints:
counters: 5 5 99 0 10 0 2
zeros: 11 11
returned: 50 50 0 3
*/

// The _block and _system forms of the atomics.
namespace atomic_scopes {

__global__ void scopes_kernel(int* out, unsigned* u, unsigned long long* wide, float* real) {
  __shared__ int local;
  if (threadIdx.x == 0) local = 0;
  __syncthreads();
  const int i = threadIdx.x;
  atomicAdd_block(&local, 1);
  atomicAdd_system(&out[0], 1);
  atomicSub_system(&out[1], 2);
  atomicMax_system(&out[2], i);
  atomicMin_system(&out[3], -i);
  atomicExch_system(&out[4], 77);
  atomicCAS_system(&out[5], 0, 55);
  atomicOr_system(&u[0], 1u << (i % 32));
  atomicAnd_system(&u[1], ~2u);
  atomicXor_system(&u[2], 8u);
  atomicInc_system(&u[3], 1000u);
  atomicDec_system(&u[4], 1000u);
  atomicAdd_system(wide, 1ull << 35);
  atomicAdd_system(real, 0.5f);
  __syncthreads();
  atomicMax_block(&local, 3);
  atomicMin_block(&local, 1000);
  atomicOr_block(&local, 256);
  atomicAnd_block(&local, ~1);
  __syncthreads();
  if (i == 0) out[6 + blockIdx.x] = local;
}

PART(atomic_scopes) {
  DeviceArray<int> out(8);
  DeviceArray<unsigned> u({0, 15, 1, 0, 500});
  DeviceArray<unsigned long long> wide(1);
  DeviceArray<float> real(1);
  scopes_kernel<<<2, 65>>>(out.data(), u.data(), wide.data(), real.data());
  CHECK_LAUNCH();
  show("int", out.host());
  show("unsigned", u.host());
  show("wide", wide.host()[0] >> 35);
  show("real", real.host());
}

}  // namespace atomic_scopes

/* Prints:
int: 130 -260 64 -64 77 55 320 320
unsigned: 4294967295 13 1 130 370
wide: 130
real: 65
*/

// Atomics on shared memory: counters, floats, maxima, reset between rounds.
namespace atomic_shared {

__global__ void shared_kernel(int* counts, float* sums, int* largest) {
  __shared__ int bins[5];
  __shared__ float sum;
  __shared__ unsigned long long packed;
  const int i = threadIdx.x, n = blockDim.x;
  for (int round = 0; round < 2; ++round) {
    if (i < 5) bins[i] = 0;
    if (i == 0) sum = 0, packed = 0;
    __syncthreads();
    atomicAdd(&bins[(i + round) % 5], 1 + round);
    atomicAdd(&sum, 0.25f);
    atomicMax(&packed,
              (static_cast<unsigned long long>(i * 7 % n) << 32) | static_cast<unsigned>(i));
    __syncthreads();
    if (i < 5) counts[5 * round + i] = bins[i];
    if (i == 0) sums[round] = sum, largest[round] = static_cast<int>(packed & 0xffffffff);
    __syncthreads();
  }
}

PART(atomic_shared) {
  DeviceArray<int> counts(10), largest(2);
  DeviceArray<float> sums(2);
  shared_kernel<<<1, 97>>>(counts.data(), sums.data(), largest.data());
  CHECK_LAUNCH();
  show("counts", counts.host());
  show("sums", sums.host());
  show("index of the largest", largest.host());
}

}  // namespace atomic_shared

/* Prints:
counts: 20 20 19 19 19 38 40 40 38 38
sums: 24.25 24.25
index of the largest: 83 83
*/

// atomicSub, atomicMin and atomicMax, signed, unsigned and 64 bits wide, with the values they
// return.
namespace atomic_sub_min_max {

struct Results {
  int difference, smallest, largest;
  unsigned udifference, usmallest, ularge;
  long long lsmallest, llargest;
  unsigned long long ulsmallest, ullargest;
};

__global__ void extremes_kernel(Results* r, int* rising) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = (i * 71) % 257 - 100;
  atomicSub(&r->difference, 2);
  atomicSub(&r->udifference, 1u);
  atomicMin(&r->smallest, value);
  atomicMax(&r->largest, value);
  atomicMin(&r->usmallest, static_cast<unsigned>(value));
  atomicMax(&r->ularge, static_cast<unsigned>(value));
  atomicMin(&r->lsmallest, static_cast<long long>(value) << 32);
  atomicMax(&r->llargest, static_cast<long long>(value) << 32);
  atomicMin(&r->ulsmallest, static_cast<unsigned long long>(i + 3) << 33);
  atomicMax(&r->ullargest, static_cast<unsigned long long>(i + 3) << 33);
  if (atomicMax(&rising[1], i) <= i) atomicAdd(&rising[0], 1);
}

PART(atomic_sub_min_max) {
  DeviceArray<Results> results(std::vector<Results>{
      {1000, 0, 0, 100u, 0xffffffffu, 0u, 1ll << 60, -(1ll << 60), ~0ull, 0ull}});
  DeviceArray<int> rising({0, -1});
  extremes_kernel<<<4, 64>>>(results.data(), rising.data());
  CHECK_LAUNCH();
  const Results r = results.host()[0];
  show("sub", r.difference, r.udifference);
  show("int", r.smallest, r.largest);
  show("unsigned", r.usmallest, r.ularge);
  show("long long", r.lsmallest >> 32, r.llargest >> 32);
  show("unsigned long long", r.ulsmallest >> 33, r.ullargest >> 33);
  const std::vector<int> host = rising.host();
  expect("rising", host[0] >= 1 && host[1] == 255);
}

}  // namespace atomic_sub_min_max

/* Prints:
sub: 488 4294967140
int: -100 156
unsigned: 0 4294967295
long long: -100 156
unsigned long long: 3 258
rising: ok
*/

// Fences: a block publishes data and then a flag; the reader of the flag sees the data.
namespace thread_fence {

__global__ void publish_kernel(volatile int* data, int* flags, int* sums) {
  __shared__ int last;
  const int i = threadIdx.x, block = blockIdx.x;
  data[block * blockDim.x + i] = block + 1;
  __threadfence();
  __syncthreads();
  if (i == 0) last = atomicAdd(flags, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last || i != 0) return;
  __threadfence_block();
  int sum = 0;
  for (unsigned k = 0; k < gridDim.x * blockDim.x; ++k) sum += data[k];
  *sums = sum;
  __threadfence_system();
}

PART(thread_fence) {
  DeviceArray<int> data(20 * 64), flags(1), sums(1);
  publish_kernel<<<20, 64>>>(data.data(), flags.data(), sums.data());
  CHECK_LAUNCH();
  show("sum", sums.host());
}

}  // namespace thread_fence

/* Prints:
sum: 13440
*/

// cuda::atomic and cuda::atomic_ref: each operation, what it returns and what it leaves.
namespace scoped_operations {

template <class T>
__global__ void integers_kernel(T* out) {
  __shared__ cuda::atomic<T, cuda::thread_scope_block> value;
  value.store(12);
  out[0] = value.exchange(10);
  out[1] = value.fetch_add(5);
  out[2] = value.fetch_sub(3, cuda::memory_order_relaxed);
  out[3] = value.fetch_and(13);
  out[4] = value.fetch_or(3);
  out[5] = value.fetch_xor(5, cuda::memory_order_acq_rel);
  out[6] = value.fetch_min(7);
  out[7] = value.fetch_max(9);
  T expected = 8;
  out[8] = value.compare_exchange_strong(expected, 20) ? 1 : 0;
  out[9] = expected;
  out[10] = value.compare_exchange_strong(expected, 20, cuda::memory_order_release,
                                          cuda::memory_order_relaxed)
                ? 1
                : 0;
  out[11] = ++value;
  out[12] = value--;
  out[13] = value += 4;
  out[14] = value ^= 1;
  value = 3;
  out[15] = value.load(cuda::memory_order_acquire) + value;
}

struct Pair {
  short first, second;
};

__global__ void others_kernel(float* sum, double* precise, int* cells, int** cursor, Pair* pair) {
  const cuda::atomic_ref<float, cuda::thread_scope_device> all(*sum);
  all.fetch_add(0.5f);
  cuda::atomic_ref<double>(*precise) -= 0.25;
  int* mine = cuda::atomic_ref<int*, cuda::thread_scope_device>(*cursor).fetch_add(1);
  *mine = 7;
  cuda::atomic_ref<Pair, cuda::thread_scope_device> both(*pair);
  Pair old = both.load();
  while (!both.compare_exchange_weak(
      old, {static_cast<short>(old.first + 1), static_cast<short>(old.second + 2)})) {
  }
  cuda::atomic_ref<int, cuda::thread_scope_device>(cells[128]).fetch_max(threadIdx.x);
}

PART(scoped_operations) {
  const DeviceArray<int> ints(16);
  const DeviceArray<unsigned long long> longs(16);
  integers_kernel<<<1, 1>>>(ints.data());
  integers_kernel<<<1, 1>>>(longs.data());
  CHECK_LAUNCH();
  show("int", ints.host());
  show("unsigned long long", longs.host());
  const DeviceArray<float> sum(1);
  const DeviceArray<double> precise(1);
  const DeviceArray<int> cells(129);
  const DeviceArray<int*> cursor({cells.data()});
  const DeviceArray<Pair> pair(1);
  others_kernel<<<2, 64>>>(sum.data(), precise.data(), cells.data(), cursor.data(), pair.data());
  CHECK_LAUNCH();
  show("sums", sum.host()[0], precise.host()[0]);
  int sevens = 0;
  const std::vector<int> values = cells.host();
  for (int i = 0; i < 128; ++i) sevens += values[i] == 7;
  show("cells", sevens, values[128]);
  show("pair", pair.host()[0].first, pair.host()[0].second);
  cuda::atomic<int> on_host(4);
  on_host += 3;
  show("host", on_host.load());
}

}  // namespace scoped_operations

/* Prints:
int: 12 10 15 12 12 15 10 7 0 9 1 21 21 24 25 6
unsigned long long: 12 10 15 12 12 15 10 7 0 9 1 21 21 24 25 6
sums: 64 -32
cells: 128 63
pair: 128 256
host: 7
*/

// A release hands on what the thread did before to whoever acquires: within a block, from block to
// block, and by way of a lock.
namespace scoped_orders {

using Flag = cuda::atomic<int, cuda::thread_scope_device>;

__device__ Flag ready{0};
__device__ Flag lock{0};
__device__ Flag begun{0};

// Blocks count themselves: others may wait for the one that begins first.
__global__ void hand_on_kernel(int* data, int* out) {
  __shared__ int block;
  if (threadIdx.x == 0) block = begun.fetch_add(1);
  __syncthreads();
  if (block == 0 && threadIdx.x == 40) {
    data[0] = 5;
    ready.store(1, cuda::memory_order_release);
  }
  if (threadIdx.x == 0) {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    out[block] = data[0] + block;
  }
}

__global__ void count_kernel(int* count) {
  for (bool done = false; !done;) {
    int open = 0;
    if (lock.compare_exchange_strong(open, 1, cuda::memory_order_acquire)) {
      *count += 1;
      lock.store(0, cuda::memory_order_release);
      done = true;
    }
  }
}

__global__ void last_block_kernel(int* parts, unsigned* finished, int* sum) {
  if (threadIdx.x != 0) return;
  parts[blockIdx.x] = 3 * blockIdx.x;
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> blocks(*finished);
  if (blocks.fetch_add(1, cuda::memory_order_acq_rel) + 1 < gridDim.x) return;
  for (unsigned i = 0; i < gridDim.x; ++i) *sum += parts[i];
}

PART(scoped_orders) {
  const DeviceArray<int> data(1), out(3), count(1), parts(9), sum(1);
  const DeviceArray<unsigned> finished(1);
  hand_on_kernel<<<3, 64>>>(data.data(), out.data());
  count_kernel<<<4, 33>>>(count.data());
  last_block_kernel<<<9, 32>>>(parts.data(), finished.data(), sum.data());
  CHECK_LAUNCH();
  show("handed on", out.host());
  show("counted", count.host());
  show("sum", sum.host());
}

}  // namespace scoped_orders

/* Prints:
handed on: 5 6 7
counted: 132
sum: 108
*/

// cuda::std, in kernels and on the host.
namespace standard_library {

namespace stdc = cuda::std;

template <class T>
__host__ __device__ stdc::tuple<T, T> least_and_most(const stdc::array<T, 4>& values) {
  T least = stdc::numeric_limits<T>::max(), most = stdc::numeric_limits<T>::lowest();
  for (const T value : values) {
    if (value < least) least = value;
    if (most < value) most = value;
  }
  return stdc::make_tuple(least, most);
}

__global__ void standard_kernel(int* ints, float* floats) {
  const stdc::array<int, 4> values{3, -2, 8, 5};
  ints[0] = stdc::get<0>(least_and_most(values));
  ints[1] = stdc::get<1>(least_and_most(values));
  ints[2] = stdc::is_same<stdc::remove_cv_t<const stdc::int32_t>, int>::value;
  int one = 1, two = 2;
  stdc::swap(one, two);
  ints[3] = one;
  const stdc::complex<float> product = stdc::complex<float>(1, 2) * stdc::complex<float>(3, -1);
  floats[0] = product.real();
  floats[1] = product.imag();
}

PART(standard_library) {
  const DeviceArray<int> ints(4);
  const DeviceArray<float> floats(2);
  standard_kernel<<<1, 1>>>(ints.data(), floats.data());
  CHECK_LAUNCH();
  show("ints", ints.host());
  show("floats", floats.host());
  show("host", stdc::get<1>(least_and_most(stdc::array<double, 4>{1.5, 2.5, -1, 0})));
}

}  // namespace standard_library

/* Prints:
ints: -2 8 1 2
floats: 5 5
host: 2.5
*/

// A lock that is taken by exchanging: threads of one block wait for each other.
namespace exchange_lock {

__global__ void count_kernel(cuda::atomic<int, cuda::thread_scope_device>* lock, int* count) {
  while (lock->exchange(1, cuda::memory_order_acquire) == 1) {
  }
  *count = *count + 1;
  lock->store(0, cuda::memory_order_release);
}

PART(exchange_lock) {
  const DeviceArray<int> lock({0}), count({0});
  auto* d_lock = reinterpret_cast<cuda::atomic<int, cuda::thread_scope_device>*>(lock.data());
  count_kernel<<<2, 40>>>(d_lock, count.data());
  CHECK_LAUNCH();
  show("count", count.host());
}

}  // namespace exchange_lock

/* Prints:
count: 80
*/
