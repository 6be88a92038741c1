// SPDX-License-Identifier: MIT
// Accesses to global, constant and local memory.
#include "../check.h"
#include "../parts.h"

// A filter of 3 x 3 in constant memory, read as if it were 4 x 4.
namespace constant_past_end {

__constant__ float filter[9];

__global__ void sum_kernel(float* out, int size) {
  float sum = 0;
  for (int i = 0; i < size * size; ++i) {
    sum += filter[i];  // fault: there are 9 elements
  }
  *out = sum;
}

PART(constant_past_end) {
  const float host[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  float* d_out = nullptr;
  CHECK(cudaMemcpyToSymbol(filter, host, sizeof(host)));
  CHECK(cudaMalloc(&d_out, sizeof(float)));
  sum_kernel<<<1, 1>>>(d_out, 4);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace constant_past_end

/* Reports:
kind = "out_of_bounds_global"
kernel = "sum_kernel"
mentions = ["filter"]
mode = "check"
*/

// One bin too few: the value 16 has no place in bins 0 to 15.
namespace global_atomic_past_end {

__global__ void count_kernel(const int* values, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i]], 1u);  // fault: values go up to 16
}

PART(global_atomic_past_end) {
  const int n = 64, bins = 16;
  int values[n], *d_values = nullptr;
  unsigned* d_bins = nullptr;
  for (int i = 0; i < n; ++i) values[i] = i % (bins + 1);
  CHECK(cudaMalloc(&d_values, sizeof(values)));
  CHECK(cudaMalloc(&d_bins, bins * sizeof(unsigned)));
  CHECK(cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_bins, 0, bins * sizeof(unsigned)));
  count_kernel<<<1, n>>>(d_values, d_bins, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_bins));
}

}  // namespace global_atomic_past_end

/* Reports:
kind = "out_of_bounds_global"
kernel = "count_kernel"
mentions = ["64 bytes"]
mode = "check"
*/

// The left neighbour of the first element.
namespace global_before_start {

__global__ void difference_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i] - in[i - 1];  // fault: element -1
}

PART(global_before_start) {
  const int n = 128;
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(int)));
  difference_kernel<<<2, 64>>>(d_in, d_out, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace global_before_start

/* Reports:
kind = "out_of_bounds_global"
kernel = "difference_kernel"
mentions = ["512 bytes"]
mode = "check"
*/

// The result is copied on another stream, and nothing makes the copy wait for the kernel.
namespace global_copied_before_kernel {

__global__ void fill_kernel(int* out) {
  out[threadIdx.x] = threadIdx.x;
}

PART(global_copied_before_kernel) {
  int *pinned = nullptr, *d_out = nullptr;
  cudaStream_t compute, copy;
  CHECK(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking));
  CHECK(cudaMallocHost(&pinned, 320));
  CHECK(cudaMalloc(&d_out, 320));
  fill_kernel<<<1, 80, 0, compute>>>(d_out);
  CHECK(cudaMemcpyAsync(pinned, d_out, 320, cudaMemcpyDeviceToHost, copy));  // fault
  CHECK(cudaStreamSynchronize(copy));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d_out));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaStreamDestroy(compute));
  CHECK(cudaStreamDestroy(copy));
}

}  // namespace global_copied_before_kernel

/* Reports:
kind = "uninitialised_global"
mentions = ["320 bytes"]
mode = "check"
*/

// The copy brings n bytes instead of n elements.
namespace global_copy_without_sizeof {

__global__ void square_kernel(const int* in, int* out) {
  const int value = in[threadIdx.x];  // fault: only a quarter was copied
  out[threadIdx.x] = value * value;
}

PART(global_copy_without_sizeof) {
  const int n = 64;
  int host[n] = {}, *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CHECK(cudaMemcpy(d_in, host, n, cudaMemcpyHostToDevice));
  square_kernel<<<1, n>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace global_copy_without_sizeof

/* Reports:
kind = "uninitialised_global"
kernel = "square_kernel"
mentions = ["256 bytes"]
mode = "check"
*/

// The kernel adds to its output, which nobody set to zero.
namespace global_output_not_cleared {

__global__ void add_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];  // fault: y was never written
}

PART(global_output_not_cleared) {
  const int n = 100;
  float *d_x = nullptr, *d_y = nullptr;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMalloc(&d_y, n * sizeof(float)));
  CHECK(cudaMemset(d_x, 0, n * sizeof(float)));
  add_kernel<<<2, 64>>>(d_x, d_y, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
}

}  // namespace global_output_not_cleared

/* Reports:
kind = "uninitialised_global"
kernel = "add_kernel"
mentions = ["400 bytes"]
mode = "check"
*/

