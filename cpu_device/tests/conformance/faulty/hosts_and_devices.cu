// SPDX-License-Identifier: MIT
// Memory of the host in kernels, memory of the device on the host.
#include "../check.h"
#include "../parts.h"

// Host code reads an element of device memory.
namespace device_read_on_host {

PART(device_read_on_host) {
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 256 * sizeof(float)));
  CHECK(cudaMemset(d_data, 0, 256 * sizeof(float)));
  std::printf("%g\n", d_data[3]);  // fault
  CHECK(cudaFree(d_data));
}

}  // namespace device_read_on_host

/* Reports:
kind = "device_pointer_on_host"
mentions = ["1024 bytes"]
mode = "any"
*/

// A loop on the host fills device memory.
namespace device_written_on_host {

PART(device_written_on_host) {
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 50 * sizeof(int)));
  for (int i = 0; i < 50; ++i) {
    d_data[i] = i;  // fault
  }
  CHECK(cudaFree(d_data));
}

}  // namespace device_written_on_host

/* Reports:
kind = "device_pointer_on_host"
mentions = ["200 bytes"]
mode = "any"
*/

// The host's array is passed where the device's copy belongs.
namespace host_array_as_argument {

__global__ void add_kernel(int* out, const int* in) {
  out[threadIdx.x] = in[threadIdx.x] + 1;
}

PART(host_array_as_argument) {
  std::vector<int> host(64, 1);
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, 64 * sizeof(int)));
  CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
  CHECK(cudaMemcpy(d_in, host.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
  add_kernel<<<1, 64>>>(d_out, host.data());  // fault: d_in was meant
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

}  // namespace host_array_as_argument

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "add_kernel"
mentions = ["argument 2"]
mode = "any"
*/

// A host pointer hides inside a structure that is passed by value.
namespace host_pointer_in_struct {

struct Image {
  int width, height;
  float* pixels;
};

__global__ void invert_kernel(Image image) {
  const int i = threadIdx.x;
  image.pixels[i] = 1.0f - image.pixels[i];  // fault: pixels lie in host memory
}

PART(host_pointer_in_struct) {
  std::vector<float> pixels(64, 0.25f);
  const Image image = {8, 8, pixels.data()};
  invert_kernel<<<1, 64>>>(image);
  CHECK_LAUNCH();
}

}  // namespace host_pointer_in_struct

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "invert_kernel"
mode = "check"
*/

// The address of a local variable is given to the kernel for its result.
namespace host_variable_as_result {

__global__ void answer_kernel(int* out) {
  *out = 42;
}

PART(host_variable_as_result) {
  int result = 0;
  answer_kernel<<<1, 1>>>(&result);  // fault
  CHECK_LAUNCH();
  expect("result", result == 42);
}

}  // namespace host_variable_as_result

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "answer_kernel"
mentions = ["argument 1"]
mode = "any"
*/

// The error of an impossible cudaMalloc is not looked at, and the kernel gets its null pointer.
namespace null_pointer_unchecked {

__global__ void fill_kernel(float* data) {
  data[threadIdx.x] = 1.0f;  // fault: data is null
}

PART(null_pointer_unchecked) {
  float* d_data = nullptr;
  (void)cudaMalloc(&d_data, size_t{1} << 44);
  (void)cudaGetLastError();
  fill_kernel<<<1, 32>>>(d_data);
  CHECK_LAUNCH();
}

}  // namespace null_pointer_unchecked

/* Reports:
kind = "null_pointer"
kernel = "fill_kernel"
mode = "any"
*/

// Host code reads managed memory that a kernel is still to write.
namespace managed_read_early {

__global__ void square_kernel(int* data) {
  data[threadIdx.x] *= data[threadIdx.x];  // fault
}

PART(managed_read_early) {
  int *data = nullptr, sum = 0;
  CHECK(cudaMallocManaged(&data, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) data[i] = i;
  square_kernel<<<1, 32>>>(data);               // fault: nothing waits for it
  for (int i = 0; i < 32; ++i) sum += data[i];  // fault
  CHECK_LAUNCH();
  expect("sum", sum >= 0);
  CHECK(cudaFree(data));
}

}  // namespace managed_read_early

/* Reports:
kind = "race_with_host"
kernel = "square_kernel"
mentions = ["cudaDeviceSynchronize()"]
mode = "check"
*/

// The size counts elements of another type: the copy runs past a local array.
namespace local_array_too_short {

PART(local_array_too_short) {
  float* d_data = nullptr;
  float host[100];
  CHECK(cudaMalloc(&d_data, 100 * sizeof(double)));
  CHECK(cudaMemset(d_data, 0, 100 * sizeof(double)));
  (void)cudaMemcpy(host, d_data, 100 * sizeof(double), cudaMemcpyDeviceToHost);  // fault
  CHECK(cudaFree(d_data));
  std::printf("%g\n", host[3]);
}

}  // namespace local_array_too_short

/* Reports:
kind = "out_of_bounds_host"
mentions = ["cudaMemcpy", "writes 800 bytes", "400"]
mode = "check"
*/

// A whole matrix is copied from one number, whose address is given.
namespace one_number_for_an_array {

float scale = 2;

PART(one_number_for_an_array) {
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 64 * sizeof(float)));
  (void)cudaMemcpyAsync(d_data, &scale, 64 * sizeof(float), cudaMemcpyHostToDevice, 0);  // fault
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d_data));
}

}  // namespace one_number_for_an_array

