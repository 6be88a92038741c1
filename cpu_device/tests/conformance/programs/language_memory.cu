// SPDX-License-Identifier: MIT
// Variables of every memory space, and vector types.
#include <cstdint>

#include "../check.h"
#include "../parts.h"

// __constant__ arrays, scalars and structs, with and without an initialiser, written by the host.
namespace constant_memory {

struct Line {
  float slope;
  float offset;
};

__constant__ float weights[4];
__constant__ int primes[] = {2, 3, 5, 7};
__constant__ Line line = {2.0f, 1.0f};
__constant__ int scale;

__global__ void apply_kernel(float* out) {
  const int i = threadIdx.x;
  out[i] = weights[i] * primes[i] + line.slope * i + line.offset + scale;
}

PART(constant_memory) {
  const float host[4] = {0.5f, 1.0f, 1.5f, 2.0f};
  const int hundred = 100;
  CHECK(cudaMemcpyToSymbol(weights, host, sizeof(host)));
  CHECK(cudaMemcpyToSymbol(scale, &hundred, sizeof(int)));
  DeviceArray<float> out(4);
  apply_kernel<<<1, 4>>>(out.data());
  CHECK_LAUNCH();
  show("first", out.host());
  const Line other = {-1.0f, 0.25f};
  const float last = 8.0f;
  CHECK(cudaMemcpyToSymbol(line, &other, sizeof(other)));
  CHECK(cudaMemcpyToSymbol(weights, &last, sizeof(float), 3 * sizeof(float)));
  apply_kernel<<<1, 4>>>(out.data());
  CHECK_LAUNCH();
  show("second", out.host());
}

}  // namespace constant_memory

/* Prints:
first: 102 106 112.5 121
second: 101.25 102.25 105.75 153.25
*/

// __device__ variables keep their value from kernel to kernel and are read and written by the host.
namespace device_variables {

__device__ int counter = 5;
__device__ float table[3] = {1.5f, 2.5f, 3.5f};
static __device__ unsigned long long total;
namespace inner {
__device__ int hidden = 40;
}

__device__ int bump(int by) {
  return atomicAdd(&counter, by);
}

__global__ void count_kernel() {
  bump(1);
  atomicAdd(&total, 1ull << 32);
  if (blockIdx.x != 0) return;  // the rest is no atomic
  if (threadIdx.x < 3) table[threadIdx.x] *= 2.0f;
  if (threadIdx.x == 0) inner::hidden += 2;
}

PART(device_variables) {
  count_kernel<<<1, 32>>>();
  count_kernel<<<1, 64>>>();
  CHECK_LAUNCH();
  int count = 0, hidden = 0;
  float values[3] = {};
  unsigned long long sum = 0;
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)));
  CHECK(cudaMemcpyFromSymbol(values, table, sizeof(values)));
  CHECK(cudaMemcpyFromSymbol(&sum, total, sizeof(sum)));
  CHECK(cudaMemcpyFromSymbol(&hidden, inner::hidden, sizeof(hidden)));
  show("counter", count);
  show("table", values[0], values[1], values[2]);
  show("total", sum);
  show("hidden", hidden);
  const int restart = -7;
  CHECK(cudaMemcpyToSymbol(counter, &restart, sizeof(restart)));
  count_kernel<<<2, 8>>>();
  CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)));
  show("counter", count);
}

}  // namespace device_variables

/* Prints:
counter: 101
table: 6 10 14
total: 412316860416
hidden: 44
counter: 9
*/

// Dynamic shared memory of a template parameter's type, by the usual way of raw bytes.
namespace dynamic_shared_in_template {

template <class T>
__device__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char raw_shared[];
  return reinterpret_cast<T*>(raw_shared);
}

template <class T>
__global__ void prefix_kernel(T* data) {
  T* values = dynamic_shared<T>();
  values[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  T sum = 0;
  for (unsigned i = 0; i <= threadIdx.x; ++i) sum += values[i];
  data[threadIdx.x] = sum;
}

template <class T>
void run(const char* name, std::vector<T> values) {
  DeviceArray<T> data(values);
  prefix_kernel<<<1, values.size(), values.size() * sizeof(T)>>>(data.data());
  CHECK_LAUNCH();
  show(name, data.host());
}

PART(dynamic_shared_in_template) {
  run<int>("int", {1, 2, 3, 4, 5});
  run<double>("double", {0.5, 0.25, 0.125});
  run<unsigned long long>("64 bit", {1ull << 33, 1ull << 34});
}

}  // namespace dynamic_shared_in_template

