// SPDX-License-Identifier: MIT
// Races of a block's threads in shared memory.
#include "../check.h"
#include "../parts.h"

// One thread writes a value for all; the others do not wait for it.
namespace broadcast_without_barrier {

__global__ void normalise_kernel(float* data) {
  __shared__ float largest;
  if (threadIdx.x == 0) {
    largest = data[0];  // fault
  }
  data[threadIdx.x] /= largest;  // fault
}

PART(broadcast_without_barrier) {
  const float host[40] = {2.0f, 1.0f};
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, sizeof(host)));
  CHECK(cudaMemcpy(d_data, host, sizeof(host), cudaMemcpyHostToDevice));
  normalise_kernel<<<1, 40>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace broadcast_without_barrier

/* Reports:
kind = "race_shared"
kernel = "normalise_kernel"
mentions = ["largest"]
mode = "check"
*/

// A transposition through dynamic shared memory without a barrier.
namespace dynamic_tile {

__global__ void transpose_kernel(const int* in, int* out) {
  extern __shared__ int square[];
  const int x = threadIdx.x, y = threadIdx.y, n = blockDim.x;
  square[y * n + x] = in[y * n + x];   // fault
  out[y * n + x] = square[x * n + y];  // fault
}

PART(dynamic_tile) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 256 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 256 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 256 * sizeof(int)));
  transpose_kernel<<<1, dim3(16, 16), 256 * sizeof(int)>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace dynamic_tile

/* Reports:
kind = "race_shared"
kernel = "transpose_kernel"
mentions = ["square"]
mode = "check"
*/

// Bins in shared memory are counted without atomics.
namespace histogram {

__global__ void histogram_kernel(const int* values, int* out) {
  __shared__ int bins[8];
  const int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  ++bins[values[t]];  // fault
  __syncthreads();
  if (t < 8) out[t] = bins[t];
}

PART(histogram) {
  int values[64], *d_values = nullptr, *d_out = nullptr;
  for (int i = 0; i < 64; ++i) values[i] = i % 8;
  CHECK(cudaMalloc(&d_values, sizeof(values)));
  CHECK(cudaMalloc(&d_out, 8 * sizeof(int)));
  CHECK(cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice));
  histogram_kernel<<<1, 64>>>(d_values, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_out));
}

}  // namespace histogram

/* Reports:
kind = "race_shared"
kernel = "histogram_kernel"
mentions = ["bins"]
mode = "check"
*/

// A block reverses its part in shared memory, with no barrier between writing and reading.
namespace missing_first_barrier {

__global__ void reverse_kernel(int* data) {
  __shared__ int cells[128];
  const int t = threadIdx.x;
  cells[t] = data[t];        // fault
  data[t] = cells[127 - t];  // fault
}

PART(missing_first_barrier) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 128 * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, 128 * sizeof(int)));
  reverse_kernel<<<1, 128>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace missing_first_barrier

/* Reports:
kind = "race_shared"
kernel = "reverse_kernel"
mentions = ["cells"]
mode = "check"
*/

// A reduction tree without a barrier between its levels.
namespace reduction {

__global__ void sum_kernel(const float* in, float* out) {
  __shared__ float sums[256];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];  // fault
  }
  if (t == 0) *out = sums[0];
}

PART(reduction) {
  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 256 * sizeof(float)));
  CHECK(cudaMalloc(&d_out, sizeof(float)));
  CHECK(cudaMemset(d_in, 0, 256 * sizeof(float)));
  sum_kernel<<<1, 256>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace reduction

/* Reports:
kind = "race_shared"
kernel = "sum_kernel"
mentions = ["sums"]
mode = "check"
*/

// Hillis and Steele's scan with one buffer and one barrier a step: reads and writes meet.
namespace scan_single_buffer {

__global__ void scan_kernel(int* data) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = data[t];
  for (int by = 1; by < 64; by *= 2) {
    __syncthreads();
    if (t >= by) sums[t] += sums[t - by];  // fault
  }
  data[t] = sums[t];
}

PART(scan_single_buffer) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 64 * sizeof(int)));
  CHECK(cudaMemset(d_data, 0, 64 * sizeof(int)));
  scan_kernel<<<1, 64>>>(d_data);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace scan_single_buffer

/* Reports:
kind = "race_shared"
kernel = "scan_kernel"
mentions = ["sums"]
mode = "check"
*/

// Blocks add to one sum. `volatile` makes each look at memory, and another block can still write
// between the read and the write.
namespace volatile_sum {

__global__ void sum_kernel(const int* in, int* out) {
  volatile int* sum = out;
  *sum = *sum + in[blockIdx.x];  // fault
}

PART(volatile_sum) {
  int *d_in = nullptr, *d_out = nullptr;
  const int in[4] = {1, 2, 3, 4};
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_out, 0, sizeof(int)));
  sum_kernel<<<4, 1>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace volatile_sum

/* Reports:
kind = "race_volatile"
kernel = "sum_kernel"
mentions = ["of block (0,0,0)", "in the same launch"]
mode = "check"
*/

// The last levels of a reduction trust that a warp runs in step: __syncwarp is missing.
namespace warp_synchronous {

__global__ void sum_kernel(const int* in, int* out) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  volatile int* cells = sums;
  for (int by = 32; t < 32 && by > 0; by /= 2) {
    cells[t] = cells[t] + cells[t + by];  // fault
  }
  if (t == 0) *out = cells[0];
}

PART(warp_synchronous) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 64 * sizeof(int)));
  sum_kernel<<<1, 64>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace warp_synchronous

/* Reports:
kind = "race_volatile"
kernel = "sum_kernel"
mentions = ["sums", "put __syncwarp() between the two"]
mode = "check"
*/

// A thread clears the counter and counts at once; others may have counted before.
namespace cleared_beside_atomics {

__global__ void vote_kernel(const int* values, int* votes) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;                    // fault
  if (values[threadIdx.x] > 0) atomicAdd(&count, 1);  // fault
  __syncthreads();
  if (threadIdx.x == 0) *votes = count;
}

PART(cleared_beside_atomics) {
  const DeviceArray<int> values(std::vector<int>(64, 1)), votes(1);
  vote_kernel<<<1, 64>>>(values.data(), votes.data());
  CHECK_LAUNCH();
}

}  // namespace cleared_beside_atomics

/* Reports:
kind = "race_shared"
kernel = "vote_kernel"
mentions = ["count"]
mode = "check"
*/
