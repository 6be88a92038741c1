// SPDX-License-Identifier: MIT
// Global memory and streams.
#include <cstring>

#include "../check.h"
#include "../parts.h"

// Shared memory that memcpy() and memset() write: sizes that are constants, and sizes
// that are known to be small.
namespace copies_by_calls {

template <int bytes>
__global__ void constant_kernel(const char* in, char* out) {
  __shared__ char copied[64 * bytes], set[64 * bytes];
  memcpy(copied + threadIdx.x * bytes, in + threadIdx.x * bytes, bytes);
  memset(set + threadIdx.x * bytes, 'x', bytes);
  __syncthreads();
  const int first = (63 - threadIdx.x) * bytes;
  for (int i = 0; i < bytes; ++i) {
    const bool right = copied[first + i] == in[first + i] && set[first + i] == 'x';
    out[first + i] = right ? '+' : '-';
  }
}

__global__ void small_kernel(const int* in, int* out, int most) {
  __shared__ int copied[64], set[64], all[64];
  const int bytes = most < 4 ? most : 4;
  memcpy(copied + threadIdx.x, in + threadIdx.x, bytes);
  memset(set + threadIdx.x, 0, bytes);
  if (threadIdx.x == 0) memset(all, 0, sizeof all);
  __syncthreads();
  const int i = 63 - threadIdx.x;
  out[threadIdx.x] = copied[i] + set[i] + all[i];
}

__global__ void local_kernel(const float* in, float* out) {
  __shared__ float4 vectors[64];
  float4 vector;
  float values[7];
  std::memcpy(&vector, in + 4 * threadIdx.x, sizeof vector);
  std::memcpy(values, in + threadIdx.x, sizeof values);
  vector.w = values[6];
  std::memcpy(&vectors[threadIdx.x], &vector, sizeof vector);
  __syncthreads();
  out[threadIdx.x] = vectors[63 - threadIdx.x].x + vectors[63 - threadIdx.x].w;
}

template <int bytes>
void constant(const char* in) {
  DeviceArray<char> out(64 * bytes);
  constant_kernel<bytes><<<1, 64>>>(in, out.data());
  CHECK_LAUNCH();
  const std::vector<char> signs = out.host();
  bool right = true;
  for (const char sign : signs) right = right && sign == '+';
  show("bytes", bytes, right ? "ok" : "wrong");
}

PART(copies_by_calls) {
  std::vector<char> bytes(64 * 300);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 100);
  DeviceArray<char> in(bytes);
  constant<1>(in.data());
  constant<2>(in.data());
  constant<3>(in.data());
  constant<4>(in.data());
  constant<7>(in.data());
  constant<8>(in.data());
  constant<12>(in.data());
  constant<16>(in.data());
  constant<20>(in.data());
  constant<32>(in.data());
  constant<100>(in.data());
  constant<250>(in.data());
  std::vector<int> numbers(64);
  std::vector<float> values(256);
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  for (int i = 0; i < 256; ++i) values[i] = i;
  DeviceArray<int> in_numbers(numbers), out_numbers(64);
  small_kernel<<<1, 64>>>(in_numbers.data(), out_numbers.data(), 64);
  CHECK_LAUNCH();
  show("small", out_numbers.host());
  DeviceArray<float> in_values(values), out_values(64);
  local_kernel<<<1, 64>>>(in_values.data(), out_values.data());
  CHECK_LAUNCH();
  show("local", double(out_values.host()[0]), double(out_values.host()[63]));
}

}  // namespace copies_by_calls

/* Prints:
bytes: 1 ok
bytes: 2 ok
bytes: 3 ok
bytes: 4 ok
bytes: 7 ok
bytes: 8 ok
bytes: 12 ok
bytes: 16 ok
bytes: 20 ok
bytes: 32 ok
bytes: 100 ok
bytes: 250 ok
small: 63 62 61 60 59 58 57 56 55 54 53 52 51 50 49 48 47 46 45 44 43 42 41 40 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
local: 321 6
*/

// Grid-stride loops in which all blocks share arrays, but never an element.
namespace grid_stride {

__global__ void fill_kernel(int* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] = i;
}