/* Reports:
kind = "out_of_bounds_host"
mentions = ["cudaMemcpyAsync", "reads 256 bytes", "4 "]
mode = "check"
*/

// A vector of the host with fewer elements than the device's array.
namespace vector_too_short {

PART(vector_too_short) {
  int* d_data = nullptr;
  std::vector<int> host(90, 1);
  CHECK(cudaMalloc(&d_data, 100 * sizeof(int)));
  (void)cudaMemcpy(d_data, host.data(), 100 * sizeof(int), cudaMemcpyHostToDevice);  // fault
  CHECK(cudaFree(d_data));
}

}  // namespace vector_too_short

/* Reports:
kind = "out_of_bounds_host"
mentions = ["reads 400 bytes", "360"]
mode = "check"
*/

// Rows of a pitched copy, of which the last one ends behind what realloc() has made.
namespace grown_block_too_short {

PART(grown_block_too_short) {
  size_t pitch = 0;
  char* d_rows = nullptr;
  CHECK(cudaMallocPitch(&d_rows, &pitch, 60, 8));
  CHECK(cudaMemset2D(d_rows, pitch, 1, 60, 8));
  char* host = static_cast<char*>(std::malloc(10));
  host = static_cast<char*>(std::realloc(host, 7 * 60 + 59));
  (void)cudaMemcpy2D(host, 60, d_rows, pitch, 60, 8, cudaMemcpyDeviceToHost);  // fault
  CHECK(cudaFree(d_rows));
  std::free(host);
}

}  // namespace grown_block_too_short

/* Reports:
kind = "out_of_bounds_host"
mentions = ["cudaMemcpy2D", "writes 480 bytes", "479"]
mode = "check"
*/

// A function fetches a result into an array of its caller's, and takes it for longer than it is.
namespace past_the_stack_frame {

__attribute__((noinline)) void fetch(float* host, const float* d_data, size_t count) {
  (void)cudaMemcpy(host, d_data, count * sizeof(float), cudaMemcpyDeviceToHost);  // fault
}

PART(past_the_stack_frame) {
  float* d_data = nullptr;
  float host[8] = {};
  CHECK(cudaMalloc(&d_data, 4096 * sizeof(float)));
  CHECK(cudaMemset(d_data, 0, 4096 * sizeof(float)));
  fetch(host, d_data, 4096);
  std::printf("%g\n", host[7]);
  CHECK(cudaFree(d_data));
}

}  // namespace past_the_stack_frame

/* Reports:
kind = "out_of_bounds_host"
mentions = ["writes 16384 bytes", "stack"]
mode = "check"
*/

// The same for a global array: its size is in the symbol table.
namespace past_a_global_array {

float results[48];

__attribute__((noinline)) void fetch(float* host, const float* d_data, size_t count) {
  (void)cudaMemcpy(host, d_data, count * sizeof(float), cudaMemcpyDeviceToHost);  // fault
}

PART(past_a_global_array) {
  float* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, 64 * sizeof(float)));
  CHECK(cudaMemset(d_data, 0, 64 * sizeof(float)));
  fetch(results + 8, d_data, 64);
  std::printf("%g\n", results[47]);
  CHECK(cudaFree(d_data));
}

}  // namespace past_a_global_array

/* Reports:
kind = "out_of_bounds_host"
mentions = ["writes 256 bytes", "160"]
mode = "check"
*/

// Pinned memory is told, too, and one slice too many of a box.
namespace pinned_memory_too_short {

PART(pinned_memory_too_short) {
  float *d_data = nullptr, *host = nullptr;
  CHECK(cudaMalloc(&d_data, 128 * sizeof(float)));
  CHECK(cudaMallocHost(&host, 100 * sizeof(float)));
  CHECK(cudaMemset(d_data, 0, 128 * sizeof(float)));
  (void)cudaMemcpy(host, d_data, 128 * sizeof(float), cudaMemcpyDeviceToHost);  // fault
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(d_data));
}

}  // namespace pinned_memory_too_short

/* Reports:
kind = "out_of_bounds_host"
mentions = ["writes 512 bytes", "400", "pinned"]
mode = "check"
*/

namespace one_slice_too_many {

PART(one_slice_too_many) {
  cudaPitchedPtr d_box;
  const cudaExtent extent = make_cudaExtent(10 * sizeof(float), 7, 4);
  CHECK(cudaMalloc3D(&d_box, extent));
  CHECK(cudaMemset3D(d_box, 0, extent));
  std::vector<float> host(10 * 7 * 3);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = d_box;
  copy.dstPtr = make_cudaPitchedPtr(host.data(), 10 * sizeof(float), 10, 7);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  (void)cudaMemcpy3D(&copy);  // fault
  CHECK(cudaFree(d_box.ptr));
}

}  // namespace one_slice_too_many

/* Reports:
kind = "out_of_bounds_host"
mentions = ["cudaMemcpy3D", "writes 1120 bytes", "840"]
mode = "check"
*/
