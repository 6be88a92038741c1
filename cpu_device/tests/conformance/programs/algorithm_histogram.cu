// SPDX-License-Identifier: MIT
// A histogram of bytes: counted in shared memory, then added up with global atomics.
#include "../check.h"

__global__ void histogram_kernel(const unsigned char* text, int n, unsigned* bins) {
  __shared__ unsigned local[256];
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[text[i]], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
    if (local[bin] != 0) atomicAdd(&bins[bin], local[bin]);
  }
}

int main() {
  const int n = 50000;
  std::vector<unsigned char> text(n);
  std::vector<unsigned> expected(256);
  unsigned state = 1;
  for (unsigned char& letter : text) {
    state = state * 1664525u + 1013904223u;
    letter = (state >> 24) & (state >> 16);
    ++expected[letter];
  }
  DeviceArray<unsigned char> d_text(text);
  DeviceArray<unsigned> bins(256);
  histogram_kernel<<<10, 96>>>(d_text.data(), n, bins.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> got = bins.host();
  expect("bins", got == expected);
  show("some", got[0], got[1], got[255]);
}

/* Prints:
bins: ok
some: 5096 1654 2
*/
