// SPDX-License-Identifier: MIT
// Kernels whose threads never wait: on the CPU device the threads of a block run as a loop, which
// must not be seen.
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
