// SPDX-License-Identifier: MIT
// Thrust and CUB.
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <cub/cub.cuh>
#include <iostream>
#include <iterator>

#include "../check.h"
#include "../parts.h"

// Thrust: sums, scans, sorting, searching and selecting on the device.
namespace thrust_algorithms {

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

PART(thrust_algorithms) {
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
  int here[4] = {-5, 3, -1, 8};
  thrust::exclusive_scan(here, here + 4, here, 1, thrust::maximum<int>());
  show("of an array of the host", std::vector<int>(here, here + 4));

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

}  // namespace thrust_algorithms

/* Prints:
sequence: 0 1 2 3 4 5 6 7
sum: 28
maximum: 7
squares: 140
dot: 140
axpy: 1 4 7 10 13 16 19 22
inclusive: 0 1 3 6 10 15 21 28
exclusive: 100 100 101 103 106 110 115 121
of an array of the host: 1 1 3 3
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

// Thrust: vectors on both sides, elements one by one, pointers, and iterators that compute.
namespace thrust_vectors {

struct Half {
  __host__ __device__ float operator()(int x) const { return 0.5f * static_cast<float>(x); }
};
struct Product {
  __host__ __device__ float operator()(const thrust::tuple<float, float>& t) const {
    return thrust::get<0>(t) * thrust::get<1>(t);
  }
};

__global__ void double_all(float* x) {
  x[threadIdx.x] *= 2;
}

// A whole algorithm within one thread.
__global__ void sort_rows(int* x, int width) {
  int* row = x + threadIdx.x * width;
  thrust::sort(thrust::seq, row, row + width);
}

PART(thrust_vectors) {
  thrust::host_vector<float> host(4);
  for (int i = 0; i < 4; ++i) host[i] = static_cast<float>(i + 1);
  thrust::device_vector<float> x = host;
  double_all<<<1, 4>>>(thrust::raw_pointer_cast(x.data()));
  x[1] = 0.25f;
  x.push_back(x[3]);
  show("elements", x[0], x[1], x[2], x[3], x[4]);
  show("size", x.size());
  std::vector<float> plain(x.size());
  thrust::copy(x.begin(), x.end(), plain.begin());
  show("copied", plain);

  float* d_raw = nullptr;
  CHECK(cudaMalloc(&d_raw, 3 * sizeof(float)));
  thrust::device_ptr<float> pointer = thrust::device_pointer_cast(d_raw);
  thrust::fill(pointer, pointer + 3, 1.5f);
  show("by pointer", thrust::reduce(pointer, pointer + 3));
  show("one", static_cast<float>(*(pointer + 2)));
  CHECK(cudaFree(d_raw));

  const auto count = thrust::make_counting_iterator(0);
  show("counted", thrust::reduce(thrust::device, count, count + 10));
  const auto halves = thrust::make_transform_iterator(count, Half());
  thrust::device_vector<float> y(4);
  thrust::copy(thrust::device, halves, halves + 4, y.begin());
  show("halves", y[0], y[1], y[2], y[3]);
  const auto both = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
  thrust::device_vector<float> z(4);
  thrust::transform(both, both + 4, z.begin(), Product());
  show("products", z[0], z[1], z[2], z[3]);
  thrust::device_vector<int> order(2);
  order[0] = 3;
  order[1] = 1;
  const auto chosen = thrust::make_permutation_iterator(y.begin(), order.begin());
  show("chosen", thrust::reduce(chosen, chosen + 2));

  DeviceArray<int> rows = {3, 1, 2, 9, 8, 7};
  sort_rows<<<1, 2>>>(rows.data(), 3);
  CHECK_LAUNCH();
  show("rows", rows.host());
}

}  // namespace thrust_vectors

/* Prints:
elements: 2 0.25 6 8 8
size: 5
copied: 2 0.25 6 8 8
by pointer: 4.5
one: 1.5
counted: 45
halves: 0 0.5 1 1.5
products: 0 0.125 6 12
chosen: 2
rows: 1 2 3 7 8 9
*/

// The first of each run of equal elements, and both parts of a partition.
namespace thrust_runs_and_parts {

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

struct SameTens {
  __host__ __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

template <class Vector, class End>
std::vector<int> up_to(const Vector& all, End end) {
  std::vector<int> part(end - all.begin());
  thrust::copy(all.begin(), all.begin() + part.size(), part.begin());
  return part;
}

PART(thrust_runs_and_parts) {
  const int numbers[] = {11, 11, 12, 31, 31, 11}, tags[] = {1, 2, 3, 4, 5, 6};
  thrust::device_vector<int> keys(numbers, numbers + 6), values(tags, tags + 6), a(6), b(6);
  show("unique copy", up_to(a, thrust::unique_copy(keys.begin(), keys.end(), a.begin())));
  show("same tens", up_to(a, thrust::unique_copy(thrust::device, keys.begin(), keys.end(),
                                                 a.begin(), SameTens())));
  auto ends =
      thrust::unique_by_key_copy(keys.begin(), keys.end(), values.begin(), a.begin(), b.begin());
  show("keys", up_to(a, ends.first));
  show("values", up_to(b, ends.second));
  auto parts = thrust::partition_copy(values.begin(), values.end(), a.begin(), b.begin(), IsOdd());
  show("odd", up_to(a, parts.first));
  show("even", up_to(b, parts.second));
  parts = thrust::stable_partition_copy(values.begin(), values.end(), keys.begin(), a.begin(),
                                        b.begin(), IsOdd());
  show("of odd keys", up_to(a, parts.first));
  show("of even keys", up_to(b, parts.second));
  ends = thrust::unique_by_key(keys.begin(), keys.end(), values.begin(), SameTens());
  show("keys in place", up_to(keys, ends.first));
  show("values in place", up_to(values, ends.second));
}

}  // namespace thrust_runs_and_parts

/* Prints:
unique copy: 11 12 31 11
same tens: 11 31 11
keys: 11 12 31 11
values: 1 3 4 6
odd: 1 3 5
even: 2 4 6
of odd keys: 1 2 4 5 6
of even keys: 3
keys in place: 11 31 11
values in place: 1 4 6
*/

// Searches for several values at once and with an order; function objects that are not const.
namespace thrust_searches {

struct EvensFirst {
  __host__ __device__ bool operator()(int a, int b) { return a % 2 == b % 2 ? a < b : a % 2 == 0; }
};

PART(thrust_searches) {
  const int values[] = {1, 3, 3, 3, 8, 9};
  thrust::device_vector<int> sorted(values, values + 6), wanted(3), places(3);
  wanted[0] = 3;
  wanted[1] = 10;
  wanted[2] = 0;
  thrust::lower_bound(sorted.begin(), sorted.end(), wanted.begin(), wanted.end(), places.begin());
  show("lower", int(places[0]), int(places[1]), int(places[2]));
  const auto end = thrust::upper_bound(thrust::device, sorted.begin(), sorted.end(), wanted.begin(),
                                       wanted.end(), places.begin());
  show("upper", int(places[0]), int(places[1]), int(places[2]), int(end - places.begin()));
  thrust::device_vector<bool> found(3);
  thrust::binary_search(sorted.begin(), sorted.end(), wanted.begin(), wanted.end(), found.begin());
  show("found", int(found[0]), int(found[1]), int(found[2]));
  // A cumulative histogram.
  thrust::device_vector<int> histogram(10);
  const thrust::counting_iterator<int> bin(0);
  thrust::upper_bound(sorted.begin(), sorted.end(), bin, bin + 10, histogram.begin());
  std::vector<int> ends(10);
  thrust::copy(histogram.begin(), histogram.end(), ends.begin());
  show("ends", ends);
  thrust::sort(sorted.begin(), sorted.end(), thrust::greater<int>());
  show("descending",
       int(thrust::lower_bound(sorted.begin(), sorted.end(), 3, thrust::greater<int>()) -
           sorted.begin()),
       int(thrust::binary_search(sorted.begin(), sorted.end(), 9, thrust::greater<int>())));
  thrust::sort(sorted.begin(), sorted.end(), EvensFirst());
  show("evens first", int(sorted[0]), int(sorted[1]), int(sorted[5]));
}

}  // namespace thrust_searches

/* Prints:
lower: 1 6 0
upper: 4 6 0 3
found: 1 0 0
ends: 0 1 1 4 4 4 4 4 5 6
descending: 2 1
evens first: 8 1 9
*/

// Thrust: random numbers by the same formulas, expressions of placeholders, copies to a stream.
namespace thrust_expressions {

using namespace thrust::placeholders;

// Each thread goes on in a sequence of its own.
__global__ void draw(int* numbers) {
  thrust::minstd_rand engine(7);
  engine.discard(2 * threadIdx.x);
  thrust::uniform_int_distribution<int> dice(1, 6);
  for (int i = 0; i < 2; ++i) numbers[2 * threadIdx.x + i] = dice(engine);
}

PART(thrust_expressions) {
  thrust::default_random_engine engine(123456);
  thrust::uniform_int_distribution<int> two_digits(10, 99);
  std::vector<int> drawn(8);
  for (int& x : drawn) x = two_digits(engine);
  show("drawn", drawn);
  thrust::random::minstd_rand0 older;
  older.discard(9999);
  show("the 10000th", older());
  thrust::uniform_real_distribution<float> part(0.f, 1.f);
  thrust::minstd_rand again(123456);
  const float first = part(again), second = part(again);
  show("parts", first > 0.775f, second < 0.7661f, two_digits.min(), two_digits.max());
  thrust::normal_distribution<double> normal(5.0, 2.0);
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += normal(engine);
  show("mean", std::abs(sum / 1000 - 5.0) < 0.2 ? "ok" : "wrong");
  DeviceArray<int> numbers(8);
  draw<<<1, 4>>>(numbers.data());
  CHECK_LAUNCH();
  show("in a kernel", numbers.host());

  thrust::device_vector<float> x(4), y(4, 0.5f);
  thrust::sequence(x.begin(), x.end());
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), 2.0f * _1 + _2);
  thrust::copy(y.begin(), y.end(), std::ostream_iterator<float>(std::cout, ";"));
  std::cout << std::endl;
  show("above", thrust::count_if(y.begin(), y.end(), _1 > 2.f && _1 <= 4.5f));
  thrust::for_each(x.begin(), x.end(), _1 *= 3.0f);
  const thrust::host_vector<float> scaled = x;
  thrust::copy(scaled.begin(), scaled.end(), std::ostream_iterator<float>(std::cout, ","));
  std::cout << std::endl;
  show("odd", thrust::reduce(x.begin(), x.end(), 0.f, _1 - -_2));
}
/* Prints:
drawn: 79 78 62 78 94 40 86 57
the 10000th: 1043618065
parts: 1 1 10 99
mean: ok
in a kernel: 1 4 2 2 5 2 4 5
0.5;2.5;4.5;6.5;
above: 2
0,3,6,9,
odd: 18
*/

}  // namespace thrust_expressions

