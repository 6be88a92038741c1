// SPDX-License-Identifier: MIT
// Launches that fail, and streams that are not in order.
#include "../check.h"
#include "../parts.h"

// A block of 2048 threads is refused; nobody asks, and the output is taken for the result.
namespace launch_too_many_threads {

__global__ void fill_kernel(int* out) {
  out[threadIdx.x] = 1;
}

PART(launch_too_many_threads) {
  int *d_out = nullptr, host[2048];
  CHECK(cudaMalloc(&d_out, sizeof(host)));
  CHECK(cudaMemset(d_out, 0, sizeof(host)));
  fill_kernel<<<1, 2048>>>(d_out);  // fault
  CHECK(cudaMemcpy(host, d_out, sizeof(host), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_out));
}

}  // namespace launch_too_many_threads

/* Reports:
kind = "launch_error_unread"
kernel = "fill_kernel"
mentions = ["cudaErrorInvalid", "2048"]
mode = "check"
*/

// More than 48 KiB of dynamic shared memory without cudaFuncSetAttribute, and no look at the error.
namespace launch_too_much_shared_memory {

__global__ void fill_kernel(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = buffer[threadIdx.x];
}

PART(launch_too_much_shared_memory) {
  int* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 64 * sizeof(int)));
  fill_kernel<<<1, 64, 50000>>>(d_out);  // fault
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d_out));
}

}  // namespace launch_too_much_shared_memory

/* Reports:
kind = "launch_error_unread"
kernel = "fill_kernel"
mentions = ["cudaErrorInvalidValue"]
mode = "check"
*/

// The program ends without waiting for its kernel.
namespace nothing_waited_for {

__global__ void hello_kernel() {
  printf("hello\n");
}

PART(nothing_waited_for) {
  hello_kernel<<<1, 1>>>();  // fault
}

}  // namespace nothing_waited_for

/* Reports:
kind = "unwaited_work"
mentions = ["hello_kernel, launched at"]
mode = "check"
*/

// Memory is freed on another stream than that of the kernel that uses it.
namespace streams_freed_on_another {

__global__ void fill_kernel(float* data) {
  data[threadIdx.x] = threadIdx.x;
}

PART(streams_freed_on_another) {
  float* scratch = nullptr;
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaMallocAsync(&scratch, 64 * sizeof(float), first));
  fill_kernel<<<1, 64, 0, first>>>(scratch);  // fault
  CHECK(cudaFreeAsync(scratch, second));      // fault
  CHECK_LAUNCH();
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

}  // namespace streams_freed_on_another

/* Reports:
kind = "race_across_streams"
mentions = ["cudaFreeAsync", "fill_kernel", "frees"]
mode = "check"
*/

// The weights are copied on one stream, and the kernel that reads them runs on another.
namespace streams_kernel_before_its_weights {

__constant__ float c_weights[4];

__global__ void scale_kernel(float* data) {
  data[threadIdx.x] *= c_weights[threadIdx.x % 4];
}

PART(streams_kernel_before_its_weights) {
  DeviceArray<float> data(64);
  float* weights = nullptr;
  CHECK(cudaMallocHost(&weights, sizeof c_weights));
  for (int i = 0; i < 4; ++i) weights[i] = static_cast<float>(i);
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyToSymbolAsync(c_weights, weights, 16, 0, cudaMemcpyDefault, first));  // fault
  scale_kernel<<<1, 64, 0, second>>>(data.data());                                      // fault
  CHECK_LAUNCH();
  CHECK(cudaFreeHost(weights));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

}  // namespace streams_kernel_before_its_weights

/* Reports:
kind = "race_across_streams"
mentions = ["cudaMemcpyToSymbolAsync", "`c_weights`", "scale_kernel"]
mode = "check"
*/

// The default stream clears an array, and a kernel of a stream that does not wait for it adds to it.
namespace streams_memset_on_the_default_stream {

__global__ void add_kernel(float* sums) {
  atomicAdd(&sums[threadIdx.x % 8], 1.0f);
}

PART(streams_memset_on_the_default_stream) {
  DeviceArray<float> sums(8);
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemset(sums.data(), 0, 8 * sizeof(float)));  // fault
  add_kernel<<<1, 64, 0, first>>>(sums.data());          // fault
  CHECK_LAUNCH();
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

}  // namespace streams_memset_on_the_default_stream

/* Reports:
kind = "race_across_streams"
mentions = ["cudaMemset", "the default stream", "add_kernel"]
mode = "check"
*/

// A kernel reads what a kernel of another stream writes, and no event orders the two.
namespace streams_two_kernels {

__global__ void fill_kernel(float* data) {
  data[threadIdx.x] = threadIdx.x;  // fault
}
__global__ void twice_kernel(const float* in, float* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];  // fault
}

PART(streams_two_kernels) {
  DeviceArray<float> in(64), out(64);
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaDeviceSynchronize());
  fill_kernel<<<1, 64, 0, first>>>(in.data());
  twice_kernel<<<1, 64, 0, second>>>(in.data(), out.data());
  CHECK_LAUNCH();
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

}  // namespace streams_two_kernels

/* Reports:
kind = "race_across_streams"
kernel = "twice_kernel"
mentions = ["fill_kernel, launched at", "the stream made at"]
mode = "check"
*/
