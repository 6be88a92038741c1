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