// CUB: sums and scans of a block and of a warp; sums, scans, sorting and selecting on the device.
namespace cub_primitives {

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

// cub.cuh brings the types of 16 bits with it.
static_assert(sizeof(nv_bfloat16) == 2 && sizeof(__half) == 2);

PART(cub_primitives) {
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

}  // namespace cub_primitives

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

// Complex numbers of Thrust, and a sort by the threads of a block.
namespace complex_and_block_sort {

template <int items>
__global__ void sort_kernel(float* keys, int* values, unsigned* small) {
  using Sort = cub::BlockRadixSort<float, 32, items, int>;
  using SortSmall = cub::BlockRadixSort<unsigned, 32, items>;
  __shared__ typename Sort::TempStorage storage;
  __shared__ typename SortSmall::TempStorage small_storage;
  float key[items];
  int value[items];
  unsigned part[items];
  for (int i = 0; i < items; ++i) {
    value[i] = threadIdx.x * items + i;
    key[i] = keys[value[i]];
    part[i] = small[value[i]];
  }
  Sort(storage).Sort(key, value);
  SortSmall(small_storage).SortDescendingBlockedToStriped(part, 0, 4);
  for (int i = 0; i < items; ++i) {
    keys[threadIdx.x * items + i] = key[i];
    values[threadIdx.x * items + i] = value[i];
    small[i * 32 + threadIdx.x] = part[i];
  }
}

__global__ void complex_kernel(thrust::complex<float>* z) {
  const thrust::complex<float> i(0, 1);
  z[0] = z[0] * z[1] + thrust::conj(z[1]) * 2.0f;
  z[1] = thrust::complex<float>(thrust::abs(thrust::complex<float>(3, -4)), thrust::norm(z[1]));
  z[2] = thrust::exp(i * 0.0f) / i;
}

PART(complex_and_block_sort) {
  std::vector<float> keys(96);
  std::vector<unsigned> small(96);
  for (int i = 0; i < 96; ++i) {
    keys[i] = static_cast<float>(i * 37 % 48 - 20);
    small[i] = static_cast<unsigned>(i * 7) % 64;
  }
  const DeviceArray<float> d_keys(keys);
  const DeviceArray<int> d_values(96);
  const DeviceArray<unsigned> d_small(small);
  sort_kernel<3><<<1, 32>>>(d_keys.data(), d_values.data(), d_small.data());
  CHECK_LAUNCH();
  const std::vector<float> sorted = d_keys.host();
  const std::vector<int> values = d_values.host();
  bool right = true;
  for (int i = 0; i < 96; ++i) {
    right = right && sorted[i] == keys[values[i]];
    if (i == 0) continue;
    right = right && (sorted[i - 1] < sorted[i] ||
                      (sorted[i - 1] == sorted[i] && values[i - 1] < values[i]));
  }
  expect("sorted, equal keys in order", right);
  right = true;
  const std::vector<unsigned> parts = d_small.host();
  for (int i = 1; i < 96; ++i) right = right && parts[i - 1] % 16 >= parts[i] % 16;
  expect("by four bits", right);
  show("first", parts[0], parts[1], parts[2]);

  const std::vector<thrust::complex<float>> z{{1, 2}, {3, -1}, {0, 0}};
  const DeviceArray<thrust::complex<float>> d_z(z);
  complex_kernel<<<1, 1>>>(d_z.data());
  CHECK_LAUNCH();
  for (const thrust::complex<float>& value : d_z.host()) {
    show("complex", value.real() + 0, value.imag() + 0);
  }
}

}  // namespace complex_and_block_sort

/* Prints:
sorted, equal keys in order: ok
by four bits: ok
first: 63 47 31
complex: 11 7
complex: 5 10
complex: 0 -1
*/

// Collectives that bring their own shared memory, two of one type one after the other.
namespace cub_without_storage {

struct Larger {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

__global__ void sums_kernel(const int* x, int* out) {
  int values[2];
  cub::BlockLoad<int, 32, 2>().Load(x, values);
  const int sum = cub::BlockReduce<int, 32>().Sum(values);
  __syncthreads();
  const int largest = cub::BlockReduce<int, 32>().Reduce(values[0] ^ values[1], Larger());
  __syncthreads();
  int before = 0;
  cub::BlockScan<int, 32>().ExclusiveSum(values[0], before);
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = largest;
  }
  if (threadIdx.x == 31) out[2] = before;
}

PART(cub_without_storage) {
  std::vector<int> x(64);
  for (int i = 0; i < 64; ++i) x[i] = i;
  const DeviceArray<int> d_x(x), d_out(3);
  sums_kernel<<<1, 32>>>(d_x.data(), d_out.data());
  CHECK_LAUNCH();
  const std::vector<int> out = d_out.host();
  show("sum, largest, before", out[0], out[1], out[2]);
}

}  // namespace cub_without_storage

/* Prints:
sum, largest, before: 2016 1 930
*/