__global__ void double_kernel(int* data, const int* in, int n) {
  const int total = gridDim.x * blockDim.x;
  for (int i = total - 1 - (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += total) {
    data[i] = data[i] + in[n - 1 - i];
  }
}

PART(grid_stride) {
  const int n = 3001;
  DeviceArray<int> a(n), b(n);
  fill_kernel<<<5, 96>>>(a.data(), n);
  fill_kernel<<<7, 64>>>(b.data(), n);
  double_kernel<<<3, 128>>>(a.data(), b.data(), n);
  CHECK_LAUNCH();
  int wrong = 0;
  for (int value : a.host()) wrong += value != n - 1;
  show("wrong", wrong);
}

}  // namespace grid_stride

/* Prints:
wrong: 0
*/

// Memory that is written by memset, 2-D copies, copies within the device, the host, or a symbol's
// name.
namespace initialised_by_other_means {

__device__ int table[8];

__global__ void sum_kernel(const int* data, int n, int* out) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += data[i];
  *out = sum;
}

PART(initialised_by_other_means) {
  int host[16], *d_a = nullptr, *d_b = nullptr, *managed = nullptr, *pinned = nullptr,
                *d_table = nullptr;
  for (int i = 0; i < 16; ++i) host[i] = i;
  DeviceArray<int> out(1);
  const auto sum = [&](const char* name, const int* data, int n) {
    sum_kernel<<<1, 1>>>(data, n, out.data());
    CHECK_LAUNCH();
    show(name, out.host());
  };
  CHECK(cudaMalloc(&d_a, 64));
  CHECK(cudaMalloc(&d_b, 128));
  CHECK(cudaMallocManaged(&managed, 64));
  CHECK(cudaMallocHost(&pinned, 64));
  CHECK(cudaMemset2D(d_a, 32, 0, 12, 2));
  CHECK(cudaMemcpy2D(d_a + 3, 32, host, 20, 20, 2, cudaMemcpyHostToDevice));
  sum("two dimensions", d_a, 16);
  CHECK(cudaMemcpy(d_b, d_a, 64, cudaMemcpyDeviceToDevice));  // the other half stays unwritten
  CHECK(cudaMemcpy(d_b + 16, d_b, 8, cudaMemcpyDeviceToDevice));
  sum("within the device", d_b, 18);
  for (int i = 0; i < 16; ++i) managed[i] = pinned[i] = 2 * i;
  sum("managed", managed, 16);
  sum("pinned", pinned, 16);
  CHECK(cudaGetSymbolAddress((void**)&d_table, table));
  sum("zero at the start", d_table, 8);
  CHECK(cudaMemcpyToSymbol(table, host, 32));
  sum("symbol", d_table, 8);
  CHECK(cudaFree(d_a));
  CHECK(cudaMalloc(&d_a, 64));
  CHECK(cudaMemsetAsync(d_a, 1, 64));
  sum("anew", d_a, 16);
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(managed));
  CHECK(cudaFreeHost(pinned));
}

}  // namespace initialised_by_other_means

/* Prints:
two dimensions: 45
within the device: 45
managed: 240
pinned: 240
zero at the start: 0
symbol: 28
anew: 269488144
*/

// Memory that kernels allocate themselves, with malloc() and with all forms of new, beside shared
// arrays; some of it lives longer than the launch.
namespace kernel_heap {

struct alignas(64) Wide {
  float values[16];
  __device__ explicit Wide(float first) {
    for (int i = 0; i < 16; ++i) values[i] = first + i;
  }
};

struct Counted {
  int* deleted;
  int value;
  __device__ ~Counted() {
    if (value == 1) atomicAdd(deleted, 1);
  }
};

__global__ void forms_kernel(float* out, int* deleted, int count) {
  __shared__ float tile[512];
  tile[threadIdx.x] = 2 * threadIdx.x;
  float* zeros = new float[count]();
  float* raw = static_cast<float*>(malloc(count * sizeof(float)));
  Wide* wide = new Wide(threadIdx.x);
  Wide* several = new Wide[2]{Wide(1), Wide(2)};
  Counted* counted = new Counted[3];
  for (int i = 0; i < 3; ++i) counted[i].deleted = deleted, counted[i].value = i;
  for (int i = 0; i < count; ++i) raw[i] = zeros[i] + i;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] =
      raw[count - 1] + wide->values[1] + several[1].values[3] + tile[63 - threadIdx.x];
  delete[] zeros;
  free(raw);
  delete wide;
  delete[] several;
  delete[] counted;
}

