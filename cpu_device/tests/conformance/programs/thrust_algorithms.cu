// SPDX-License-Identifier: MIT
// Thrust: sums, scans, sorting, searching and selecting on the device.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include "../check.h"

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Axpy {
  int a;
  __host__ __device__ int operator()(int x, int y) const { return a * x + y; }
};
struct AddTo {
  int* sum;
  __device__ void operator()(int x) const { atomicAdd(sum, x); }
};

template <class T>
std::vector<T> listed(const thrust::device_vector<T>& values) {
  const thrust::host_vector<T> host = values;
  return std::vector<T>(host.begin(), host.end());
}

int main() {
  thrust::device_vector<int> x(8);
  thrust::sequence(x.begin(), x.end());
  show("sequence", listed(x));
  show("sum", thrust::reduce(x.begin(), x.end()));
  show("maximum", thrust::reduce(x.begin(), x.end(), -1, thrust::maximum<int>()));
  show("squares", thrust::transform_reduce(x.begin(), x.end(), Square(), 0, thrust::plus<int>()));
  show("dot", thrust::inner_product(x.begin(), x.end(), x.begin(), 0));

  thrust::device_vector<int> y(8, 1);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Axpy{3});
  show("axpy", listed(y));
  thrust::inclusive_scan(x.begin(), x.end(), y.begin());
  show("inclusive", listed(y));
  thrust::exclusive_scan(x.begin(), x.end(), y.begin(), 100);
  show("exclusive", listed(y));

  const int numbers[8] = {5, 3, 9, 3, 1, 9, 9, 2};
  thrust::device_vector<int> keys(numbers, numbers + 8);
  x.assign(numbers, numbers + 8);
  thrust::sequence(y.begin(), y.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), y.begin());
  show("keys", listed(keys));
  show("values", listed(y));
  thrust::sort(x.begin(), x.end(), thrust::greater<int>());
  show("downwards", listed(x));
  show("count", static_cast<int>(thrust::count(x.begin(), x.end(), 9)));
  show("odd", static_cast<int>(thrust::count_if(x.begin(), x.end(), IsOdd())));
  show("place", static_cast<int>(thrust::lower_bound(keys.begin(), keys.end(), 5) - keys.begin()));
  show("smallest at", static_cast<int>(thrust::min_element(x.begin(), x.end()) - x.begin()));

  thrust::device_vector<int> groups(8), sums(8);
  const thrust::device_vector<int> ones(8, 1);
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), ones.begin(), groups.begin(), sums.begin());
  groups.resize(ends.first - groups.begin());
  sums.resize(ends.second - sums.begin());
  show("groups", listed(groups));
  show("sizes", listed(sums));

  thrust::device_vector<int> odd(8);
  odd.resize(thrust::copy_if(x.begin(), x.end(), odd.begin(), IsOdd()) - odd.begin());
  show("odd ones", listed(odd));
  x.erase(thrust::unique(x.begin(), x.end()), x.end());
  show("unique", listed(x));
  x.erase(thrust::remove_if(x.begin(), x.end(), IsOdd()), x.end());
  show("even", listed(x));

  // On raw pointers with a policy, and on a stream.
  DeviceArray<int> raw(4), total(1);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  thrust::fill(thrust::cuda::par.on(stream), raw.data(), raw.data() + 4, 11);
  thrust::for_each(thrust::device, raw.data(), raw.data() + 4, AddTo{total.data()});
  show("raw", raw.host());
  show("total", total.host());
  CHECK(cudaStreamDestroy(stream));
}

/* Prints:
sequence: 0 1 2 3 4 5 6 7
sum: 28
maximum: 7
squares: 140
dot: 140
axpy: 1 4 7 10 13 16 19 22
inclusive: 0 1 3 6 10 15 21 28
exclusive: 100 100 101 103 106 110 115 121
keys: 1 2 3 3 5 9 9 9
values: 4 7 1 3 0 2 5 6
downwards: 9 9 9 5 3 3 2 1
count: 3
odd: 7
place: 4
smallest at: 7
groups: 1 2 3 5 9
sizes: 1 1 2 1 3
odd ones: 9 9 9 5 3 3 1
unique: 9 5 3 2 1
even: 2
raw: 11 11 11 11
total: 44
*/
