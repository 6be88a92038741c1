// SPDX-License-Identifier: MIT
// Functions, classes, templates and the rest of C++ in kernels.
#include <cassert>
#include <cmath>
#include <ctime>

#include "../../../../runtime/include/convkit/grid_stride_range.h"
#include "../check.h"
#include "../parts.h"

// assert() in kernels and device functions, where it holds.
namespace assert_holds {

__device__ int checked_divide(int a, int b) {
  assert(b != 0);
  assert(b > 0 && "the divisor is positive");
  return a / b;
}

__global__ void divide_kernel(int* data) {
  assert(blockDim.x == 4);
  data[threadIdx.x] = checked_divide(data[threadIdx.x], threadIdx.x + 1);
}

PART(assert_holds) {
  DeviceArray<int> data({10, 20, 30, 40});
  divide_kernel<<<1, 4>>>(data.data());
  CHECK_LAUNCH();
  show("quotients", data.host());
}

}  // namespace assert_holds

/* Prints:
quotients: 10 10 10 10
*/

// threadIdx, blockIdx, blockDim, gridDim in three dimensions, and warpSize.
namespace builtin_variables {

__global__ void where_kernel(int* out) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  out[block * threads + thread] = 100000 * blockIdx.z + 10000 * blockIdx.y + 1000 * blockIdx.x +
                                  100 * threadIdx.z + 10 * threadIdx.y + threadIdx.x;
}

__global__ void sizes_kernel(int* out) {
  const uint3 thread = threadIdx;
  const dim3 grid = gridDim;
  if (thread.x + thread.y + thread.z != 0 || blockIdx.x + blockIdx.y + blockIdx.z != 0) return;
  const int values[] = {(int)grid.x,     (int)grid.y,     (int)grid.z, (int)blockDim.x,
                        (int)blockDim.y, (int)blockDim.z, warpSize};
  for (int i = 0; i < 7; ++i) out[i] = values[i];
}

PART(builtin_variables) {
  const dim3 grid(2, 3, 2), block(3, 2, 4);
  const int n = 12 * 24;
  DeviceArray<int> out(n), sizes(7);
  where_kernel<<<grid, block>>>(out.data());
  sizes_kernel<<<grid, block>>>(sizes.data());
  CHECK_LAUNCH();
  const std::vector<int> host = out.host();
  int wrong = 0, i = 0;
  for (int b = 0; b < 12; ++b) {
    for (int t = 0; t < 24; ++t) {
      const int place = 100000 * (b / 6) + 10000 * (b / 2 % 3) + 1000 * (b % 2);
      wrong += host[i++] != place + 100 * (t / 6) + 10 * (t / 3 % 2) + t % 3;
    }
  }
  show("wrong", wrong);
  show("first, one, last", host[0], host[100], host[n - 1]);
  show("sizes", sizes.host());
}

}  // namespace builtin_variables

/* Prints:
wrong: 0
first, one, last: 0 20011 121312
sizes: 2 3 2 3 2 4 32
*/

// Classes in device code: constructors and destructors, operators, inheritance, virtual calls.
namespace classes {

class Shape {
 public:
  __host__ __device__ explicit Shape(int sides) : sides_(sides) {}
  __host__ __device__ virtual ~Shape() {}
  __host__ __device__ virtual int area() const = 0;
  __host__ __device__ int sides() const { return sides_; }

 private:
  int sides_;
};

class Rectangle : public Shape {
 public:
  __host__ __device__ Rectangle(int w, int h) : Shape(4), w_(w), h_(h) {}
  __host__ __device__ int area() const override { return w_ * h_; }

 private:
  int w_, h_;
};

class Square final : public Rectangle {
 public:
  __host__ __device__ explicit Square(int w) : Rectangle(w, w) {}
};

class Guard {
 public:
  __device__ explicit Guard(int* count) : count_(count) { atomicAdd(count_, 100); }
  __device__ ~Guard() { atomicSub(count_, 1); }