// Rows and columns are swapped in the index: far past the end of a plane that is no square.
namespace global_rows_and_columns_swapped {

constexpr int kHeight = 40, kWidth = 200;

__global__ void fill_kernel(float* plane) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= kHeight || column >= kWidth) return;
  plane[column * kWidth + row] = 1.0f;  // fault: should be row * kWidth + column
}

PART(global_rows_and_columns_swapped) {
  float* d_plane = nullptr;
  CHECK(cudaMalloc(&d_plane, kHeight * kWidth * sizeof(float)));
  fill_kernel<<<dim3(13, 3), dim3(16, 16)>>>(d_plane);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_plane));
}

}  // namespace global_rows_and_columns_swapped

/* Reports:
kind = "out_of_bounds_global"
kernel = "fill_kernel"
mentions = ["32000 bytes"]
mode = "any"
*/

// Four elements at a time, though the number of elements is no multiple of four.
namespace global_vector_load_past_end {

__global__ void sum_kernel(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  if (4 * i >= n) return;
  const auto* fours = reinterpret_cast<const float4*>(in);
  const float4 four = fours[i];  // fault: the last one is half outside
  out[i] = four.x + four.y + four.z + four.w;
}

PART(global_vector_load_past_end) {
  const int n = 10;
  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(float)));
  CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(float)));
  sum_kernel<<<1, 32>>>(d_in, d_out, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace global_vector_load_past_end

/* Reports:
kind = "out_of_bounds_global"
kernel = "sum_kernel"
mentions = ["40 bytes"]
mode = "check"
*/

// A GPU goes on with a meaningless number; the CPU device stops.
namespace integer_division_by_zero {

__global__ void average_kernel(const int* sums, const int* counts, int* out) {
  out[threadIdx.x] = sums[threadIdx.x] / counts[threadIdx.x];  // fault
}

PART(integer_division_by_zero) {
  const int counts[4] = {1, 2, 0, 3};
  int *d_sums = nullptr, *d_counts = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_sums, sizeof(counts)));
  CHECK(cudaMalloc(&d_counts, sizeof(counts)));
  CHECK(cudaMalloc(&d_out, sizeof(counts)));
  CHECK(cudaMemset(d_sums, 1, sizeof(counts)));
  CHECK(cudaMemcpy(d_counts, counts, sizeof(counts), cudaMemcpyHostToDevice));
  average_kernel<<<1, 4>>>(d_sums, d_counts, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_sums));
  CHECK(cudaFree(d_counts));
  CHECK(cudaFree(d_out));
}

}  // namespace integer_division_by_zero

/* Reports:
kind = "integer_division"
kernel = "average_kernel"
mode = "any"
*/

// Each thread has an array that is larger than its stack.
namespace local_array_too_large {

__global__ void sort_kernel(int* out, int n) {
  int keys[200000];
  for (int i = 0; i < n; ++i) keys[i] = (i * 7919) % n;
  int least = keys[0];
  for (int i = 1; i < n; ++i) least = keys[i] < least ? keys[i] : least;
  out[threadIdx.x] = least;
}

PART(local_array_too_large) {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 4 * sizeof(int)));
  sort_kernel<<<1, 4>>>(d_out, 1000);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace local_array_too_large

/* Reports:
kind = "stack_overflow"
kernel = "sort_kernel"
mode = "any"
*/

// Doubles are placed after three ints in a shared array of bytes.
namespace misaligned_in_shared_bytes {

__global__ void carve_kernel(double* out) {
  __shared__ __align__(16) unsigned char bytes[128];
  int* ints = reinterpret_cast<int*>(bytes);
  double* reals = reinterpret_cast<double*>(bytes + 3 * sizeof(int));
  if (threadIdx.x < 3) ints[threadIdx.x] = threadIdx.x;
  reals[threadIdx.x] = 0.5;  // fault: offset 12 is no multiple of 8
  __syncthreads();
  out[threadIdx.x] = reals[threadIdx.x] + ints[0];
}

PART(misaligned_in_shared_bytes) {
  double* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 8 * sizeof(double)));
  carve_kernel<<<1, 8>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace misaligned_in_shared_bytes

/* Reports:
kind = "misaligned"
kernel = "carve_kernel"
mentions = ["bytes"]
mode = "check"
*/

// A float4 is read from the second element of an array.
namespace misaligned_vector_load {

__global__ void load_kernel(const float* in, float* out) {
  const float4 four = *reinterpret_cast<const float4*>(in + 1);  // fault: 4 bytes off
  *out = four.x + four.w;
}

PART(misaligned_vector_load) {
  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64));
  CHECK(cudaMalloc(&d_out, sizeof(float)));
  CHECK(cudaMemset(d_in, 0, 64));
  load_kernel<<<1, 1>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace misaligned_vector_load

/* Reports:
kind = "misaligned"
kernel = "load_kernel"
mode = "check"
*/
