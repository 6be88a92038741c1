// SPDX-License-Identifier: MIT
// CUB: sums and scans of a block and of a warp; sums, scans, sorting and selecting on the device.
#include <cub/cub.cuh>

#include "../check.h"

constexpr int kThreads = 64;

__global__ void block_sums(const int* x, int* sum, int* before) {
  using Reduce = cub::BlockReduce<int, kThreads>;
  using Scan = cub::BlockScan<int, kThreads>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } storage;
  const int value = x[threadIdx.x];
  const int total = Reduce(storage.reduce).Sum(value);
  __syncthreads();
  int prefix = 0, all = 0;
  Scan(storage.scan).ExclusiveSum(value, prefix, all);
  before[threadIdx.x] = prefix;
  if (threadIdx.x == 0) {
    sum[0] = total;
    sum[1] = all;
  }
}

__global__ void warp_sums(const int* x, int* sums, int* upto) {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int>;
  __shared__ typename Reduce::TempStorage reduce[kThreads / 32];
  __shared__ typename Scan::TempStorage scan[kThreads / 32];
  const int warp = threadIdx.x / 32;
  const int sum = Reduce(reduce[warp]).Sum(x[threadIdx.x]);
  int prefix = 0;
  Scan(scan[warp]).InclusiveSum(x[threadIdx.x], prefix);
  upto[threadIdx.x] = prefix;
  if (threadIdx.x % 32 == 0) sums[warp] = sum;
}

struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

// Calls twice, as CUB wants it: for the size of the storage, and for the work.
template <class Call>
void with_storage(const Call& call) {
  size_t bytes = 0;
  CHECK(call(nullptr, bytes));
  void* storage = nullptr;
  CHECK(cudaMalloc(&storage, bytes));
  CHECK(call(storage, bytes));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(storage));
}

int main() {
  std::vector<int> host(kThreads);
  for (int i = 0; i < kThreads; ++i) host[i] = (i * 7) % 13 - 3;
  const DeviceArray<int> x(host);
  DeviceArray<int> sum(2), before(kThreads);
  block_sums<<<1, kThreads>>>(x.data(), sum.data(), before.data());
  CHECK_LAUNCH();
  show("block", sum.host());
  show("before the last", before.host()[kThreads - 1]);
  warp_sums<<<1, kThreads>>>(x.data(), sum.data(), before.data());
  CHECK_LAUNCH();
  show("warps", sum.host());
  show("up to 33", before.host()[33]);

  DeviceArray<int> in = {5, -3, 9, 3, -1, 9, 0, 2}, out(8), values = {0, 1, 2, 3, 4, 5, 6, 7},
                   moved(8), result(1);
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, in.data(), result.data(), 8);
  });
  show("sum", result.host());
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Max(storage, bytes, in.data(), result.data(), 8);
  });
  show("max", result.host());
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, in.data(), out.data(), 8);
  });
  show("exclusive", out.host());
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, in.data(), out.data(), values.data(),
                                           moved.data(), 8);
  });
  show("sorted", out.host());
  show("from", moved.host());
  DeviceArray<float> floats = {1.5f, -2.5f, 0.0f, 1e9f}, ordered(4);
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceRadixSort::SortKeysDescending(storage, bytes, floats.data(), ordered.data(),
                                                    4);
  });
  show("floats", ordered.host());
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceSelect::If(storage, bytes, in.data(), out.data(), result.data(), 8, IsEven());
  });
  show("even", result.host()[0], out.host()[0], out.host()[1]);
  DeviceArray<int> histogram(4);
  with_storage([&](void* storage, size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, in.data(), histogram.data(), 5, -4,
                                               12, 8);
  });
  show("histogram", histogram.host());
}

/* Prints:
block: 192 192
before the last: 183
warps: 87 105
up to 33: 7
sum: 24
max: 9
exclusive: 0 5 2 11 14 13 22 22
sorted: -3 -1 0 2 3 5 9 9
from: 1 4 6 7 3 0 2 5
floats: 1e+09 1.5 0 -2.5
even: 2 0 2
histogram: 2 3 1 2
*/
