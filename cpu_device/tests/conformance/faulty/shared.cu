// SPDX-License-Identifier: MIT
// Accesses to shared memory.
#include "../check.h"
#include "../parts.h"

// The left neighbour of element 0 of a shared array.
namespace before_start {

__global__ void difference_kernel(const int* in, int* out) {
  __shared__ int before[32];
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t < 32) before[t] = 0;
  values[t] = in[t];
  __syncthreads();
  out[t] = values[t] - values[t - 1] + before[t % 32];  // fault: values[-1]
}

PART(before_start) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, 64 * sizeof(int)));
  difference_kernel<<<1, 64>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace before_start

/* Reports:
kind = "out_of_bounds_shared"
kernel = "difference_kernel"
mentions = ["values"]
mode = "check"
*/

// The third item of the configuration is missing: no dynamic shared memory at all.
namespace dynamic_forgotten {

__global__ void copy_kernel(const int* in, int* out) {
  extern __shared__ int staged[];
  staged[threadIdx.x] = in[threadIdx.x];  // fault: the launch asked for 0 bytes
  __syncthreads();
  out[threadIdx.x] = staged[threadIdx.x];
}

PART(dynamic_forgotten) {
  const int n = 64;
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, n * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(int)));
  copy_kernel<<<1, n>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace dynamic_forgotten

/* Reports:
kind = "out_of_bounds_shared"
kernel = "copy_kernel"
mentions = ["staged"]
mode = "check"
*/

// The launch asks for n bytes of shared memory where the kernel needs n floats.
namespace dynamic_too_small {

__global__ void reverse_kernel(float* data, int n) {
  extern __shared__ float buffer[];
  const int i = threadIdx.x;
  buffer[i] = data[i];  // fault: past the bytes that the launch asked for
  __syncthreads();
  data[i] = buffer[n - 1 - i];
}

PART(dynamic_too_small) {
  const int n = 256;
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, n * sizeof(float)));
  CHECK(cudaMemset(d_data, 0, n * sizeof(float)));
  reverse_kernel<<<1, n, n>>>(d_data, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_data));
}

}  // namespace dynamic_too_small

/* Reports:
kind = "out_of_bounds_shared"
kernel = "reverse_kernel"
mentions = ["buffer", "256 bytes"]
mode = "check"
*/

// The left halo is loaded, the right one is not.
namespace halo_not_loaded {

constexpr int kThreads = 32;

__global__ void blur_kernel(const int* in, int* out) {
  __shared__ int cells[kThreads + 2];
  const int t = threadIdx.x;
  cells[t + 1] = in[t];
  if (t == 0) cells[0] = 0;
  __syncthreads();
  const int left = cells[t], middle = cells[t + 1];
  const int right = cells[t + 2];  // fault: nobody wrote element 33
  out[t] = left + 2 * middle + right;
}

PART(halo_not_loaded) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, kThreads * sizeof(int)));
  CHECK(cudaMalloc(&d_out, kThreads * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, kThreads * sizeof(int)));
  blur_kernel<<<1, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace halo_not_loaded

/* Reports:
kind = "uninitialised_shared"
kernel = "blur_kernel"
mentions = ["cells", "Of its 34 elements, 33 was written by no thread."]
mode = "check"
*/

// A halo of one cell on the left, but the array has no room for it.
namespace halo_too_small {

constexpr int kThreads = 64;

__global__ void blur_kernel(const int* in, int* out) {
  __shared__ int cells[kThreads];
  const int t = threadIdx.x;
  cells[t + 1] = in[t];  // fault: element 64 of 64
  if (t == 0) cells[0] = 0;
  __syncthreads();
  out[t] = cells[t];
}

PART(halo_too_small) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, kThreads * sizeof(int)));
  CHECK(cudaMalloc(&d_out, kThreads * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, kThreads * sizeof(int)));
  blur_kernel<<<1, kThreads>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace halo_too_small

/* Reports:
kind = "out_of_bounds_shared"
kernel = "blur_kernel"
mentions = ["cells"]
mode = "check"
*/

// In the last block some threads load nothing, but the sum takes the whole tile.
namespace last_block_partly_filled {

__global__ void sum_kernel(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int k = 0; k < 64; ++k) {
    sum += tile[k];  // fault: n is 100
  }
  out[blockIdx.x] = sum;
}

PART(last_block_partly_filled) {
  const int n = 100;
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 2 * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(int)));
  sum_kernel<<<2, 64>>>(d_in, d_out, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace last_block_partly_filled

/* Reports:
kind = "uninitialised_shared"
kernel = "sum_kernel"
mentions = ["tile"]
mode = "check"
*/

// A tile of 16 x 16 for blocks of 16 x 17.
namespace static_past_end {

__global__ void tile_kernel(float* out) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = threadIdx.y;  // fault: row 16 does not exist
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) *out = tile[15][15];
}

PART(static_past_end) {
  float* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, sizeof(float)));
  tile_kernel<<<1, dim3(16, 17)>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace static_past_end

/* Reports:
kind = "out_of_bounds_shared"
kernel = "tile_kernel"
mentions = ["tile"]
mode = "check"
*/