/* Prints:
int: 1 3 6 10 15
double: 0.5 0.75 0.875
64 bit: 8589934592 25769803776
*/

// Several kernels with a dynamic array of one name, of sizes that only the launch knows; one splits
// it.
namespace dynamic_shared_several_kernels {

__global__ void rotate_kernel(int* data, int by) {
  extern __shared__ int buffer[];
  const int n = blockDim.x;
  buffer[threadIdx.x] = data[blockIdx.x * n + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * n + threadIdx.x] = buffer[(threadIdx.x + by) % n];
}

__global__ void split_kernel(const int* data, float* out, int n) {
  extern __shared__ int buffer[];
  int* ints = buffer;
  float* floats = reinterpret_cast<float*>(&ints[n]);
  ints[threadIdx.x] = data[threadIdx.x];
  floats[threadIdx.x] = data[threadIdx.x] / 4.0f;
  __syncthreads();
  const int other = (threadIdx.x + 1) % n;
  out[threadIdx.x] = ints[other] + floats[other];
}

__device__ int sum_of_shared(int n) {
  extern __shared__ int buffer[];
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += buffer[i];
  return sum;
}

__global__ void sum_kernel(const int* data, int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) *out = sum_of_shared(blockDim.x);
}

PART(dynamic_shared_several_kernels) {
  DeviceArray<int> data({0, 1, 2, 3, 4, 5, 6, 7});
  DeviceArray<float> mixed(8);
  DeviceArray<int> sum(1);
  rotate_kernel<<<2, 4, 4 * sizeof(int)>>>(data.data(), 1);
  CHECK_LAUNCH();
  show("rotated", data.host());
  const int n = 8;
  split_kernel<<<1, n, n*(sizeof(int) + sizeof(float))>>>(data.data(), mixed.data(), n);
  CHECK_LAUNCH();
  show("split", mixed.host());
  sum_kernel<<<1, 8, 32>>>(data.data(), sum.data());
  CHECK_LAUNCH();
  show("sum", sum.host());
}

}  // namespace dynamic_shared_several_kernels

/* Prints:
rotated: 1 2 3 0 5 6 7 4
split: 2.5 3.75 0 6.25 7.5 8.75 5 1.25
sum: 28
*/

