// SPDX-License-Identifier: MIT
// Sum, minimum and maximum of a block by a tree in shared memory, for sizes that are no power of
// two.
#include "../check.h"

struct Summary {
  int sum, smallest, largest;
};

template <int kThreads>
__global__ void reduce_kernel(const int* in, int n, Summary* out) {
  __shared__ int sums[kThreads], smallest[kThreads], largest[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  sums[t] = i < n ? in[i] : 0;
  smallest[t] = i < n ? in[i] : 1 << 30;
  largest[t] = i < n ? in[i] : -(1 << 30);
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) {
      sums[t] += sums[t + half];
      smallest[t] = min(smallest[t], smallest[t + half]);
      largest[t] = max(largest[t], largest[t + half]);
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = {sums[0], smallest[0], largest[0]};
}

template <int kThreads>
void run(int n) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = (i * 7919) % 10007 - 5000;
  const int blocks = (n + kThreads - 1) / kThreads;
  DeviceArray<int> in(values);
  DeviceArray<Summary> out(blocks);
  reduce_kernel<kThreads><<<blocks, kThreads>>>(in.data(), n, out.data());
  CHECK_LAUNCH();
  Summary all = {0, 1 << 30, -(1 << 30)};
  for (const Summary& block : out.host()) {
    all.sum += block.sum;
    all.smallest = block.smallest < all.smallest ? block.smallest : all.smallest;
    all.largest = block.largest > all.largest ? block.largest : all.largest;
  }
  show("sum, smallest, largest", all.sum, all.smallest, all.largest);
}

int main() {
  run<256>(5000);
  run<64>(100);
  run<1024>(1024);
  run<32>(1);
}

/* Prints:
sum, smallest, largest: 31078 -5000 5006
sum, smallest, largest: 1981 -5000 4930
sum, smallest, largest: 4312 -5000 4997
sum, smallest, largest: -5000 -5000 -5000
*/