// A counter in shared memory is used without being set to zero.
namespace sum_not_cleared {

__global__ void count_kernel(const int* in, int* out) {
  __shared__ int positive;
  if (in[threadIdx.x] > 0) {
    atomicAdd(&positive, 1);  // fault
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = positive;
}

PART(sum_not_cleared) {
  int host[64], *d_in = nullptr, *d_out = nullptr;
  for (int i = 0; i < 64; ++i) host[i] = i;
  CHECK(cudaMalloc(&d_in, sizeof(host)));
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemcpy(d_in, host, sizeof(host), cudaMemcpyHostToDevice));
  count_kernel<<<1, 64>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace sum_not_cleared

/* Reports:
kind = "uninitialised_shared"
kernel = "count_kernel"
mentions = ["positive"]
mode = "check"
*/

// The threads that have no output return before they have loaded the last of the inputs.
namespace threads_returned {

constexpr int kThreads = 32;

__global__ void sums_kernel(const int* in, int* out, int outputs) {
  __shared__ int cells[kThreads];
  const int t = threadIdx.x;
  if (t >= outputs) return;
  cells[t] = in[t];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += cells[t + i];  // fault: nobody wrote element 30
  }
  out[t] = sum;
}

PART(threads_returned) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, kThreads * sizeof(int)));
  CHECK(cudaMalloc(&d_out, kThreads * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, kThreads * sizeof(int)));
  sums_kernel<<<1, kThreads>>>(d_in, d_out, kThreads - 2);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace threads_returned

/* Reports:
kind = "uninitialised_shared"
kernel = "sums_kernel"
mentions = ["Of its 32 elements, 30 to 31 were written by no thread.", "2 of the block's 32 threads had returned before its first barrier."]
mode = "check"
*/

// A vector of a tile that nobody loads.
namespace vector_not_filled {

__global__ void sums_kernel(const float* in, float* out, int count) {
  __shared__ float4 tile[16];
  const int i = threadIdx.x;
  if (i < count) reinterpret_cast<float*>(tile)[i] = in[i];
  __syncthreads();
  if (4 * i <= count) {
    const float4 v = tile[i];  // fault
    out[i] = v.x + v.y + v.z + v.w;
  }
}

PART(vector_not_filled) {
  const int count = 60;
  DeviceArray<float> in(64), out(16);
  sums_kernel<<<1, 64>>>(in.data(), out.data(), count);
  CHECK_LAUNCH();
  std::printf("%g\n", out.host()[0]);
}

}  // namespace vector_not_filled

/* Reports:
kind = "uninitialised_shared"
kernel = "sums_kernel"
mentions = ["element 15", "`tile`"]
mode = "check"
*/

// The last vector of a tile has three elements that nobody loads, and is added up as a whole.
namespace vector_partly_filled {

__global__ void sums_kernel(const float* in, float* out, int count) {
  __shared__ float4 tile[16];
  const int i = threadIdx.x;
  if (i < count) reinterpret_cast<float*>(tile)[i] = in[i];
  __syncthreads();
  if (4 * i < count) {
    const float4 v = tile[i];  // fault
    out[i] = v.x + v.y + v.z + v.w;
  }
}

PART(vector_partly_filled) {
  const int count = 61;
  DeviceArray<float> in(64), out(16);
  sums_kernel<<<1, 64>>>(in.data(), out.data(), count);
  CHECK_LAUNCH();
  std::printf("%g\n", out.host()[0]);
}

}  // namespace vector_partly_filled

/* Reports:
kind = "uninitialised_vector"
kernel = "sums_kernel"
mentions = ["element 61", "`tile`"]
mode = "check"
*/

// A tile is loaded in one pass, though it has more rows than the block.
namespace rows_without_a_loop {

__global__ void copy_kernel(const float* in, float* out, int rows) {
  __shared__ float tile[20 * 34];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int c = x; c < 34; c += 32) tile[y * 34 + c] = in[y * 34 + c];
  __syncthreads();
  for (int r = y; r < rows; r += 8) out[r * 32 + x] = tile[r * 34 + x + 1];  // fault
}

PART(rows_without_a_loop) {
  DeviceArray<float> in(20 * 34), out(20 * 32);
  copy_kernel<<<1, dim3(32, 8)>>>(in.data(), out.data(), 20);
  CHECK_LAUNCH();
  std::printf("%g\n", out.host()[0]);
}

}  // namespace rows_without_a_loop

/* Reports:
kind = "uninitialised_shared"
kernel = "copy_kernel"
mentions = ["`tile`", "none goes on to row 8: a loop over the rows", "in y, 8,"]
mode = "check"
*/

// The launch asks for as many bytes as there are elements.
namespace size_in_elements {

extern __shared__ float element_tile[];

__global__ void reverse_kernel(float* data, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) element_tile[i] = data[i];  // fault
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] = element_tile[count - 1 - i];
}

PART(size_in_elements) {
  DeviceArray<float> data(340);
  reverse_kernel<<<1, 85, 340>>>(data.data(), 340);
  CHECK_LAUNCH();
}

}  // namespace size_in_elements

/* Reports:
kind = "out_of_bounds_shared"
kernel = "reverse_kernel"
mentions = ["third argument counts bytes: if 340 is a number of elements"]
mode = "check"
*/

// Rows of 32 elements, and a block of 16 threads in x and 32 in y.
namespace block_on_its_side {

__global__ void copy_kernel(const float* in, float* out) {
  __shared__ float tile[16 * 32];
  const int at = threadIdx.y * 32 + threadIdx.x;
  tile[at] = in[at];  // fault
  __syncthreads();
  out[at] = tile[at ^ 1];
}

PART(block_on_its_side) {
  DeviceArray<float> in(32 * 32), out(32 * 32);
  copy_kernel<<<1, dim3(16, 32)>>>(in.data(), out.data());
  CHECK_LAUNCH();
}

}  // namespace block_on_its_side

/* Reports:
kind = "out_of_bounds_shared"
kernel = "copy_kernel"
mentions = ["the block has 16 threads in x and 32 in y: the two have changed places", "dim3(32, 16)"]
mode = "check"
*/