// `extern __shared__` arrays of several types and spellings, one a kernel; all begin at the same
// place.
namespace dynamic_shared_types {

struct __align__(16) Particle {
  float position[3];
  int id;
};

__global__ void floats_kernel(float* out) {
  extern __shared__ float floats[];
  floats[threadIdx.x] = threadIdx.x * 0.25f;
  __syncthreads();
  out[threadIdx.x] = floats[blockDim.x - 1 - threadIdx.x];
}

__global__ void doubles_kernel(double* out) {
  extern __shared__ double doubles[];
  doubles[threadIdx.x] = threadIdx.x * 0.125;
  __syncthreads();
  out[threadIdx.x] = doubles[blockDim.x - 1 - threadIdx.x];
}

__global__ void bytes_kernel(int* out) {
  extern __shared__ __align__(16) unsigned char bytes[];
  bytes[threadIdx.x] = static_cast<unsigned char>(250 + threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = bytes[blockDim.x - 1 - threadIdx.x];
}

__global__ void particles_kernel(int* out) {
  extern __shared__ Particle particles[];
  particles[threadIdx.x] = {{1.0f, 2.0f, 3.0f}, static_cast<int>(threadIdx.x * threadIdx.x)};
  __syncthreads();
  out[threadIdx.x] = particles[blockDim.x - 1 - threadIdx.x].id;
}

__global__ void ints_kernel(int* out) {
  extern volatile __shared__ int ints[];
  ints[threadIdx.x] = 7 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = ints[blockDim.x - 1 - threadIdx.x];
}

PART(dynamic_shared_types) {
  DeviceArray<float> floats(4);
  DeviceArray<double> doubles(4);
  DeviceArray<int> bytes(8), particles(4), ints(4);
  floats_kernel<<<1, 4, 4 * sizeof(float)>>>(floats.data());
  doubles_kernel<<<1, 4, 4 * sizeof(double)>>>(doubles.data());
  bytes_kernel<<<1, 8, 8>>>(bytes.data());
  particles_kernel<<<1, 4, 4 * sizeof(Particle)>>>(particles.data());
  ints_kernel<<<1, 4, 4 * sizeof(int)>>>(ints.data());
  CHECK_LAUNCH();
  show("floats", floats.host());
  show("doubles", doubles.host());
  show("bytes", bytes.host());
  show("particles", particles.host());
  show("ints", ints.host());
}

}  // namespace dynamic_shared_types

/* Prints:
floats: 0.75 0.5 0.25 0
doubles: 0.375 0.25 0.125 0
bytes: 1 0 255 254 253 252 251 250
particles: 9 4 1 0
ints: 21 14 7 0
*/

// Arrays on a thread's own stack, indexed at run time, some large.
namespace local_arrays {

__global__ void digits_kernel(int* out) {
  int counts[10] = {};
  unsigned long long number = 1;
  for (unsigned i = 0; i <= threadIdx.x; ++i) number *= 7;
  for (; number != 0; number /= 10) ++counts[number % 10];
  int code = 0;
  for (int digit = 9; digit >= 0; --digit) code = code * 3 + counts[digit] % 3;
  out[threadIdx.x] = code;
}

__global__ void large_kernel(int* out) {
  int values[1500];
  for (int i = 0; i < 1500; ++i) values[i] = i * (threadIdx.x + 1);
  int sum = 0;
  for (int i = 0; i < 1500; i += 7) sum += values[(i * 11) % 1500];
  out[threadIdx.x] = sum;
}

PART(local_arrays) {
  DeviceArray<int> digits(4), large(64);
  digits_kernel<<<1, 4>>>(digits.data());
  CHECK_LAUNCH();
  show("digits", digits.host());
  large_kernel<<<1, 64>>>(large.data());
  CHECK_LAUNCH();
  const std::vector<int> sums = large.host();
  int expected = 0;
  for (int i = 0; i < 1500; i += 7) expected += (i * 11) % 1500;
  int wrong = 0;
  for (int t = 0; t < 64; ++t) wrong += sums[t] != expected * (t + 1);
  show("wrong sums", wrong);
}

}  // namespace local_arrays

/* Prints:
digits: 2187 19764 135 94
wrong sums: 0
*/

// __managed__ variables are used by name on both sides.
namespace managed_variables {

__managed__ int shared_count = 3;
__device__ __managed__ double samples[4];

__global__ void update_kernel() {
  atomicAdd(&shared_count, 2);
  samples[threadIdx.x] += threadIdx.x * 0.5;
}

PART(managed_variables) {
  for (int i = 0; i < 4; ++i) samples[i] = 10.0 * i;
  update_kernel<<<1, 4>>>();
  CHECK_LAUNCH();
  show("count", shared_count);
  show("samples", samples[0], samples[1], samples[2], samples[3]);
  shared_count = -8;
  samples[3] = 0;
  update_kernel<<<1, 4>>>();
  CHECK_LAUNCH();
  show("count", shared_count);
  show("samples", samples[0], samples[1], samples[2], samples[3]);
}

}  // namespace managed_variables

/* Prints:
count: 11
samples: 0 10.5 21 31.5
count: 0
samples: 0 11 22 1.5
*/

// To the runtime's calls they are managed memory.
namespace managed_variables_as_memory {

__managed__ int before = 3;
__device__ __managed__ double samples[4];
// Side by side.
__device__ alignas(32) float first[8];
__device__ float second[8];

PART(managed_variables_as_memory) {
  double from[4] = {1, 2, 3, 4}, to[4] = {};
  DeviceArray<double> device(4);
  CHECK(cudaMemcpy(samples, from, sizeof from, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device.data(), samples, sizeof from, cudaMemcpyDeviceToDevice));
  show("there", device.host());
  CHECK(cudaMemset(samples + 1, 0, sizeof(double)));
  CHECK(cudaMemcpyFromSymbol(to, samples, sizeof to));
  show("and back", to[0], to[1], to[2], to[3]);
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, samples));
  CHECK(
      cudaMemcpy(static_cast<double*>(address) + 2, from, sizeof(double), cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  show("by its address", samples[2]);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, samples + 1));
  show("kind", attributes.type == cudaMemoryTypeManaged, before);
  const float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float back[2] = {};
  CHECK(cudaMemcpyToSymbol(second, numbers, sizeof numbers));
  CHECK(cudaMemcpyToSymbol(first, numbers + 4, 4 * sizeof(float)));
  CHECK(cudaMemcpyFromSymbol(back, first, sizeof(float)));
  CHECK(cudaMemcpyFromSymbol(back + 1, second, sizeof(float)));
  show("side by side", back[0], back[1]);
}

}  // namespace managed_variables_as_memory