 private:
  int* count_;
};

struct Complex {
  float re, im;
  __host__ __device__ friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  __host__ __device__ Complex& operator+=(Complex o) { return re += o.re, im += o.im, *this; }
};

__global__ void classes_kernel(int* areas, int* count, Complex* z) {
  const int i = threadIdx.x;
  const Guard guard(count);
  const Rectangle rectangle(i + 1, 10);
  const Square square(i);
  const Shape* shape = i % 2 ? static_cast<const Shape*>(&square) : &rectangle;
  areas[i] = shape->area() + 1000 * shape->sides();
  if (i == 3) return;  // destroyed on every way out
  Complex value = {1.0f, static_cast<float>(i)};
  value += value * value;
  z[i] = value;
}

PART(classes) {
  DeviceArray<int> areas(4), count(1);
  DeviceArray<Complex> z(4);
  classes_kernel<<<1, 4>>>(areas.data(), count.data(), z.data());
  CHECK_LAUNCH();
  show("areas", areas.host());
  show("guards", count.host());
  for (Complex value : z.host()) show("z", value.re, value.im);
  show("host", Square(9).area());
}

}  // namespace classes

/* Prints:
areas: 4010 4001 4030 4009
guards: 396
z: 2 0
z: 1 3
z: -2 6
z: 0 0
host: 81
*/

// clock64() and clock() advance.
namespace clocks {

__global__ void clock_kernel(int* out) {
  const long long start = clock64();
  const clock_t short_start = clock();
  volatile int sink = 0;
  for (int i = 0; i < 1000; ++i) sink = sink + i;
  const long long end = clock64();
  const clock_t short_end = clock();
  out[0] = end > start;
  out[1] = end - start < (1ll << 40);
  out[2] = short_end != short_start;
}

PART(clocks) {
  DeviceArray<int> out(3);
  clock_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("advances, by a sane amount", out.host());
}

}  // namespace clocks

/* Prints:
advances, by a sane amount: 1 1 1
*/

// A kernel that lets its clock run for 5 ms, by the rate that the device reports, takes 5 ms. (The
// rate is the highest: a GPU may run slower, and then takes longer.)
namespace clock_rate {

__global__ void wait_by_clock64(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

__global__ void wait_by_clock(clock_t cycles) {
  const clock_t start = clock();
  while (clock() - start < cycles) {
  }
}

PART(clock_rate) {
  const std::clock_t host_start = std::clock();
  int rate_khz = 0;
  CHECK(cudaDeviceGetAttribute(&rate_khz, cudaDevAttrClockRate, 0));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaEventRecord(start));
    if (i == 0) {
      wait_by_clock64<<<1, 1>>>(5ll * rate_khz);
    } else {
      wait_by_clock<<<1, 1>>>(static_cast<clock_t>(5l * rate_khz));
    }
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    expect(i == 0 ? "clock64" : "clock", ms >= 4.9f);
  }
  // On the host it is still processor time, in the C library's unit.
  expect("host", std::clock() - host_start < 60l * CLOCKS_PER_SEC);
}

}  // namespace clock_rate

/* Prints:
clock64: ok
clock: ok
host: ok
*/

