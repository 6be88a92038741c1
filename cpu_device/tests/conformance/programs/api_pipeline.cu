// SPDX-License-Identifier: MIT
// Copies and kernels of chunks over three streams, from and to pinned memory.
#include "../check.h"

__global__ void square_kernel(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * data[i];
}

int main() {
  const int n = 3000, chunk = 400;
  float *in = nullptr, *out = nullptr, *d_data = nullptr;
  CHECK(cudaMallocHost(&in, n * sizeof(float)));
  CHECK(cudaMallocHost(&out, n * sizeof(float)));
  CHECK(cudaMalloc(&d_data, n * sizeof(float)));
  for (int i = 0; i < n; ++i) in[i] = i % 1000, out[i] = -1;
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
  for (int first = 0, k = 0; first < n; first += chunk, ++k) {
    const int size = first + chunk < n ? chunk : n - first;
    cudaStream_t stream = streams[k % 3];
    CHECK(cudaMemcpyAsync(d_data + first, in + first, size * sizeof(float), cudaMemcpyHostToDevice,
                          stream));
    square_kernel<<<(size + 127) / 128, 128, 0, stream>>>(d_data + first, size);
    CHECK(cudaMemcpyAsync(out + first, d_data + first, size * sizeof(float), cudaMemcpyDeviceToHost,
                          stream));
  }
  for (cudaStream_t stream : streams) CHECK(cudaStreamSynchronize(stream));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != float(i % 1000) * float(i % 1000);
  show("wrong", wrong);
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaMemsetAsync(d_data, 0, n * sizeof(float), 0));
  CHECK(cudaMemcpy(out, d_data, n * sizeof(float), cudaMemcpyDeviceToHost));
  show("cleared", out[0], out[n - 1]);
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  CHECK(cudaFree(d_data));
}

/* Prints:
wrong: 0
cleared: 0 0
*/