/* Prints:
there: 1 2 3 4
and back: 1 0 3 4
by its address: 1
kind: 1 3
side by side: 5 1
*/

// Alignment and other attributes of shared memory: before and behind `__shared__`, of variables and
// of members.
namespace shared_alignment {

struct alignas(32) Row {
  float values[3];
};
struct Mixed {
  char tag;
  alignas(16) float values[4];
  __align__(8) char end;
};

#define TILE(name) __shared__ alignas(64) float name[8]

template <class T, int count>
__device__ unsigned alignment(const T (&array)[count]) {
  unsigned bytes = 1;
  while (bytes < 16 && reinterpret_cast<uintptr_t>(array) % (2 * bytes) == 0) bytes *= 2;
  return bytes;
}

template <class Vector>
__global__ void vectors_kernel(const float* in, float* out) {
  __shared__ char before;
  __shared__ alignas(Vector) float tile[16];
  before = 1;
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 16 * sizeof(float) / sizeof(Vector)) {
    reinterpret_cast<Vector*>(out)[threadIdx.x] = reinterpret_cast<Vector*>(tile)[threadIdx.x];
  }
}

__global__ void places_kernel(unsigned* out) {
  __shared__ char byte;
  __shared__ alignas(16) char behind[3];
  alignas(16) __shared__ char first[3];
  __shared__ __align__(16) char gnu[3];
  __shared__ alignas(8) alignas(16) char twice[3];
  __shared__ [[maybe_unused]] char unused[3];
  __shared__ alignas(16) char lines[3];
  __shared__ Row rows[2];
  __shared__ alignas(16) Mixed mixed[2];
  TILE(in_macro);
  if (threadIdx.x != 0) return;
  byte = 1;
  out[0] = alignment(behind) >= 16;
  out[1] = alignment(first) >= 16;
  out[2] = alignment(gnu) >= 16;
  out[3] = alignment(twice) >= 16;
  out[4] = alignment(lines) >= 16;
  out[5] = alignment(rows) >= 16;
  out[6] = alignment(mixed) >= 16;
  out[7] = alignment(mixed[1].values) >= 16;
  out[8] = alignment(in_macro) >= 16;
  out[9] = sizeof(Row);
  out[10] = sizeof(Mixed) + byte;
}

PART(shared_alignment) {
  std::vector<float> values(16);
  for (int i = 0; i < 16; ++i) values[i] = i;
  DeviceArray<float> in(values), out(16);
  vectors_kernel<float4><<<1, 16>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("by four", double(out.host()[0]), double(out.host()[15]));
  vectors_kernel<float2><<<1, 16>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("by two", double(out.host()[1]), double(out.host()[14]));
  DeviceArray<unsigned> places(11);
  places_kernel<<<1, 32>>>(places.data());
  CHECK_LAUNCH();
  show("places", places.host());
}

}  // namespace shared_alignment

/* Prints:
by four: 0 15
by two: 1 14
places: 1 1 1 1 1 1 1 1 1 32 49
*/

// Shared arrays of two and three dimensions, structs and unions, in nested scopes and device
// functions.
namespace shared_shapes {

struct Cell {
  short row, column;
};
union Bits {
  float real;
  unsigned bits;
};

__device__ int exchange(int value, int partner) {
  __shared__ int slots[16];
  slots[threadIdx.x] = value;
  __syncthreads();
  const int got = slots[partner];
  __syncthreads();
  return got;
}

__global__ void shapes_kernel(int* out) {
  __shared__ int plane[4][4 + 1];
  __shared__ unsigned char cube[2][2][4];
  __shared__ Cell cells[16];
  __shared__ Bits bits;
  const int i = threadIdx.x, row = i / 4, column = i % 4;
  plane[row][column] = i;
  cube[i / 8][i / 4 % 2][i % 4] = 2 * i;
  cells[i] = {static_cast<short>(row), static_cast<short>(column)};
  if (i == 0) bits.real = 1.0f;
  __syncthreads();
  const int(*rows)[5] = plane;
  const Cell other = cells[15 - i];
  int value = rows[column][row] + 100 * cube[column / 2][column % 2][row] + 10000 * other.row;
  {
    __shared__ int plane[16];  // another array of this name
    plane[i] = bits.bits >> 23;
    __syncthreads();
    value += 100000 * (plane[15 - i] - 126);
  }
  out[i] = value + 1000000 * exchange(other.column, (i + 1) % 16);
}

PART(shared_shapes) {
  DeviceArray<int> out(16);
  shapes_kernel<<<1, 16>>>(out.data());
  CHECK_LAUNCH();
  show("values", out.host());
}

}  // namespace shared_shapes

