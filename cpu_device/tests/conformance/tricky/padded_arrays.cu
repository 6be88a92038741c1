// SPDX-License-Identifier: MIT
// Padding that is never touched, rows of different use, columns read across banks.
#include "../check.h"

struct Sample {
  char tag;  // three bytes of padding follow
  int value;
};

__global__ void padded_kernel(const float* in, float* out, Sample* samples) {
  __shared__ float tile[32][33];
  __shared__ Sample staged[32];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int row = y; row < 32; row += blockDim.y) tile[row][x] = in[row * 32 + x];
  if (y == 0) {
    staged[x].tag = 'a' + x % 26;
    staged[x].value = x;
  }
  __syncthreads();
  for (int row = y; row < 32; row += blockDim.y) out[row * 32 + x] = tile[x][row];
  if (y == 1) samples[x] = staged[31 - x];
}

int main() {
  std::vector<float> values(1024);
  for (int i = 0; i < 1024; ++i) values[i] = i;
  DeviceArray<float> in(values), out(1024);
  Sample *d_samples = nullptr, samples[32];
  CHECK(cudaMalloc(&d_samples, sizeof(samples)));
  padded_kernel<<<1, dim3(32, 4)>>>(in.data(), out.data(), d_samples);
  CHECK(cudaMemcpy(samples, d_samples, sizeof(samples), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_samples));
  int wrong = 0;
  const std::vector<float> got = out.host();
  for (int i = 0; i < 1024; ++i) wrong += got[i] != i % 32 * 32 + i / 32;
  for (int i = 0; i < 32; ++i)
    wrong += samples[i].value != 31 - i || samples[i].tag != 'a' + (31 - i) % 26;
  show("wrong", wrong);
}

/* Prints:
wrong: 0
*/
