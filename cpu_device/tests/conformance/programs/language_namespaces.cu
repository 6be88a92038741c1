// SPDX-License-Identifier: MIT
// Kernels in namespaces, launched by qualified names, after `using`, and through an alias.
#include "../check.h"

namespace outer {
__global__ void fill_kernel(int* data) {
  data[threadIdx.x] = 1;
}
namespace inner {
__global__ void fill_kernel(int* data) {
  data[threadIdx.x] = 2;
}
template <int kValue>
__global__ void fill_with_kernel(int* data) {
  data[threadIdx.x] = kValue;
}
}  // namespace inner
inline namespace version_two {
__global__ void newest_kernel(int* data) {
  data[threadIdx.x] = 3;
}
}  // namespace version_two
void from_inside(int* data) {
  inner::fill_kernel<<<1, 2>>>(data);
}
}  // namespace outer

namespace {
__global__ void fill_kernel(int* data) {
  data[threadIdx.x] = 4;
}
}  // namespace

namespace short_name = outer::inner;

int main() {
  DeviceArray<int> data(2);
  outer::fill_kernel<<<1, 2>>>(data.data());
  show("outer", data.host());
  outer::inner::fill_kernel<<<1, 2>>>(data.data());
  show("inner", data.host());
  outer::newest_kernel<<<1, 2>>>(data.data());
  show("inline", data.host());
  ::fill_kernel<<<1, 2>>>(data.data());
  show("unnamed", data.host());
  short_name::fill_with_kernel<5><<<1, 2>>>(data.data());
  show("alias", data.host());
  using outer::inner::fill_with_kernel;
  fill_with_kernel<6><<<1, 2>>>(data.data());
  show("using", data.host());
  outer::from_inside(data.data());
  show("from inside", data.host());
}

/* Prints:
outer: 1 1
inner: 2 2
inline: 3 3
unnamed: 4 4
alias: 5 5
using: 6 6
from inside: 2 2
*/