/* Prints:
values: 2130000 1130804 131608 3132412 2120201 1121005 121809 3122613 2110402 1111206 112010 3112814 2100603 1101407 102211 3103015
*/

// The ways in which shared arrays are written in existing code: `static`, `volatile`, alignment,
// several names in one declaration, an array at file scope.
namespace shared_spellings {

__shared__ int file_scope[4];

__global__ void spellings_kernel(int* out) {
  static __shared__ int with_static[4];
  volatile __shared__ int volatile_first[4];
  __shared__ volatile int volatile_last[4];
  __align__(16) __shared__ int aligned_first[4];
  __shared__ __align__(32) int aligned_last[4];
  __shared__ int one[4], other[4], alone;
  const int i = threadIdx.x;
  file_scope[i] = i;
  with_static[i] = 10 + i;
  volatile_first[i] = 20 + i;
  volatile_last[i] = 30 + i;
  aligned_first[i] = 40 + i;
  aligned_last[i] = 50 + i;
  one[i] = 60 + i;
  other[i] = 70 + i;
  if (i == 0) alone = 1000;
  __syncthreads();
  const int j = 3 - i;
  out[i] = file_scope[j] + with_static[j] + volatile_first[j] + volatile_last[j] +
           aligned_first[j] + aligned_last[j] + one[j] + other[j] + alone;
  if (i == 0) {
    out[4] = reinterpret_cast<unsigned long long>(&aligned_first[0]) % 16 == 0;
    out[5] = reinterpret_cast<unsigned long long>(&aligned_last[0]) % 32 == 0;
  }
}

PART(shared_spellings) {
  DeviceArray<int> out(6);
  spellings_kernel<<<1, 4>>>(out.data());
  CHECK_LAUNCH();
  show("sums, aligned", out.host());
}

}  // namespace shared_spellings

/* Prints:
sums, aligned: 1304 1296 1288 1280 1 1
*/

// Static shared arrays whose type and size are template parameters: each instantiation has its own.
namespace static_shared_in_template {

template <class T, int N>
__global__ void reverse_kernel(T* data) {
  __shared__ T tile[N];
  const int i = threadIdx.x;
  tile[i] = data[i];
  __syncthreads();
  data[i] = tile[N - 1 - i];
}

template <class T, int N>
void run(const char* name, T step) {
  std::vector<T> values(N);
  for (int i = 0; i < N; ++i) values[i] = T(i * step);
  DeviceArray<T> data(values);
  reverse_kernel<T, N><<<1, N>>>(data.data());
  CHECK_LAUNCH();
  show(name, data.host());
}

PART(static_shared_in_template) {
  run<int, 8>("int", 3);
  run<double, 4>("double", 0.5);
  run<unsigned char, 5>("bytes", 10);
  run<long long, 3>("long long", 1LL << 40);
}

}  // namespace static_shared_in_template

/* Prints:
int: 21 18 15 12 9 6 3 0
double: 1.5 1 0.5 0
bytes: 40 30 20 10 0
long long: 2199023255552 1099511627776 0
*/

// Size and alignment of the vector types, on both sides.
namespace vector_layout {

template <class T>
__global__ void layout_kernel(int* out) {
  struct Padded {
    char first;
    T value;
  };
  out[0] = sizeof(T);
  out[1] = alignof(T);
  out[2] = sizeof(Padded);
}

template <class T>
void layout(const char* name) {
  DeviceArray<int> out(3);
  layout_kernel<T><<<1, 1>>>(out.data());
  const std::vector<int> device = out.host();
  show(name, int(sizeof(T)), int(alignof(T)), device[2]);
  if (device[0] != sizeof(T) || device[1] != alignof(T)) std::printf("device and host differ\n");
}
#define LAYOUT(type) layout<type>(#type)

PART(vector_layout) {
  LAYOUT(char1), LAYOUT(char2), LAYOUT(char3), LAYOUT(char4);
  LAYOUT(uchar1), LAYOUT(uchar2), LAYOUT(uchar3), LAYOUT(uchar4);
  LAYOUT(short1), LAYOUT(short2), LAYOUT(short3), LAYOUT(short4);
  LAYOUT(ushort1), LAYOUT(ushort2), LAYOUT(ushort3), LAYOUT(ushort4);
  LAYOUT(int1), LAYOUT(int2), LAYOUT(int3), LAYOUT(int4);
  LAYOUT(uint1), LAYOUT(uint2), LAYOUT(uint3), LAYOUT(uint4);
  LAYOUT(long1), LAYOUT(long2), LAYOUT(long3), LAYOUT(ulong1), LAYOUT(ulong2), LAYOUT(ulong3);
  LAYOUT(longlong1), LAYOUT(longlong2), LAYOUT(longlong3);
  LAYOUT(ulonglong1), LAYOUT(ulonglong2), LAYOUT(ulonglong3);
  LAYOUT(float1), LAYOUT(float2), LAYOUT(float3), LAYOUT(float4);
  LAYOUT(double1), LAYOUT(double2), LAYOUT(double3), LAYOUT(dim3);
}

}  // namespace vector_layout

