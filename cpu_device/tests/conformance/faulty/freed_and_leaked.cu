// SPDX-License-Identifier: MIT
// Memory that is freed too early, twice or never.
#include "../check.h"
#include "../parts.h"

// The input is freed before the kernel that reads it is launched.
namespace freed_before_launch {

__global__ void copy_kernel(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // fault: in was freed
}

PART(freed_before_launch) {
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 4096));
  CHECK(cudaMalloc(&d_out, 4096));
  CHECK(cudaMemset(d_in, 0, 4096));
  CHECK(cudaFree(d_in));
  copy_kernel<<<1, 1024>>>(d_in, d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

}  // namespace freed_before_launch

/* Reports:
kind = "use_after_free"
kernel = "copy_kernel"
mentions = ["4096 bytes"]
mode = "any"
*/

// Memory of malloc is given to cudaFree.
namespace freed_host_memory {

PART(freed_host_memory) {
  void* buffer = std::malloc(64);
  CHECK(cudaFree(buffer));  // fault
  std::free(buffer);
}

}  // namespace freed_host_memory

/* Reports:
kind = "bad_free"
mode = "check"
*/

// The pointer was moved on before it was freed.
namespace freed_in_the_middle {

PART(freed_in_the_middle) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 300));
  CHECK(cudaMemset(d_data, 0, 300));
  d_data += 4;
  CHECK(cudaFree(d_data));  // fault
}

}  // namespace freed_in_the_middle

/* Reports:
kind = "bad_free"
mentions = ["300 bytes"]
mode = "check"
*/

// A pointer inside a structure outlives its memory; another allocation was made in between.
namespace freed_inside_struct {

struct Matrix {
  int rows, columns;
  float* elements;
};

__global__ void clear_kernel(Matrix matrix) {
  matrix.elements[threadIdx.x] = 0;  // fault: the elements were freed
}

PART(freed_inside_struct) {
  Matrix matrix = {4, 8, nullptr};
  float* d_other = nullptr;
  CHECK(cudaMalloc(&matrix.elements, 2000));
  clear_kernel<<<1, 32>>>(matrix);
  CHECK_LAUNCH();
  CHECK(cudaFree(matrix.elements));
  CHECK(cudaMalloc(&d_other, 2000));
  clear_kernel<<<1, 32>>>(matrix);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_other));
}

}  // namespace freed_inside_struct

/* Reports:
kind = "use_after_free"
kernel = "clear_kernel"
mentions = ["2000 bytes"]
mode = "check"
*/

// Two names for one allocation, and both are freed.
namespace freed_twice {

PART(freed_twice) {
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 100 * sizeof(float)));
  float* d_alias = d_data;
  CHECK(cudaFree(d_data));
  CHECK(cudaFree(d_alias));  // fault
}

}  // namespace freed_twice

/* Reports:
kind = "double_free"
mentions = ["400 bytes"]
mode = "check"
*/

// A buffer that nobody frees.
namespace leaked_device_memory {

__global__ void fill_kernel(char* data) {
  data[threadIdx.x] = 1;
}

PART(leaked_device_memory) {
  char *d_kept = nullptr, *d_lost = nullptr;
  CHECK(cudaMalloc(&d_kept, 100));
  CHECK(cudaMalloc(&d_lost, 12345));  // fault
  fill_kernel<<<1, 100>>>(d_kept);
  fill_kernel<<<1, 100>>>(d_lost);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_kept));
}

}  // namespace leaked_device_memory

/* Reports:
kind = "leak"
mentions = ["12345"]
mode = "check"
*/

// Pinned memory is lost on an early return.
namespace leaked_pinned_memory {

bool process(int n) {
  float* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, 777));  // fault
  if (n == 0) return false;
  CHECK(cudaFreeHost(pinned));
  return true;
}

PART(leaked_pinned_memory) {
  expect("it says which failed", process(1) && !process(0));
}

}  // namespace leaked_pinned_memory

/* Reports:
kind = "leak"
mentions = ["777"]
mode = "check"
*/