__global__ void make_kernel(int** lists, int count) {
  int* list = new int[count];
  for (int i = 0; i < count; ++i) list[i] = threadIdx.x + i;
  lists[threadIdx.x] = list;
}

__global__ void use_kernel(int** lists, int* out, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += lists[(threadIdx.x + 1) % 32][i];
  out[threadIdx.x] = sum;
  __syncthreads();
  delete[] lists[threadIdx.x];
}

PART(kernel_heap) {
  DeviceArray<float> out(128);
  DeviceArray<int> deleted({0});
  for (int count : {1, 5, 100, 1000}) {
    forms_kernel<<<2, 64>>>(out.data(), deleted.data(), count);
    CHECK_LAUNCH();
    std::printf("%d:", count);
    for (int i : {0, 1, 127}) std::printf(" %g", out.host()[i]);
    std::printf("\n");
  }
  show("deleted", deleted.host());
  DeviceArray<int*> lists(32);
  DeviceArray<int> sums(32);
  make_kernel<<<1, 32>>>(lists.data(), 3);
  use_kernel<<<1, 32>>>(lists.data(), sums.data(), 3);
  CHECK_LAUNCH();
  show("sums", sums.host());
}

}  // namespace kernel_heap

/* Prints:
1: 132 131 69
5: 136 135 73
100: 231 230 168
1000: 1131 1130 1068
deleted: 512
sums: 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48 51 54 57 60 63 66 69 72 75 78 81 84 87 90 93 96 3
*/

// Threads write neighbouring bytes, shorts and fields of one structure: different places, no race.
namespace neighbouring_bytes {

union Word {
  unsigned whole;
  unsigned char bytes[4];
};
struct Pair {
  short left, right;
};

__global__ void bytes_kernel(unsigned* words, Pair* pairs, unsigned char* global_bytes) {
  __shared__ Word word[8];
  __shared__ Pair pair[16];
  __shared__ __align__(4) unsigned char bytes[32];
  const int t = threadIdx.x;
  word[t / 4].bytes[t % 4] = t;
  if (t % 2) {
    pair[t / 2].right = t;
  } else {
    pair[t / 2].left = t;
  }
  bytes[t] = 2 * t;
  global_bytes[2 * t + blockIdx.x] = 3 * t;  // the other block writes between
  __syncthreads();
  if (blockIdx.x != 0) return;
  if (t < 8) words[t] = word[t].whole;
  if (t < 16) pairs[t] = pair[15 - t];
  if (t < 8) words[8 + t] = reinterpret_cast<unsigned*>(bytes)[t] & 0xff0000ff;
}

PART(neighbouring_bytes) {
  DeviceArray<unsigned> words(16);
  DeviceArray<Pair> pairs(16);
  DeviceArray<unsigned char> bytes(64);
  bytes_kernel<<<2, 32>>>(words.data(), pairs.data(), bytes.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> got = words.host();
  std::printf("%08x %08x %08x\n", got[0], got[7], got[15]);
  show("pairs", pairs.host()[0].left, pairs.host()[0].right, pairs.host()[15].right);
  show("bytes", bytes.host()[0], bytes.host()[1], bytes.host()[62], bytes.host()[63]);
}

}  // namespace neighbouring_bytes

/* Prints:
03020100 1f1e1d1c 3e000038
pairs: 30 31 1
bytes: 0 0 93 93
*/

// Two streams work on one array in turn; events and the legacy stream put all of it in order.
namespace ordered_streams {

__global__ void write_kernel(int* data, int value) {
  data[threadIdx.x] = value + threadIdx.x;
}
__global__ void shift_kernel(const int* in, int* out) {
  out[threadIdx.x] = in[(threadIdx.x + 1) % 64];
}

PART(ordered_streams) {
  DeviceArray<int> a(64), b(64);
  cudaStream_t first, second;
  cudaEvent_t written, read;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&written));
  CHECK(cudaEventCreate(&read));
  CHECK(cudaDeviceSynchronize());
  for (int round = 0; round < 5; ++round) {
    write_kernel<<<1, 64, 0, first>>>(a.data(), 100 * round);
    CHECK(cudaEventRecord(written, first));
    CHECK(cudaStreamWaitEvent(second, written, 0));
    shift_kernel<<<1, 64, 0, second>>>(a.data(), b.data());
    CHECK(cudaEventRecord(read, second));
    CHECK(cudaStreamWaitEvent(first, read, 0));
  }
  shift_kernel<<<1, 64, 0, second>>>(b.data(), a.data());
  CHECK(cudaStreamSynchronize(first));
  CHECK(cudaStreamSynchronize(second));
  show("some", a.host()[0], a.host()[61], a.host()[63]);
  CHECK(cudaEventDestroy(written));
  CHECK(cudaEventDestroy(read));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

}  // namespace ordered_streams

