// SPDX-License-Identifier: MIT
// Launches and the arguments of kernels.
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "../check.h"
#include "../parts.h"

// Kernel arguments are converted as in a call: numbers, null pointers, arrays, const, enums,
// classes.
namespace argument_conversions {

enum Colour { kRed = 1, kGreen = 2 };
enum class Strict : unsigned char { kOne = 1, kTwo = 200 };

struct Handle {
  int* pointer;
  operator int*() const { return pointer; }
};

struct FromInt {
  __host__ __device__ FromInt(int x) : doubled(2 * x) {}
  int doubled;
};

__global__ void numbers_kernel(int* out, float f, double d, long long l, unsigned u, char c,
                               bool b) {
  out[0] = static_cast<int>(f * 2);
  out[1] = static_cast<int>(d * 4);
  out[2] = l == -1;
  out[3] = u == 4294967295u;
  out[4] = c;
  out[5] = b;
}

__global__ void classes_kernel(int* out, const int* in, int colour, Strict strict, FromInt from) {
  out[0] = in[0];
  out[1] = colour;
  out[2] = static_cast<int>(strict);
  out[3] = from.doubled;
}

__global__ void null_kernel(int* out, const float* p, const void* q, void (*f)(int)) {
  *out = 100 * (p == nullptr) + 10 * (q == nullptr) + (f == nullptr);
}

PART(argument_conversions) {
  DeviceArray<int> out(6), in({42});
  numbers_kernel<<<1, 1>>>(out.data(), 3, 2.5f, -1, 4294967295L, 'A' + 1, 17);
  show("numbers", out.host());
  const short small = 7;
  numbers_kernel<<<1, 1>>>(Handle{out.data()}, small, kGreen, -1L, ~0u, 'z', 0.0);
  show("numbers", out.host());
  classes_kernel<<<1, 1>>>(Handle{out.data()}, in.data(), kRed, Strict::kTwo, 21);
  show("classes", out.host());
  classes_kernel<<<1, 1>>>(out.data(), Handle{in.data()}, 'a', Strict(), {4});
  show("classes", out.host());
  null_kernel<<<1, 1>>>(out.data(), NULL, 0, nullptr);
  show("null", out.host()[0]);
  null_kernel<<<1, 1>>>(out.data(), {}, in.data(), {});
  show("null", out.host()[0]);
}

}  // namespace argument_conversions

/* Prints:
numbers: 6 10 1 1 66 1
numbers: 14 8 1 1 122 0
classes: 42 1 200 42 122 0
classes: 42 97 0 8 122 0
null: 111
null: 101
*/

// Default arguments of kernels, of device functions and of template parameters.
namespace default_arguments {

__device__ int weighted(int x, int weight = 10) {
  return x * weight;
}

template <class T = int, int kTimes = 2>
__global__ void fill_kernel(T* out, T value = T(5), int add = 1) {
  out[threadIdx.x] = value * kTimes + add + weighted(threadIdx.x) + weighted(threadIdx.x, 100);
}

__global__ void nothing_kernel(int* out = nullptr) {
  if (out != nullptr) *out = 77;
}

PART(default_arguments) {
  DeviceArray<int> out(3);
  DeviceArray<double> real(3);
  fill_kernel<<<1, 3>>>(out.data());
  show("all defaults", out.host());
  fill_kernel<<<1, 3>>>(out.data(), 1);
  show("one given", out.host());
  fill_kernel<int, 3><<<1, 3>>>(out.data(), 1, 0);
  show("all given", out.host());
  fill_kernel<<<1, 3>>>(real.data(), 0.25);
  show("other type", real.host());
  nothing_kernel<<<1, 1>>>();
  nothing_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("pointer", out.host());
}

}  // namespace default_arguments

/* Prints:
all defaults: 11 121 231
one given: 3 113 223
all given: 3 113 223
other type: 1.5 111.5 221.5
pointer: 77 113 223
*/

// Threads that return before a barrier do not hold up the others.
namespace early_return {

__global__ void tail_kernel(const int* in, int* out, int n) {
  __shared__ int sum;
  const int i = threadIdx.x;
  if (i == 0) sum = 0;
  if (i >= n) return;
  __syncthreads();
  atomicAdd(&sum, in[i]);
  __syncthreads();
  out[i] = sum;
}

__global__ void halving_kernel(int* out) {
  __shared__ int alive[8];
  for (int step = 0, n = blockDim.x; n > 0; ++step, n /= 2) {
    if (threadIdx.x == 0) alive[step] = 0;
    __syncthreads();
    atomicAdd(&alive[step], 1);
    __syncthreads();
    if (threadIdx.x == 0) out[step] = alive[step];
    if (threadIdx.x >= n / 2) return;
  }
}

PART(early_return) {
  DeviceArray<int> in(std::vector<int>(100, 3)), out(100), steps(8);
  tail_kernel<<<1, 128>>>(in.data(), out.data(), 100);
  CHECK_LAUNCH();
  show("first and last", out.host()[0], out.host()[99]);
  halving_kernel<<<1, 128>>>(steps.data());
  CHECK_LAUNCH();
  show("alive", steps.host());
}

}  // namespace early_return

