// SPDX-License-Identifier: MIT
// A tile is loaded again while others still read it: the barrier at the loop's end is missing.
#include "../check.h"

constexpr int kTile = 64;

__global__ void sums_kernel(const int* in, int* out, int n) {
  __shared__ int tile[kTile];
  const int t = threadIdx.x;
  int sum = 0;
  for (int first = 0; first < n; first += kTile) {
    tile[t] = in[first + t];  // fault
    __syncthreads();
    for (int k = 0; k <= t; ++k) {
      sum += tile[k];  // fault
    }
  }
  out[t] = sum;
}

int main() {
  const int n = 4 * kTile;
  int *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, n * sizeof(int)));
  CHECK(cudaMalloc(&d_out, kTile * sizeof(int)));
  CHECK(cudaMemset(d_in, 0, n * sizeof(int)));
  sums_kernel<<<1, kTile>>>(d_in, d_out, n);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "race_shared"
kernel = "sums_kernel"
mentions = ["tile"]
mode = "check"
*/
