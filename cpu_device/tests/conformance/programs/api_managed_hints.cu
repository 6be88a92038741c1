// SPDX-License-Identifier: MIT
// Managed memory can be asked to be near the device, then near the host; other memory cannot.
#include "../check.h"

__global__ void twice_kernel(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}

int main() {
  const int n = 1000;
  int* data = nullptr;
  CHECK(cudaMallocManaged(&data, n * sizeof(int)));
  for (int i = 0; i < n; ++i) data[i] = i;
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0},
                        host = {cudaMemLocationTypeHost, 0};
  CHECK(cudaMemAdvise(data, n * sizeof(int), cudaMemAdviseSetPreferredLocation, device));
  CHECK(cudaMemPrefetchAsync(data, n * sizeof(int), device, 0));
  twice_kernel<<<(n + 255) / 256, 256>>>(data, n);
  CHECK_LAUNCH();
  CHECK(cudaMemPrefetchAsync(data + 500, 500 * sizeof(int), host, 0));
  CHECK(cudaDeviceSynchronize());
  std::printf("%d %d\n", data[1], data[999]);
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, n * sizeof(int)));
  std::printf("cudaMalloc: %s\n",
              cudaGetErrorName(cudaMemPrefetchAsync(d_data, n * sizeof(int), device, 0)));
  std::printf("no bytes: %s\n", cudaGetErrorName(cudaMemPrefetchAsync(data, 0, device, 0)));
  CHECK(cudaFree(d_data));
  CHECK(cudaFree(data));
}

/* Prints:
2 1998
cudaMalloc: cudaErrorInvalidValue
no bytes: cudaErrorInvalidValue
*/