// #if blocks: what is switched off may be junk; what is on counts; launches in both arms.
namespace conditional_code {

__global__ void set_kernel(int* out, int value) {
  *out = value;
}

// clang-format off
#if 0
This is no C++ at all ))) >>> @ ` $ and set_kernel<<<1, 1>>>(
  set_kernel<<<1, }} /* a comment */ // and another
#else
#define CHOSEN 2
#endif

#ifdef NOT_DEFINED
extern __shared__ junk[ }}} <<<
#elif defined(CHOSEN) && \
      CHOSEN > 1
static const int kBlocks = 1;
#else
#error "not reached"
#endif

PART(conditional_code) {
  DeviceArray<int> out(1);
#if defined(__CUDACC__)
  set_kernel<<<kBlocks, 1>>>(out.data(), 10);
#else
  set_kernel(out.data(), 11);
#endif
  show("__CUDACC__", out.host());
  set_kernel<<<1, 1>>>(out.data(),
#if CHOSEN == 2
                       12
#else
                       -12
#endif
  );
  show("inside the arguments", out.host());
#if 0
  set_kernel<<<1, 1>>>(out.data(), 14
#endif
#if 1 // an apostrophe: isn't
  set_kernel<<<1, 1>>>(out.data(), 13);
#endif
  show("last", out.host());
}

}  // namespace conditional_code

/* Prints:
__CUDACC__: 10
inside the arguments: 12
last: 13
*/

// Pointers to device functions: in device tables, as template arguments, chosen by thread.
namespace function_pointers {

typedef int (*Operation)(int, int);

__device__ int add(int a, int b) {
  return a + b;
}
__device__ int subtract(int a, int b) {
  return a - b;
}
__device__ int multiply(int a, int b) {
  return a * b;
}

__device__ Operation operations[] = {add, subtract, multiply};

__global__ void table_kernel(int* out) {
  out[threadIdx.x] = operations[threadIdx.x % 3](10, threadIdx.x);
}

template <Operation kOperation>
__global__ void constant_kernel(int* out) {
  out[threadIdx.x] = kOperation(100, threadIdx.x);
}

__global__ void local_kernel(int* out) {
  Operation chosen = threadIdx.x < 2 ? add : multiply;
  out[threadIdx.x] = chosen(chosen(3, 4), 2);
}

PART(function_pointers) {
  DeviceArray<int> out(4);
  table_kernel<<<1, 4>>>(out.data());
  show("table", out.host());
  constant_kernel<subtract><<<1, 4>>>(out.data());
  show("constant", out.host());
  local_kernel<<<1, 4>>>(out.data());
  show("local", out.host());
}

}  // namespace function_pointers

/* Prints:
table: 10 9 20 13
constant: 100 99 98 97
local: 9 9 24 24
*/

// grid_stride_range() gives every index to exactly one thread, whatever the grid, and an empty
// range to none.
namespace grid_stride_ranges {

__global__ void count_visits(int* visits, int64_t count) {
  for (const int64_t i : grid_stride_range(count)) atomicAdd(&visits[i], 1);
}

// Neighbouring indices belong to neighbouring threads: 4, and a stride of 6, are thread 4's.
__global__ void first_and_second(int64_t* seen) {
  int at = 0;
  for (const int64_t i : grid_stride_range(12)) {
    if (blockIdx.x * blockDim.x + threadIdx.x == 4) seen[at++] = i;
  }
}

PART(grid_stride_ranges) {
  for (const int blocks : {1, 2, 3, 40}) {
    DeviceArray<int> visits(std::vector<int>(100, 0));
    count_visits<<<blocks, 32>>>(visits.data(), 100);
    CHECK_LAUNCH();
    int once = 0;
    for (const int visit : visits.host()) once += visit == 1;
    std::printf("%d blocks: %d of 100 visited once\n", blocks, once);
  }
  DeviceArray<int> none(std::vector<int>(1, 7));
  count_visits<<<2, 32>>>(none.data(), 0);
  CHECK_LAUNCH();
  show("nothing of an empty range", none.host());

  DeviceArray<int64_t> seen(std::vector<int64_t>(2, -1));
  first_and_second<<<2, 3>>>(seen.data());
  CHECK_LAUNCH();
  std::printf("thread 4 of 6: %lld, %lld\n", (long long)seen.host()[0], (long long)seen.host()[1]);

  std::printf("blocks for 0, 1, 256, 257 and 10^9 elements: %u %u %u %u %u\n",
              grid_stride_blocks(0, 256), grid_stride_blocks(1, 256), grid_stride_blocks(256, 256),
              grid_stride_blocks(257, 256), grid_stride_blocks(1000000000, 256));
}

}  // namespace grid_stride_ranges

/* Prints:
1 blocks: 100 of 100 visited once
2 blocks: 100 of 100 visited once
3 blocks: 100 of 100 visited once
40 blocks: 100 of 100 visited once
nothing of an empty range: 7
thread 4 of 6: 4, 10
blocks for 0, 1, 256, 257 and 10^9 elements: 1 1 1 2 2048
*/

// __host__ __device__ functions and constexpr names give the same on both sides.
namespace host_device_functions {

constexpr int kSize = 6;
constexpr float kThird = 0.25f;
static const int kOffset = 3;
enum { kBias = 40 };

__host__ __device__ constexpr int square(int x) {
  return x * x;
}

__host__ __device__ unsigned next_random(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 16;
}

template <class T>
__host__ __device__ T clamp_to(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}

__host__ __device__ int mixed(int i) {
  unsigned state = i;
  const int drawn = next_random(state) % 1000;
  return clamp_to(drawn, 100, 800) + square(i) + kOffset + kBias + static_cast<int>(kThird * 8);
}

__global__ void both_kernel(int* out) {
  out[threadIdx.x] = mixed(threadIdx.x);
}

PART(host_device_functions) {
  static_assert(square(4) == 16, "a constant expression");
  DeviceArray<int> out(square(2) + 2);
  both_kernel<<<1, kSize>>>(out.data());
  CHECK_LAUNCH();
  const std::vector<int> device = out.host();
  for (int i = 0; i < kSize; ++i) {
    if (device[i] != mixed(i)) show("differs", i, device[i], mixed(i));
  }
  show("values", device);
}

}  // namespace host_device_functions

/* Prints:
values: 515 542 570 601 633 667
*/

// Lambdas inside kernels: captures, generic ones, passed on to device templates; functors as
// arguments.
namespace lambdas {

template <class F>
__device__ int twice(F f, int x) {
  return f(f(x));
}

struct Affine {
  int factor, offset;
  __host__ __device__ int operator()(int x) const { return factor * x + offset; }
};

template <class F>
__global__ void map_kernel(F f, int* data) {
  data[threadIdx.x] = f(data[threadIdx.x]);
}

__global__ void lambdas_kernel(int* out) {
  const int i = threadIdx.x;
  int calls = 0;
  auto add = [i](int x) { return x + i; };
  auto count = [&calls](auto x) {
    ++calls;
    return x * 2;
  };
  const int doubled = static_cast<int>(count(1.5) + count(2));
  out[i] = twice(add, 100) + doubled + 1000 * calls;
  [out, i] { out[i] += 10000; }();
}

PART(lambdas) {
  DeviceArray<int> data({1, 2, 3, 4});
  map_kernel<<<1, 4>>>(Affine{3, -1}, data.data());
  CHECK_LAUNCH();
  show("functor", data.host());
  lambdas_kernel<<<1, 4>>>(data.data());
  CHECK_LAUNCH();
  show("lambdas", data.host());
  auto launch = [&](int blocks, auto factor) {
    map_kernel<<<blocks, 4>>>(Affine{factor, 0}, data.data());
    CHECK_LAUNCH();
  };
  launch(1, 2);
  show("launched in a lambda", data.host());
}

}  // namespace lambdas

/* Prints:
functor: 2 5 8 11
lambdas: 12107 12109 12111 12113
launched in a lambda: 24214 24218 24222 24226
*/

// min, max and abs with the types that kernels mix, and the std:: names of mathematics.
namespace least_and_greatest {

__global__ void integers_kernel(long long* out) {
  const int i = -3;
  const unsigned u = 5;
  const long long l = -(1ll << 40);
  const unsigned long long ul = 1ull << 63;
  out[0] = min(i, 2);
  out[1] = max(i, -4);
  out[2] = min(u, 6u);
  out[3] = max(l, 0ll);
  out[4] = min(l, -1ll);
  out[5] = max(ul, 1ull) >> 60;
  out[6] = abs(i);
  out[7] = llabs(l) >> 38;
  out[8] = min(threadIdx.x, 7u);
  out[9] = umin(3u, 4u) + umax(3u, 4u);
  out[10] = labs(-12L);
}

__global__ void reals_kernel(double* out) {
  const float f = -1.5f;
  const double d = 2.25;
  out[0] = min(f, 1.0f);
  out[1] = max(d, 3.5);
  out[2] = fminf(f, -2.0f);
  out[3] = fmax(d, -2.0);
  out[4] = std::sqrt(d);
  out[5] = std::fabs(f);
  out[6] = std::abs(f);
  out[7] = std::floor(f) + std::ceil(f) + std::trunc(f);
  out[8] = std::pow(2.0f, 10.0f);
  out[9] = std::isnan(f) + std::isinf(f);
  out[10] = fabs(d - 5) + abs(-0.5);
}

PART(least_and_greatest) {
  DeviceArray<long long> integers(11);
  DeviceArray<double> reals(11);
  integers_kernel<<<1, 1>>>(integers.data());
  reals_kernel<<<1, 1>>>(reals.data());
  CHECK_LAUNCH();
  show("integers", integers.host());
  show("reals", reals.host());
}

}  // namespace least_and_greatest

/* Prints:
integers: -3 -3 5 0 -1099511627776 8 3 4 0 7 12
reals: -1.5 3.5 -2 2.25 1.5 1.5 1.5 -4 1024 0 3.25
*/

// C++17 in kernels: if constexpr, structured bindings, folds, range-for, attributes, deduced
// returns.
namespace modern_cpp {

struct Range {
  int first, last;
};

template <class... T>
__device__ auto sum_of(T... values) {
  return (values + ... + 0);
}

template <class T>
__device__ int kind_of([[maybe_unused]] T value) {
  if constexpr (sizeof(T) == 8) {
    return 8;
  } else {
    return value > 0 ? 4 : -4;
  }
}

template <class... T>
__global__ void variadic_kernel(int* out, T... values) {
  const auto [first, last] = Range{2, 5};
  int total = 0;
  const int list[] = {1, 2, 3};
  for (const int item : list) total += item;
  out[0] = sum_of(values...);
  out[1] = first * 10 + last;
  out[2] = total;
  out[3] = kind_of(1.0) + kind_of(-1);
  if (const int count = sizeof...(T); count > 2) out[4] = count;
  const auto local = [](auto x) { return decltype(x)(x + 1); };
  out[5] = local(static_cast<unsigned char>(255));
}

PART(modern_cpp) {
  DeviceArray<int> out(6);
  variadic_kernel<<<1, 1>>>(out.data(), 1, 2, 3, 4);
  CHECK_LAUNCH();
  show("four values", out.host());
  variadic_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("none", out.host());
}

}  // namespace modern_cpp

/* Prints:
four values: 10 25 6 4 4 0
none: 0 25 6 4 4 0
*/

// printf from one thread: conversions, widths, precision, several calls, long lines.
namespace printing {

__global__ void conversions_kernel(const char* word) {
  if (threadIdx.x != 3) return;
  printf("int %d %5d|%-5d|%05d %+d %i\n", -7, 42, 42, 42, 42, 9);
  printf("unsigned %u %x %X %#x %o\n", 4000000000u, 255u, 255u, 255u, 8u);
  printf("wide %ld %lld %llu %lx\n", -1L, -5000000000LL, 18446744073709551615ULL, 255L);
  printf("real %f %.2f %8.3f|%e %g %g\n", 1.5, 2.345678, 3.14159, 12345.678, 0.0001, 1e20);
  printf("float %.1f %c %s %% %s\n", 0.5f, 'x', "text", word);
  printf("no newline, ");
  printf("then one\n");
  printf("nothing to convert\n");
  printf("%s%s%s%s%d\n", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef",
         "0123456789abcdef", 64);
}

__global__ void lines_kernel() {
  for (int i = 0; i < 3; ++i) printf("thread %d line %d\n", threadIdx.x, i);
}

PART(printing) {
  DeviceArray<char> word({'w', 'o', 'r', 'd', '\0'});
  std::printf("before\n");
  std::fflush(stdout);
  conversions_kernel<<<1, 32>>>(word.data());
  CHECK_LAUNCH();
  std::printf("between\n");
  std::fflush(stdout);
  lines_kernel<<<1, 1>>>();
  CHECK_LAUNCH();
  std::printf("after\n");
}

}  // namespace printing

/* Prints:
before
int -7    42|42   |00042 +42 9
unsigned 4000000000 ff FF 0xff 10
wide -1 -5000000000 18446744073709551615 ff
real 1.500000 2.35    3.142|1.234568e+04 0.0001 1e+20
float 0.5 x text % word
no newline, then one
nothing to convert
0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef64
between
thread 0 line 0
thread 0 line 1
thread 0 line 2
after
*/

// __launch_bounds__, __forceinline__, __noinline__, __restrict__ and the order of qualifiers.
namespace qualifiers {

__device__ __forceinline__ int twice(int x) {
  return 2 * x;
}
__noinline__ __device__ int thrice(int x) {
  return 3 * x;
}
static __inline__ __device__ int half_of(int x) {
  return x / 2;
}
__host__ __device__ __forceinline__ int negated(int x) {
  return -x;
}
inline __device__ __host__ int same(int x) {
  return x;
}

__global__ void __launch_bounds__(64)
    bounded_kernel(const int* __restrict__ in, int* __restrict__ out) {
  out[threadIdx.x] = twice(in[threadIdx.x]) + thrice(1);
}

__launch_bounds__(128, 2) __global__
    void bounded_twice_kernel(int const* __restrict__ in, int* out) {
  out[threadIdx.x] = half_of(in[threadIdx.x]) + negated(0);
}

template <int kThreads>
__global__ static void __launch_bounds__(kThreads) bounded_template_kernel(int* out) {
  out[threadIdx.x] = kThreads + same(threadIdx.x);
}

extern "C" __global__ void plain_name_kernel(int* out) {
  out[threadIdx.x] = negated(threadIdx.x);
}

PART(qualifiers) {
  DeviceArray<int> in({8, 6, 4, 2}), out(4);
  bounded_kernel<<<1, 4>>>(in.data(), out.data());
  show("bounded", out.host());
  bounded_twice_kernel<<<1, 4>>>(in.data(), out.data());
  show("bounded twice", out.host());
  bounded_template_kernel<256><<<1, 4>>>(out.data());
  show("bounded template", out.host());
  plain_name_kernel<<<1, 4>>>(out.data());
  show("plain name", out.host());
  show("host", negated(5), same(6));
}

}  // namespace qualifiers

/* Prints:
bounded: 19 15 11 7
bounded twice: 4 3 2 1
bounded template: 256 257 258 259
plain name: 0 -1 -2 -3
host: -5 6
*/

// Recursion in device functions, each thread to a depth of its own.
namespace recursion {

__device__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int is_odd(int n);
__device__ int is_even(int n) {
  return n == 0 ? 1 : is_odd(n - 1);
}
__device__ int is_odd(int n) {
  return n == 0 ? 0 : is_even(n - 1);
}

__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__global__ void recursion_kernel(unsigned* fib, int* even, int* ack) {
  const int i = threadIdx.x;
  fib[i] = fibonacci(2 * i);
  even[i] = is_even(3 * i);
  ack[i] = ackermann(2, i / 2);
}

PART(recursion) {
  DeviceArray<unsigned> fib(6);
  DeviceArray<int> even(6), ack(6);
  recursion_kernel<<<1, 6>>>(fib.data(), even.data(), ack.data());
  CHECK_LAUNCH();
  show("fibonacci", fib.host());
  show("even", even.host());
  show("ackermann", ack.host());
}

}  // namespace recursion

/* Prints:
fibonacci: 0 1 3 8 21 55
even: 1 0 1 0 1 0
ackermann: 3 3 5 5 7 7
*/

// #pragma unroll in its forms changes no result.
namespace unroll {

template <int kSteps>
__global__ void unroll_kernel(int* out) {
  int a = 0, b = 0, c = 0, d = 0;
#pragma unroll
  for (int i = 0; i < 7; ++i) a += i * threadIdx.x;
#pragma unroll 4
  for (int i = 0; i < 10; ++i) {
    if (i == 8) break;
    b += i;
  }
#pragma unroll(2)
  for (int i = 0; i < kSteps; ++i) c += i;
#pragma unroll 1
  for (int i = 0; i < kSteps; ++i) {
    if (i % 2) continue;
    d += i;
  }
#pragma unroll kSteps
  for (int i = 0; i < kSteps; ++i) d += 100;
  out[threadIdx.x] = a + 1000 * b + 100000 * c + d;
}

PART(unroll) {
  DeviceArray<int> out(3);
  unroll_kernel<5><<<1, 3>>>(out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

}  // namespace unroll

/* Prints:
sums: 1028506 1028527 1028548
*/