/* Prints:
char1: 1 1 2
char2: 2 2 4
char3: 3 1 4
char4: 4 4 8
uchar1: 1 1 2
uchar2: 2 2 4
uchar3: 3 1 4
uchar4: 4 4 8
short1: 2 2 4
short2: 4 4 8
short3: 6 2 8
short4: 8 8 16
ushort1: 2 2 4
ushort2: 4 4 8
ushort3: 6 2 8
ushort4: 8 8 16
int1: 4 4 8
int2: 8 8 16
int3: 12 4 16
int4: 16 16 32
uint1: 4 4 8
uint2: 8 8 16
uint3: 12 4 16
uint4: 16 16 32
long1: 8 8 16
long2: 16 16 32
long3: 24 8 32
ulong1: 8 8 16
ulong2: 16 16 32
ulong3: 24 8 32
longlong1: 8 8 16
longlong2: 16 16 32
longlong3: 24 8 32
ulonglong1: 8 8 16
ulonglong2: 16 16 32
ulonglong3: 24 8 32
float1: 4 4 8
float2: 8 8 16
float3: 12 4 16
float4: 16 16 32
double1: 8 8 16
double2: 16 16 32
double3: 24 8 32
dim3: 12 4 16
*/

// make_* functions, members, copies, and loads of four elements at once.
namespace vector_values {

__device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void add_kernel(const float* a, const float* b, float* sum) {
  const float4* a4 = reinterpret_cast<const float4*>(a);
  const float4 b4 = reinterpret_cast<const float4*>(b)[threadIdx.x];
  reinterpret_cast<float4*>(sum)[threadIdx.x] = a4[threadIdx.x] + b4;
}

__global__ void members_kernel(int* out) {
  int2 pair = make_int2(1, 2);
  uchar4 bytes = make_uchar4(250, 251, 252, 253);
  short3 shorts = make_short3(-1, -2, -3);
  ulonglong2 wide = make_ulonglong2(1ull << 40, 3);
  double3 reals{0.5, 1.5, 2.5};
  longlong1 one = make_longlong1(-9);
  pair.x += bytes.w;
  bytes.x += 10;
  out[0] = pair.x;
  out[1] = bytes.x;
  out[2] = shorts.x + shorts.y + shorts.z;
  out[3] = static_cast<int>(wide.x >> 38) + static_cast<int>(wide.y);
  out[4] = static_cast<int>(reals.x + reals.y + reals.z);
  out[5] = static_cast<int>(one.x);
  const int4 copy = *reinterpret_cast<int4*>(out);
  out[6] = copy.x + copy.y + copy.z + copy.w;
}

PART(vector_values) {
  DeviceArray<float> a({1, 2, 3, 4, 5, 6, 7, 8}), b({10, 20, 30, 40, 50, 60, 70, 80}), sum(8);
  add_kernel<<<1, 2>>>(a.data(), b.data(), sum.data());
  CHECK_LAUNCH();
  show("sum", sum.host());
  DeviceArray<int> out(7);
  members_kernel<<<1, 1>>>(out.data());
  CHECK_LAUNCH();
  show("members", out.host());
  const uint3 host = make_uint3(1, 2, 3);
  const dim3 from = host;
  show("host", host.x, host.y, host.z, from.x, from.y, from.z);
}

}  // namespace vector_values

/* Prints:
sum: 11 22 33 44 55 66 77 88
members: 254 4 -6 7 4 -9 259
host: 1 2 3 1 2 3
*/
