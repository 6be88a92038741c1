// SPDX-License-Identifier: MIT
// A bitonic sort of keys with values in shared memory.
#include "../check.h"

__global__ void sort_kernel(unsigned* keys, int* values) {
  __shared__ unsigned sorted[512];
  __shared__ int carried[512];
  const unsigned i = threadIdx.x, n = blockDim.x;
  sorted[i] = keys[i];
  carried[i] = values[i];
  __syncthreads();
  for (unsigned size = 2; size <= n; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      const unsigned other = i ^ distance;
      if (other > i) {
        const bool ascending = (i & size) == 0;
        if ((sorted[i] > sorted[other]) == ascending) {
          const unsigned key = sorted[i];
          const int value = carried[i];
          sorted[i] = sorted[other], carried[i] = carried[other];
          sorted[other] = key, carried[other] = value;
        }
      }
      __syncthreads();
    }
  }
  keys[i] = sorted[i];
  values[i] = carried[i];
}

int main() {
  const int n = 512;
  std::vector<unsigned> keys(n);
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = (i * 2654435761u) >> 8;  // all different
    values[i] = i;
  }
  DeviceArray<unsigned> d_keys(keys);
  DeviceArray<int> d_values(values);
  sort_kernel<<<1, n>>>(d_keys.data(), d_values.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> sorted = d_keys.host();
  const std::vector<int> carried = d_values.host();
  int disorder = 0, mismatch = 0;
  for (int i = 0; i < n; ++i) {
    disorder += i > 0 && sorted[i - 1] > sorted[i];
    mismatch += keys[carried[i]] != sorted[i];
  }
  show("disorder, mismatch", disorder, mismatch);
  show("ends", sorted[0], sorted[n - 1], carried[0], carried[n - 1]);
}

/* Prints:
disorder, mismatch: 0 0
ends: 0 16757301 0 377
*/