/* Prints:
some: 402 463 401
*/

// Padding that is never touched, rows of different use, columns read across banks.
namespace padded_arrays {

struct Sample {
  char tag;  // three bytes of padding follow
  int value;
};

__global__ void padded_kernel(const float* in, float* out, Sample* samples) {
  __shared__ float tile[32][33];
  __shared__ Sample staged[32];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int row = y; row < 32; row += blockDim.y) tile[row][x] = in[row * 32 + x];
  if (y == 0) {
    staged[x].tag = 'a' + x % 26;
    staged[x].value = x;
  }
  __syncthreads();
  for (int row = y; row < 32; row += blockDim.y) out[row * 32 + x] = tile[x][row];
  if (y == 1) samples[x] = staged[31 - x];
}

PART(padded_arrays) {
  std::vector<float> values(1024);
  for (int i = 0; i < 1024; ++i) values[i] = i;
  DeviceArray<float> in(values), out(1024);
  Sample *d_samples = nullptr, samples[32];
  CHECK(cudaMalloc(&d_samples, sizeof(samples)));
  padded_kernel<<<1, dim3(32, 4)>>>(in.data(), out.data(), d_samples);
  CHECK(cudaMemcpy(samples, d_samples, sizeof(samples), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_samples));
  int wrong = 0;
  const std::vector<float> got = out.host();
  for (int i = 0; i < 1024; ++i) wrong += got[i] != i % 32 * 32 + i / 32;
  for (int i = 0; i < 32; ++i)
    wrong += samples[i].value != 31 - i || samples[i].tag != 'a' + (31 - i) % 26;
  show("wrong", wrong);
}

}  // namespace padded_arrays

/* Prints:
wrong: 0
*/

