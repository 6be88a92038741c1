// SPDX-License-Identifier: MIT
// Vector loads and stores that end exactly where the array ends.
#include "../check.h"

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  if (4 * i + 4 <= n) {
    reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  } else {
    for (int k = 4 * i; k < n; ++k) out[k] = in[k];
  }
}

__global__ void shared_kernel(const double* in, double* out) {
  __shared__ __align__(16) double cells[10];
  const int i = threadIdx.x;
  reinterpret_cast<double2*>(cells)[i] = reinterpret_cast<const double2*>(in)[i];
  __syncthreads();
  const double* end = cells + 10;  // a pointer past the end, never followed
  double sum = 0;
  for (const double* cell = cells; cell != end; ++cell) sum += *cell;
  out[i] = sum + cells[9 - i];
}

int main() {
  for (int n : {1, 4, 7, 64}) {
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i) values[i] = i + 0.5f;
    DeviceArray<float> in(values), out(n);
    copy_kernel<<<1, 32>>>(in.data(), out.data(), n);
    CHECK_LAUNCH();
    expect("copied", out.host() == values);
  }
  DeviceArray<double> in({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), out(5);
  shared_kernel<<<1, 5>>>(in.data(), out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

/* Prints:
copied: ok
copied: ok
copied: ok
copied: ok
sums: 54 53 52 51 50
*/
