// SPDX-License-Identifier: MIT
// Pinned host memory: cudaMallocHost, cudaHostAlloc, their device addresses, use from kernels.
#include "../check.h"

__global__ void double_kernel(int* data) {
  data[threadIdx.x] *= 2;
}

int main() {
  int *pinned = nullptr, *mapped = nullptr, *d_mapped = nullptr, *d_copy = nullptr;
  CHECK(cudaMallocHost(&pinned, 4 * sizeof(int)));
  CHECK(cudaHostAlloc(&mapped, 4 * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
  CHECK(cudaMalloc(&d_copy, 4 * sizeof(int)));
  for (int i = 0; i < 4; ++i) pinned[i] = mapped[i] = i + 1;
  double_kernel<<<1, 4>>>(pinned);  // one address for both sides
  CHECK_LAUNCH();
  show("pinned", std::vector<int>(pinned, pinned + 4));
  CHECK(cudaHostGetDevicePointer(&d_mapped, mapped, 0));
  double_kernel<<<1, 4>>>(d_mapped);
  CHECK_LAUNCH();
  show("mapped", std::vector<int>(mapped, mapped + 4));
  CHECK(cudaMemcpyAsync(d_copy, pinned, 4 * sizeof(int), cudaMemcpyHostToDevice));
  double_kernel<<<1, 4>>>(d_copy);
  CHECK(cudaMemcpyAsync(mapped, d_copy, 4 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaStreamSynchronize(cudaStreamLegacy));
  show("copied", std::vector<int>(mapped, mapped + 4));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFreeHost(mapped));
  CHECK(cudaFreeHost(nullptr));
  CHECK(cudaFree(d_copy));
}

/* Prints:
pinned: 2 4 6 8
mapped: 2 4 6 8
copied: 4 8 12 16
*/