// Every thread has slots of its own in shared and global memory and needs no barrier for them.
namespace private_slots {

__global__ void slots_kernel(int* global_slots, int* out) {
  __shared__ int slots[3][64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  for (int k = 0; k < 3; ++k) slots[k][t] = k * t;
  for (int round = 0; round < 4; ++round) {
    slots[round % 3][t] += slots[(round + 1) % 3][t];
    global_slots[i] += slots[round % 3][t];
  }
  out[i] = global_slots[i];
}

PART(private_slots) {
  DeviceArray<int> slots(128), out(128);
  slots_kernel<<<2, 64>>>(slots.data(), out.data());
  CHECK_LAUNCH();
  show("some", out.host()[1], out.host()[10], out.host()[127]);
}

}  // namespace private_slots

/* Prints:
some: 11 110 693
*/

// Streams that share memory in order: by events, by the host, by the default stream, and where all
// only read or add atomically.
namespace several_streams {

__constant__ float c_factor;

__global__ void scale_kernel(const float* in, float* out) {
  out[threadIdx.x] = c_factor * in[threadIdx.x];
}
__global__ void add_kernel(float* sum) {
  atomicAdd(sum, 1.0f);
}

PART(several_streams) {
  DeviceArray<float> in(64), one(64), other(64), sum(1);
  float *factor = nullptr, *scratch = nullptr;
  CHECK(cudaMallocHost(&factor, sizeof(float)));
  *factor = 3;
  cudaStream_t first, second, follows;
  cudaEvent_t copied, used;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaStreamCreate(&follows));
  CHECK(cudaEventCreate(&copied));
  CHECK(cudaEventCreate(&used));
  CHECK(cudaDeviceSynchronize());
  // An event behind the copy; both then read the factor at one time.
  CHECK(cudaMemcpyToSymbolAsync(c_factor, factor, sizeof(float), 0, cudaMemcpyHostToDevice, first));
  CHECK(cudaEventRecord(copied, first));
  CHECK(cudaStreamWaitEvent(second, copied, 0));
  scale_kernel<<<1, 64, 0, first>>>(in.data(), one.data());
  scale_kernel<<<1, 64, 0, second>>>(in.data(), other.data());
  // Atomic adding in any order.
  add_kernel<<<1, 64, 0, first>>>(sum.data());
  add_kernel<<<1, 64, 0, second>>>(sum.data());
  // What one stream frees, another has used before.
  CHECK(cudaMallocAsync(&scratch, 64 * sizeof(float), first));
  scale_kernel<<<1, 64, 0, first>>>(one.data(), scratch);
  CHECK(cudaEventRecord(used, first));
  CHECK(cudaStreamWaitEvent(second, used, 0));
  CHECK(cudaFreeAsync(scratch, second));
  // The host waits for one stream and goes on in another.
  CHECK(cudaStreamSynchronize(second));
  scale_kernel<<<1, 64, 0, first>>>(other.data(), in.data());
  while (cudaStreamQuery(first) == cudaErrorNotReady) {
  }
  // The default stream and a blocking one.
  CHECK(cudaMemset(one.data(), 0, 64 * sizeof(float)));
  scale_kernel<<<1, 64, 0, follows>>>(in.data(), one.data());
  CHECK(cudaMemset(in.data(), 0, 64 * sizeof(float)));
  // A stream that is destroyed before its work is done.
  CHECK(cudaEventRecord(used, follows));
  CHECK(cudaStreamWaitEvent(first, used, 0));
  CHECK(cudaStreamDestroy(follows));
  scale_kernel<<<1, 64, 0, first>>>(one.data(), other.data());
  CHECK(cudaDeviceSynchronize());
  show("sum", sum.host()[0]);
  show("factor", *factor);
  CHECK(cudaEventDestroy(copied));
  CHECK(cudaEventDestroy(used));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFreeHost(factor));
}

}  // namespace several_streams

/* Prints:
sum: 128
factor: 3
*/

// Vector loads and stores that end exactly where the array ends.
namespace vector_access_at_the_end {

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  if (4 * i + 4 <= n) {
    reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  } else {
    for (int k = 4 * i; k < n; ++k) out[k] = in[k];
  }
}

__global__ void shared_kernel(const double* in, double* out) {
  __shared__ __align__(16) double cells[10];
  const int i = threadIdx.x;
  reinterpret_cast<double2*>(cells)[i] = reinterpret_cast<const double2*>(in)[i];
  __syncthreads();
  const double* end = cells + 10;  // a pointer past the end, never followed
  double sum = 0;
  for (const double* cell = cells; cell != end; ++cell) sum += *cell;
  out[i] = sum + cells[9 - i];
}

PART(vector_access_at_the_end) {
  for (int n : {1, 4, 7, 64}) {
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i) values[i] = i + 0.5f;
    DeviceArray<float> in(values), out(n);
    copy_kernel<<<1, 32>>>(in.data(), out.data(), n);
    CHECK_LAUNCH();
    expect("copied", out.host() == values);
  }
  DeviceArray<double> in({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), out(5);
  shared_kernel<<<1, 5>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

}  // namespace vector_access_at_the_end

/* Prints:
copied: ok
copied: ok
copied: ok
copied: ok
sums: 54 53 52 51 50
*/
