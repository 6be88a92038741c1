// SPDX-License-Identifier: MIT
// Every lane calls, but the mask names only the lower half.
#include "../check.h"

__global__ void vote_kernel(unsigned* out) {
  const unsigned votes = __ballot_sync(0x0000ffff, threadIdx.x % 2);  // fault: lane 16 is not named
  out[threadIdx.x] = votes;
}

int main() {
  unsigned* d_out = nullptr;
  CHECK(cudaMalloc(&d_out, 32 * sizeof(unsigned)));
  vote_kernel<<<1, 32>>>(d_out);
  CHECK_LAUNCH();
  CHECK(cudaFree(d_out));
}

/* Reports:
kind = "shuffle_mask"
kernel = "vote_kernel"
line = 6
mentions = ["lane"]
mode = "any"
*/
