// SPDX-License-Identifier: MIT
// Prefix sums: Hillis and Steele's and Blelloch's in one block, and over blocks in three kernels.
#include "../check.h"

__global__ void inclusive_kernel(int* data) {
  __shared__ int buffers[2][128];
  const int i = threadIdx.x, n = blockDim.x;
  int from = 0;
  buffers[from][i] = data[i];
  for (int by = 1; by < n; by *= 2) {
    __syncthreads();
    const int* in = buffers[from];
    buffers[1 - from][i] = i >= by ? in[i] + in[i - by] : in[i];
    from = 1 - from;
  }
  data[i] = buffers[from][i];
}

__global__ void exclusive_kernel(int* data, int* totals) {
  extern __shared__ int tree[];
  const int i = threadIdx.x, n = 2 * blockDim.x;
  int* mine = data + blockIdx.x * n;
  tree[2 * i] = mine[2 * i];
  tree[2 * i + 1] = mine[2 * i + 1];
  int offset = 1;
  for (int d = n / 2; d > 0; d /= 2, offset *= 2) {
    __syncthreads();
    if (i < d) tree[offset * (2 * i + 2) - 1] += tree[offset * (2 * i + 1) - 1];
  }
  if (i == 0) {
    totals[blockIdx.x] = tree[n - 1];
    tree[n - 1] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (i < d) {
      const int left = offset * (2 * i + 1) - 1, right = offset * (2 * i + 2) - 1;
      const int kept = tree[left];
      tree[left] = tree[right];
      tree[right] += kept;
    }
  }
  __syncthreads();
  mine[2 * i] = tree[2 * i];
  mine[2 * i + 1] = tree[2 * i + 1];
}

__global__ void add_kernel(int* data, const int* offsets) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += offsets[blockIdx.x];
}

int main() {
  std::vector<int> values(100);
  for (int i = 0; i < 100; ++i) values[i] = i % 7;
  DeviceArray<int> data(values);
  inclusive_kernel<<<1, 100>>>(data.data());
  CHECK_LAUNCH();
  const std::vector<int> inclusive = data.host();
  show("inclusive", inclusive[0], inclusive[6], inclusive[7], inclusive[99]);

  const int blocks = 8, size = 64, n = blocks * size;
  std::vector<int> many(n);
  for (int i = 0; i < n; ++i) many[i] = i % 11 - 3;
  DeviceArray<int> d_many(many), totals(blocks), unused(1);
  exclusive_kernel<<<blocks, size / 2, size * sizeof(int)>>>(d_many.data(), totals.data());
  exclusive_kernel<<<1, blocks / 2, blocks * sizeof(int)>>>(totals.data(), unused.data());
  add_kernel<<<blocks, size>>>(d_many.data(), totals.data());
  CHECK_LAUNCH();
  int wrong = 0, sum = 0;
  const std::vector<int> got = d_many.host();
  for (int i = 0; i < n; sum += many[i++]) wrong += got[i] != sum;
  show("exclusive, wrong", wrong);
  show("last, total", got[n - 1], unused.host()[0]);
}

/* Prints:
inclusive: 0 21 21 295
exclusive, wrong: 0
last, total: 1007 1009
*/