/* Prints:
first and last: 300 300
alive: 128 64 32 16 8 4 2 1
*/

// A kernel gets the values of its arguments, whatever the types of the last four are.
namespace kernel_arguments {

template <class T>
__host__ __device__ T value_of(int n);
template <>
__host__ __device__ unsigned value_of<unsigned>(int n) {
  return 0x10000u + n;
}
template <>
__host__ __device__ double value_of<double>(int n) {
  return n + 0.5;
}
template <>
__host__ __device__ uchar4 value_of<uchar4>(int n) {
  return make_uchar4(n, n + 1, n + 2, n + 3);
}
template <>
__host__ __device__ char4 value_of<char4>(int n) {
  return make_char4(-n, n, -n - 1, n + 1);
}
template <>
__host__ __device__ short2 value_of<short2>(int n) {
  return make_short2(-n, 300 + n);
}
template <>
__host__ __device__ ushort2 value_of<ushort2>(int n) {
  return make_ushort2(n, 60000 + n);
}

__device__ bool same(unsigned a, unsigned b) {
  return a == b;
}
__device__ bool same(double a, double b) {
  return a == b;
}
__device__ bool same(uchar4 a, uchar4 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
__device__ bool same(char4 a, char4 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
__device__ bool same(short2 a, short2 b) {
  return a.x == b.x && a.y == b.y;
}
__device__ bool same(ushort2 a, ushort2 b) {
  return a.x == b.x && a.y == b.y;
}

template <class A, class B, class C, class D>
__global__ void compare(int* right, A a, B b, C c, D d) {
  *right += same(a, value_of<A>(1)) && same(b, value_of<B>(2)) && same(c, value_of<C>(3)) &&
            same(d, value_of<D>(4));
}

__global__ void four_unsigned(int* right, unsigned a, unsigned b, unsigned c, unsigned d) {
  *right += a == 1 && b == 2 && c == 3 && d == 4;
}
__global__ void only_unsigned(unsigned a, unsigned b, unsigned c, unsigned d) {
  printf("%u %u %u %u\n", a, b, c, d);
}
__global__ void last_is_char4(int* right, char4 last) {
  *right += same(last, value_of<char4>(4));
}
__global__ void last_is_short2(int* right, short2 last) {
  *right += same(last, value_of<short2>(4));
}

// Once with the kernel's types deduced, once with the kernel named in full.
template <class A, class B, class C, class D>
void launch(int* right) {
  compare<<<1, 1>>>(right, value_of<A>(1), value_of<B>(2), value_of<C>(3), value_of<D>(4));
  compare<A, B, C, D>
      <<<1, 1>>>(right, value_of<A>(1), value_of<B>(2), value_of<C>(3), value_of<D>(4));
}

// Every combination of four types out of these.
template <class... T>
struct Each {};
template <class... Chosen, class... T>
void combine(int* right, Each<Chosen...>, Each<T...> types) {
  if constexpr (sizeof...(Chosen) == 4) {
    launch<Chosen...>(right);
  } else {
    (combine(right, Each<Chosen..., T>(), types), ...);
  }
}

PART(kernel_arguments) {
  DeviceArray<int> right(1);
  combine(right.data(), Each<>(), Each<unsigned, uchar4, ushort2>());
  launch<double, unsigned, unsigned, unsigned>(right.data());
  launch<unsigned, double, short2, char4>(right.data());
  launch<unsigned, unsigned, unsigned, double>(right.data());
  CHECK_LAUNCH();
  show("templates", right.host());
  four_unsigned<<<1, 1>>>(right.data(), 1u, 2u, 3u, 4u);
  last_is_char4<<<1, 1>>>(right.data(), value_of<char4>(4));
  last_is_short2<<<1, 1>>>(right.data(), value_of<short2>(4));
  CHECK_LAUNCH();
  show("and functions", right.host());
  only_unsigned<<<1, 1>>>(1u, 2u, 3u, 4u);
  CHECK_LAUNCH();
}

}  // namespace kernel_arguments

/* Prints:
templates: 168
and functions: 171
1 2 3 4
*/

// A class whose copies and destructor count: what threads get are bits, which they do not destroy.
namespace arguments_with_duties {

struct Counted {
  int* made;
  int* gone;
  int value;
  Counted(int* copies, int* ends, int number) : made(copies), gone(ends), value(number) {}
  __host__ __device__ Counted(const Counted& other)
      : made(other.made), gone(other.gone), value(other.value) {
    ++*made;
  }
  __host__ __device__ ~Counted() { ++*gone; }
};

__global__ void add(int before, Counted counted, int* out) {
  out[threadIdx.x] = before + counted.value + static_cast<int>(threadIdx.x);
  counted.value = 0;  // of the thread's own copy
}

template <class T>
__global__ void add_any(T counted, int* out) {
  out[threadIdx.x] += counted.value;
}

PART(arguments_with_duties) {
  int* counts = nullptr;
  CHECK(cudaMallocManaged(&counts, 2 * sizeof(int)));
  counts[0] = counts[1] = 0;
  DeviceArray<int> out(64);
  {
    Counted counted(counts, counts + 1, 7);
    add<<<1, 64>>>(10, counted, out.data());
    CHECK(cudaDeviceSynchronize());
    add_any<Counted><<<1, 64>>>(counted, out.data());
    CHECK(cudaDeviceSynchronize());
    void (*pointer)(int, Counted, int*) = add;
    pointer<<<2, 32>>>(0, counted, out.data() + 32);
    CHECK(cudaDeviceSynchronize());
  }
  const std::vector<int> values = out.host();
  show("values", values[0], values[31], values[32], values[63]);
  show("copies by the host alone", counts[0] > 0 && counts[0] < 32);
  show("as many ends as copies", counts[1] == counts[0] + 1);
  CHECK(cudaFree(counts));
}

}  // namespace arguments_with_duties

/* Prints:
values: 24 55 7 38
copies by the host alone: 1
as many ends as copies: 1
*/

// An owner of device memory that converts to a pointer, given to one of several kernels of a name: it
// is not copied, whose end would free the memory.
namespace owner_for_an_overloaded_kernel {

class Owner {
 public:
  explicit Owner(int* frees, std::size_t size) : frees_(frees) {
    CHECK(cudaMalloc(&data_, size * sizeof(float)));
  }
  ~Owner() {
    CHECK(cudaFree(data_));
    ++*frees_;
  }
  __host__ __device__ operator float*() const { return data_; }

 private:
  float* data_ = nullptr;
  int* frees_;
};

__global__ void fill(float* out, float value) {
  out[threadIdx.x] = value;
}
__global__ void fill(int* out, int value) {
  out[threadIdx.x] = value;
}

PART(owner_for_an_overloaded_kernel) {
  int frees = 0;
  {
    const Owner owner(&frees, 32);
    fill<<<1, 32>>>(owner, 2.5f);
    CHECK_LAUNCH();
    show("frees before its end", frees);
    float last = 0;
    CHECK(cudaMemcpy(&last, owner + 31, sizeof last, cudaMemcpyDeviceToHost));
    show("the last", last);
  }
  show("frees", frees);
}

}  // namespace owner_for_an_overloaded_kernel

/* Prints:
frees before its end: 0
the last: 2.5
frees: 1
*/

// Where the kernel is one of several, or a template, arguments are converted on the host, once, and no
// thread copies or destroys an object.
namespace converted_for_the_chosen_kernel {

int copies, destroyed;

template <class T>
struct View {
  T* data;
  int size;
  View(T* d, int n) : data(d), size(n) {}
  __host__ __device__ View(const View& other) : data(other.data), size(other.size) {
#ifndef __CUDA_ARCH__
    ++copies;
#endif
  }
  __host__ __device__ ~View() {
#ifndef __CUDA_ARCH__
    ++destroyed;
#endif
  }
};

// The conversion follows a pointer of the host.
struct Buffers {
  std::unique_ptr<int*> first;
  operator int*() const { return *first; }
};

struct Only {
  int value;
  explicit Only(int v) : value(v) {}
  Only(Only&& other) : value(other.value) { other.value = -1; }
  Only(const Only&) = delete;
};

template <class T>
__global__ void copy(const T* __restrict__ from, T* const __restrict__ to, const int count) {
  if (static_cast<int>(threadIdx.x) < count) to[threadIdx.x] = from[threadIdx.x];
}

template <class T>
__global__ void scale(View<T> view, T by) {
  if (static_cast<int>(threadIdx.x) < view.size) view.data[threadIdx.x] *= by;
}

__global__ void add(int* x, short by) {
  x[threadIdx.x] += by;
}
__global__ void add(float* x, short by) {
  x[threadIdx.x] += 100.0f * by;
}

template <int kTimes, class T>
__global__ void add_times(Only only, T* x) {
  x[threadIdx.x] += static_cast<T>(kTimes) * only.value;
}

struct Plus {
  __device__ void operator()(int* x, int by, char more) const { x[threadIdx.x] += by + more; }
};

template <class F, class... A>
__global__ void apply(F f, A... arguments) {
  f(arguments...);
}

template <class T>
__global__ void in_shared(T* x) {
  extern __shared__ int staged[];
  staged[threadIdx.x] = 1;
  *x = staged[threadIdx.x];
}

// Declared first, in other words.
__global__ void put(int*, short);
__global__ void put(float*, const short);
template <class T, class U>
__global__ void put(T* __restrict__, U, U (*)(U));
__global__ void put(int* const x, const short value) {
  x[threadIdx.x] = value;
}
__global__ void put(float* __restrict__ x, short value) {
  x[threadIdx.x] = -value;
}
template <class V, class W>
__global__ void put(V* __restrict__ x, W value, W (*change)(W)) {
  x[threadIdx.x] = change ? V(0) : static_cast<V>(2 * value);
}

// A call chooses among more than the one function that the name stands for where the launch is.
template <class... T>
__global__ void add_all(int* x, T... values) {
  x[threadIdx.x] = static_cast<int>((static_cast<double>(values) + ...) * 10);
}

namespace far {
struct Value {
  int value;
};
__global__ void set(int* x, Value value) {
  x[threadIdx.x] = value.value;
}
}  // namespace far

namespace near {
struct Converted {
  int value;
  Converted(far::Value from) : value(-from.value) {}
};
__global__ void set(int* x, Converted converted) {
  x[threadIdx.x] = converted.value;
}
void run(int* x) {
  set<<<1, 4>>>(x, far::Value{6});
}
}  // namespace near

PART(converted_for_the_chosen_kernel) {
  DeviceArray<int> x({1, 2, 3, 4});
  DeviceArray<float> real(4);
  View<int> view(x.data(), 3);
  scale<<<1, 4>>>(view, 10);
  CHECK_LAUNCH();
  show("copies, destroyed", copies, destroyed);
  show("scaled", x.host());
  const Buffers buffers{std::make_unique<int*>(x.data())};
  add<<<1, 4>>>(buffers, 2.9);
  show("the one for integers", x.host());
  add<<<1, 4>>>(real.data(), 1);
  show("the one for reals", real.host());
  DeviceArray<float> other(4);
  copy<<<1, 4>>>(real.data(), other.data(), 3);
  show("copied", other.host());
  Only only(7);
  add_times<3><<<1, 4>>>(std::move(only), x.data());
  show("moved from", only.value);
  show("added", x.host());
  apply<<<1, 4>>>(Plus(), x.data(), 5, '\1');
  show("applied", x.host());
  add_all<int><<<1, 4>>>(x.data(), 1.9, 2.5, 3);
  show("partly given", x.host());
  near::run(x.data());
  show("found by its argument", x.host());
  put<<<1, 4>>>(buffers, 3.5);
  show("declared first", x.host());
  int (*none)(int) = nullptr;
  put<<<1, 4>>>(x.data(), 4, none);
  show("and a template", x.host());
  using Kernel = void (*)(int*, short);
  static_cast<Kernel>(add)<<<1, 4>>>(x.data(), 2);
  show("by a cast", x.host());
  // The limit of one instance is not that of another.
  CHECK(cudaFuncSetAttribute(in_shared<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  in_shared<<<1, 1, 65536>>>(x.data());
  show("with its limit", static_cast<int>(cudaGetLastError()));
  in_shared<<<1, 1, 65536>>>(real.data());
  show("without", static_cast<int>(cudaGetLastError()));
}

}  // namespace converted_for_the_chosen_kernel

/* Prints:
copies, destroyed: 1 1
scaled: 10 20 30 4
the one for integers: 12 22 32 6
the one for reals: 100 100 100 100
copied: 100 100 100 0
moved from: -1
added: 33 43 53 27
applied: 39 49 59 33
partly given: 65 65 65 65
found by its argument: 6 6 6 6
declared first: 3 3 3 3
and a template: 8 8 8 8
by a cast: 10 10 10 10
with its limit: 0
without: 1
*/

// Kernels through pointers: variables, tables, members, parameters, template arguments, casts of
// overloads.
namespace kernel_pointers {

__global__ void add_kernel(int* data, int by) {
  data[threadIdx.x] += by;
}
__global__ void multiply_kernel(int* data, int by) {
  data[threadIdx.x] *= by;
}
__global__ void overloaded_kernel(int* data) {
  data[threadIdx.x] = -1;
}
__global__ void overloaded_kernel(int* data, float by) {
  data[threadIdx.x] = int(by * 10);
}

using Kernel = void (*)(int*, int);

struct Operation {
  const char* name;
  Kernel kernel;
  void run(int* data, int by) const { kernel<<<1, 2>>>(data, by); }
  void run_this(int* data, int by) const { this->kernel<<<1, 2>>>(data, by); }
};

void launch(Kernel kernel, int* data, int by) {
  kernel<<<1, 2>>>(data, by);
}
void launch_reference(void (&kernel)(int*, int), int* data, int by) {
  kernel<<<1, 2>>>(data, by);
}
template <Kernel kKernel>
void launch_constant(int* data, int by) {
  kKernel<<<1, 2>>>(data, by);
}

PART(kernel_pointers) {
  DeviceArray<int> array({1, 2});
  int* data = array.data();
  Kernel table[] = {add_kernel, &multiply_kernel};
  for (Kernel kernel : table) kernel<<<1, 2>>>(data, 3);
  table[1]<<<1, 2>>>(data, 2);
  (*table[0])<<<1, 2>>>(data, 100);
  (table[0])<<<1, 2>>>(data, 1000);
  show("table", array.host());
  const Operation operations[] = {{"add", add_kernel}, {"multiply", multiply_kernel}};
  const Operation* second = &operations[1];
  operations[0].kernel<<<1, 2>>>(data, -1101);
  second->kernel<<<1, 2>>>(data, 5);
  operations[0].run(data, 7);
  second->run_this(data, 2);
  show("members", array.host());
  launch(add_kernel, data, -100);
  launch_reference(multiply_kernel, data, -1);
  launch_constant<add_kernel>(data, 1);
  (data != nullptr ? add_kernel : multiply_kernel)<<<1, 2>>>(data, 50);
  show("parameters", array.host());
  const auto overload = static_cast<void (*)(int*, float)>(overloaded_kernel);
  overload<<<1, 1>>>(data, 1.25f);
  overloaded_kernel<<<1, 1>>>(data + 1);
  show("overloads", array.host());
}

}  // namespace kernel_pointers

/* Prints:
table: 1124 1130
members: 244 304
parameters: -93 -153
overloads: 12 -1
*/

// A macro that runs a launch and tells it as text, as checked calls do.
namespace launch_as_text {

__device__ int runs;

template <int kAdd>
__global__ void count() {
  atomicAdd(&runs, kAdd);
}

#define TOLD(...) (__VA_ARGS__, "told: " #__VA_ARGS__)
#define AS_TEXT(x) #x

PART(launch_as_text) {
  std::puts(TOLD(count<1><<<1, 2>>>()));
  const dim3 grid(2);
  std::puts(TOLD(count<10><<<grid, dim3(3, 1), 0>>>()));
  std::puts(AS_TEXT(no launch));
  CHECK(cudaDeviceSynchronize());
  int result = 0;
  CHECK(cudaMemcpyFromSymbol(&result, runs, sizeof result));
  std::printf("%d\n", result);
}

}  // namespace launch_as_text

/* Prints:
told: count<1><<<1, 2>>>()
told: count<10><<<grid, dim3(3, 1), 0>>>()
no launch
62
*/

// All forms of the configuration: one to four items, braces, calls with commas, expressions with
// shifts.
namespace launch_configurations {

__global__ void count_kernel(int* out) {
  atomicAdd(out, 1);
}

struct Plan {
  dim3 grid, block;
  dim3 rows() const { return dim3(block.x, 1); }
};

template <class A, class B>
constexpr int added(A a, B b) {
  return a + b;
}

PART(launch_configurations) {
  DeviceArray<int> out(1);
  int* count = out.data();
  const auto show_count = [&](const char* name) {
    show(name, out.host()[0]);
    CHECK(cudaMemset(count, 0, sizeof(int)));
  };
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const Plan plan = {dim3(2, 3), dim3(4, 2, 2)};
  count_kernel<<<5, 6>>>(count);
  show_count("integers");
  count_kernel<<<5, 6, 0>>>(count);
  show_count("shared size");
  count_kernel<<<5u, 6ul, 0, stream>>>(count);
  CHECK(cudaStreamSynchronize(stream));
  show_count("stream");
  count_kernel<<<{2, 2}, {3, 1, 2}>>>(count);
  show_count("braces");
  count_kernel<<<dim3(3, 3), dim3{2, 2}>>>(count);
  show_count("dim3");
  count_kernel<<<plan.grid, plan.block>>>(count);
  show_count("members");
  count_kernel<<<plan.grid.x << 2, plan.rows()>>>(count);
  show_count("shift and call");
  // clang-format off
  count_kernel<<<((void)plan, 3), 128 >> 1>>>(count);
  // clang-format on
  show_count("comma operator");
  count_kernel<<<added<int, int>(1, 2), (5 > 4) ? 8 : 9, sizeof(int) * added(1, 1), nullptr>>>(
      count);
  show_count("template call");
  count_kernel<<<uint3{2, 1, 1}, make_uint3(3, 1, 1)>>>(count);
  show_count("uint3");
  count_kernel<<<[] { return 4; }(), 2>>>(count);
  show_count("lambda");
  CHECK(cudaStreamDestroy(stream));
}

}  // namespace launch_configurations

/* Prints:
integers: 30
shared size: 30
stream: 30
braces: 24
dim3: 36
members: 96
shift and call: 32
comma operator: 192
template call: 24
uint3: 6
lambda: 8
*/

// Launches that come out of macros: object-like, with parameters, variadic, nested, over several
// lines.
namespace launch_in_macro {

__global__ void add_kernel(int* data, int by) {
  data[threadIdx.x] += by;
}
template <class T, int kTimes>
__global__ void scale_kernel(T* data) {
  data[threadIdx.x] *= kTimes;
}

// clang-format off
#define ADD_ONE add_kernel<<<1, 4>>>(array.data(), 1)
#define LAUNCH(kernel, threads, ...) kernel<<<1, threads>>>(__VA_ARGS__)
#define LAUNCH_TEMPLATE(kernel, blocks, threads, ...) \
  do {                                                \
    kernel<<<blocks,                                  \
             threads>>>(__VA_ARGS__);                 \
    CHECK_LAUNCH();                                   \
  } while (0)
#define CONFIGURATION 1, 4
#define ARGUMENTS (array.data(), 1000)
#define WITH_ARGUMENTS add_kernel<<<CONFIGURATION>>> ARGUMENTS
#define TWICE(statement) statement; statement
// clang-format on
#define NAME(stem) stem##_kernel

PART(launch_in_macro) {
  DeviceArray<int> array({1, 2, 3, 4});
  ADD_ONE;
  show("object-like", array.host());
  LAUNCH(add_kernel, 2, array.data(), 10);
  show("variadic", array.host());
  LAUNCH_TEMPLATE((scale_kernel<int, 2>), 1, 4, array.data());
  show("template in a macro", array.host());
  WITH_ARGUMENTS;
  show("configuration from a macro", array.host());
  TWICE(ADD_ONE);
  show("twice", array.host());
  NAME(add)<<<CONFIGURATION>>>(array.data(), -1000);
  show("pasted name", array.host());
}

}  // namespace launch_in_macro

/* Prints:
object-like: 2 3 4 5
variadic: 12 13 4 5
template in a macro: 24 26 8 10
configuration from a macro: 1024 1026 1008 1010
twice: 1026 1028 1010 1012
pasted name: 26 28 10 12
*/

// Launches inside function and class templates, generic lambdas, constructors, and as a
// sub-statement.
namespace launch_in_template {

template <class T>
__global__ void add_kernel(T* data, T by) {
  data[threadIdx.x] += by;
}

template <class T, int kThreads>
void add(T* data, T by) {
  add_kernel<T><<<1, kThreads>>>(data, by);
  add_kernel<<<1, kThreads>>>(data, T(1));
}

template <class T>
class Adder {
 public:
  explicit Adder(T* data) : data_(data) { add_kernel<<<1, 2>>>(data_, T(100)); }
  template <int kThreads>
  void run(T by) {
    add_kernel<T><<<dim3(1), dim3(kThreads), 0, stream_>>>(data_, by);
  }
  ~Adder() { add_kernel<<<1, 1>>>(data_, T(1000)); }

 private:
  T* data_;
  cudaStream_t stream_ = 0;
};

template <class... T>
void add_each(T*... data) {
  (add_kernel<<<1, 2>>>(data, T(7)), ...);
}

bool launched(int* data) {
  return add_kernel<<<1, 2>>>(data, 3), cudaGetLastError() == cudaSuccess;
}

PART(launch_in_template) {
  DeviceArray<int> ints({0, 0});
  DeviceArray<float> floats({0.5f, 0.5f});
  add<int, 2>(ints.data(), 10);
  add<float, 1>(floats.data(), 10.0f);
  show("functions", ints.host());
  show("functions", floats.host());
  {
    Adder<int> adder(ints.data());
    adder.run<1>(20);
  }
  show("class", ints.host());
  add_each(ints.data(), floats.data());
  show("fold", ints.host());
  show("fold", floats.host());
  auto generic = [](auto* data, auto threads) {
    using T = std::decay_t<decltype(*data)>;
    if (threads > 1)
      add_kernel<<<1, threads>>>(data, T(2));
    else
      add_kernel<<<1, threads>>>(data, T(5));
    for (int i = 0; i < 2; ++i) add_kernel<<<1, threads>>>(data, T(10));
  };
  generic(ints.data(), 1);
  generic(floats.data(), 2);
  show("generic lambda", ints.host());
  show("generic lambda", floats.host());
  show("comma", launched(ints.data()));
  show("comma", ints.host());
}

}  // namespace launch_in_template

/* Prints:
functions: 11 11
functions: 11.5 0.5
class: 1131 111
fold: 1138 118
fold: 18.5 7.5
generic lambda: 1163 118
generic lambda: 40.5 29.5
comma: 1
comma: 1166 121
*/

// Launches over several lines, with comments inside, line continuations and odd spacing.
namespace launch_layouts {

__global__ void add_kernel(int* data, int by) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

// clang-format off
PART(launch_layouts) {
  DeviceArray<int> array({0, 0, 0, 0});
  int* data = array.data();
  add_kernel
      <<<
          2,
          2
      >>>
      (
          data,
          1
      );
  show("lines", array.host());
  add_kernel /* <<<8, 8>>> */ <<< /* blocks */ 2, // threads >>> (
                                  2 >>> /* now the arguments */ (data, 10);
  show("comments", array.host());
  add_kernel<<<1, \
               4>>>(data, \
                    100);
  show("continued lines", array.host());
  add_kernel<<<1,4>>>(data,1000);add_kernel<<<1,2>>>(data,1);
  show("one line", array.host());
  add_kernel	<<< 1 ,	1 >>>	( data , 5 ) ;
  show("tabs", array.host());
  if (data) add_kernel<<<1, 1>>>(data, 2); else add_kernel<<<1, 4>>>(data, 7);
  show("one branch", array.host());
  switch (4) { case 4: add_kernel<<<1, 4>>>(data, -1); break; default: add_kernel<<<1, 4>>>(data, 9); }
  show("switch", array.host());
  add_ker\
nel<<\
<1, 4>\
>>(data, -1000);
  show("split tokens", array.host());
}

}  // namespace launch_layouts

/* Prints:
lines: 1 1 1 1
comments: 11 11 11 11
continued lines: 111 111 111 111
one line: 1112 1112 1111 1111
tabs: 1117 1112 1111 1111
one branch: 1119 1112 1111 1111
switch: 1118 1111 1110 1110
split tokens: 118 111 110 110
*/

// Text that only looks like a launch: strings, raw strings, characters, shifts, comments; digit
// separators.
namespace launch_lookalikes {

__global__ void set_kernel(int* out, int value) {
  *out = value;
}

// A comment with set_kernel<<<1, 1>>>(out, 1); and an apostrophe: don't.
/* And one with
   set_kernel<<<1, 1>>>(out, 2); " ' */

// clang-format off
PART(launch_lookalikes) {
  DeviceArray<int> out(1);
  std::printf("%s\n", "set_kernel<<<1, 1>>>(out, 3);");
  std::printf("%s\n", "a \"quoted <<<\" and a backslash \\");
  std::printf("%s\n", R"(raw <<<1, 1>>>(x) "with quotes" and \ ends)");
  std::printf("%s\n", R"x(raw )" still <<< raw >>>)x");
  std::printf("%s", R"(two
lines // not a comment
)");
  std::printf("%s\n", u8R"--(prefixed )-)" <<<)--");
  std::printf("%s\n", (std::string("adja") + "cent" "<<<" ">>>").c_str());
  std::printf("%c%c%c%c\n", '<', '\'', '"', '\\');
  set_kernel<<<1, 1'0 - 9>>>(out.data(), 1'000'000 + 0x1'F + 0b1'0 + '1');
  show("separators", out.host());
  int x = 1'0;
  x <<= 2; x = x << 3 << 1; x >>= 1; x = 4096 >> (x >> 5 > 1);
  show("shifts", x);
  const bool less = 3 <(2<<1), more = 2>(9>>3);
  show("comparisons", less, more);
  /* set_kernel<<<1, 1>>>(out.data(), 4); */ set_kernel<<<1, 1>>>(out.data(), 5); // set_kernel<<<1, 1>>>(out.data(), 6);
  show("comments", out.host());
  // a comment that goes on \
  set_kernel<<<1, 1>>>(out.data(), 7);
  show("continued comment", out.host());
}

}  // namespace launch_lookalikes

/* Prints:
set_kernel<<<1, 1>>>(out, 3);
a "quoted <<<" and a backslash \
raw <<<1, 1>>>(x) "with quotes" and \ ends
raw )" still <<< raw >>>
two
lines // not a comment
prefixed )-)" <<<
adjacent<<<>>>
<'"\
separators: 1000082
shifts: 2048
comparisons: 1 1
comments: 5
continued comment: 5
*/

// Structs as arguments: by value, with padding and over-alignment, nested arrays, near the size
// limit.
namespace struct_arguments {

struct Mixed {
  char tag;
  double real;
  short small;
  float3 point;
  int numbers[3];
};
struct alignas(32) Aligned {
  float4 a, b;
};
struct Big {
  int values[960];
};

__global__ void mixed_kernel(char first, Mixed mixed, short second, Aligned aligned, char last,
                             double* out) {
  out[0] = first + second + last;
  out[1] = mixed.tag + mixed.real + mixed.small;
  out[2] = mixed.point.x + mixed.point.y + mixed.point.z;
  out[3] = mixed.numbers[0] + mixed.numbers[1] + mixed.numbers[2];
  out[4] = aligned.a.x + aligned.a.w + aligned.b.x + aligned.b.w;
  mixed.real = 0;  // a copy: the caller's stays
}

__global__ void big_kernel(Big big, int* out) {
  big.values[threadIdx.x] += 1;  // a copy for each thread
  int sum = 0;
  for (int value : big.values) sum += value;
  out[threadIdx.x] = sum;
}

PART(struct_arguments) {
  DeviceArray<double> out(5);
  DeviceArray<int> sums(3);
  Mixed mixed = {'\1', 0.5, -3, {1.0f, 2.0f, 4.5f}, {10, 20, 30}};
  Aligned aligned = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  mixed_kernel<<<1, 1>>>('\2', mixed, 300, aligned, '\3', out.data());
  mixed.real = 100;  // after the launch: too late to count
  show("mixed", out.host());
  show("kept", mixed.real);
  Big big;
  for (int i = 0; i < 960; ++i) big.values[i] = i;
  big_kernel<<<1, 3>>>(big, sums.data());
  big = {};
  show("big", sums.host());
}

}  // namespace struct_arguments

/* Prints:
mixed: 305 -1.5 7.5 60 18
kept: 100
big: 460321 460321 460321
*/

// Launches of templates: deduced arguments, commas, `>>` and comparisons within the template
// arguments.
namespace template_launches {

template <class A, class B>
struct Pair {
  A first;
  B second;
};
template <class T>
struct Box {
  T value;
};

template <class T>
__global__ void set_kernel(T* out, T value) {
  *out = value;
}
template <class T>
__global__ void size_kernel(int* out) {
  *out = sizeof(T);
}
template <int kA, int kB = 7>
__global__ void numbers_kernel(int* out) {
  *out = 100 * kA + kB;
}
template <bool kYes, class... T>
__global__ void pack_kernel(int* out) {
  *out = kYes ? int(sizeof...(T)) : -1;
}
template <template <class> class C, class T>
__global__ void template_template_kernel(int* out) {
  *out = sizeof(C<T>);
}

PART(template_launches) {
  DeviceArray<int> out(1);
  DeviceArray<double> real(1);
  const auto result = [&] { return out.host()[0]; };
  set_kernel<<<1, 1>>>(out.data(), 11);
  show("deduced", result());
  set_kernel<double><<<1, 1>>>(real.data(), 3);
  show("given", real.host());
  size_kernel<Pair<char, Box<double>>><<<1, 1>>>(out.data());
  show("nested", result());
  size_kernel<Pair<Box<Box<short>>, Pair<int, int>>><<<1, 1>>>(out.data());
  show("deeper", result());
  numbers_kernel<3, 4><<<1, 1>>>(out.data());
  show("two numbers", result());
  numbers_kernel<(5 > 4 ? 6 : 1)><<<1, 1>>>(out.data());
  show("comparison", result());
  numbers_kernel<(64 >> 3), sizeof(int)><<<dim3(1, 1), dim3(1, 1)>>>(out.data());
  show("shift", result());
  pack_kernel<true, int, float, Pair<int, int>><<<1, 1>>>(out.data());
  show("pack", result());
  pack_kernel<(1 < 0)><<<1, 1>>>(out.data());
  show("empty pack", result());
  template_template_kernel<Box, long long><<<1, 1>>>(out.data());
  show("template template", result());
}

}  // namespace template_launches

/* Prints:
deduced: 11
given: 3
nested: 16
deeper: 12
two numbers: 304
comparison: 607
shift: 804
pack: 3
empty pack: -1
template template: 8
*/

// Template arguments that are constants of the function around, in lambdas, too, with all or some
// of the kernel's arguments named; a host function of the kernel's name.
namespace launches_with_local_constants {

template <int kFactor, int kOffset>
__global__ void scale_kernel(int* x) {
  x[threadIdx.x] = kFactor * x[threadIdx.x] + kOffset;
}

template <int kFactor, class T, class U>
__global__ void add_kernel(T* x, U value) {
  x[threadIdx.x] += kFactor * value;
}

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}

void fill() {
  DeviceArray<int> x(2);
  fill<<<1, 2>>>(x.data(), 5);
  CHECK_LAUNCH();
  show("filled", x.host());
}

template <class Work>
void repeat(int times, const Work& work) {
  for (int i = 0; i < times; ++i) work();
}

template <class T>
void run_both(T* data) {
  const int factor = 3;
  constexpr int offset = 1;
  scale_kernel<factor, offset><<<1, 2>>>(data);
  add_kernel<factor><<<1, 2>>>(data, 2.0);
}

PART(launches_with_local_constants) {
  const int factor = 2, offset = 1;
  DeviceArray<int> x({1, 2});
  int* const d_x = x.data();
  repeat(3, [&] {
    const dim3 block(2);
    scale_kernel<factor, offset><<<1, block>>>(d_x);
  });
  show("scaled", x.host());
  repeat(2, [&] { add_kernel<factor><<<1, 2>>>(d_x, 10); });
  show("added", x.host());
  run_both(d_x);
  show("both", x.host());
  fill();
}

}  // namespace launches_with_local_constants

/* Prints:
scaled: 15 23
added: 55 63
both: 172 196
filled: 5 5
*/
