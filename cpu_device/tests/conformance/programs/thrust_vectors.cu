// SPDX-License-Identifier: MIT
// Thrust: vectors on both sides, elements one by one, pointers, and iterators that compute.
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include "../check.h"

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

int main() {
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
