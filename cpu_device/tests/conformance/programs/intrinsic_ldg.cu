// SPDX-License-Identifier: MIT
// __ldg reads plain and vector types.
#include "../check.h"

__global__ void ldg_kernel(const int* ints, const float4* vectors, const double* reals,
                           const unsigned char* bytes, const long long* wide, const uchar4* pixels,
                           double* out) {
  const int i = threadIdx.x;
  const float4 v = __ldg(&vectors[i]);
  const uchar4 p = __ldg(pixels + i);
  out[i] = __ldg(ints + i) + v.x + v.w + __ldg(reals + i) + __ldg(&bytes[i]) +
           static_cast<double>(__ldg(&wide[i]) >> 40) + p.x + p.w;
}

int main() {
  DeviceArray<int> ints({1, 2});
  DeviceArray<float4> vectors({{10, 0, 0, 20}, {30, 0, 0, 40}});
  DeviceArray<double> reals({0.5, 0.25}), out(2);
  DeviceArray<unsigned char> bytes({200, 100});
  DeviceArray<long long> wide({1000ll << 40, 2000ll << 40});
  DeviceArray<uchar4> pixels({{1, 2, 3, 4}, {5, 6, 7, 8}});
  ldg_kernel<<<1, 2>>>(ints.data(), vectors.data(), reals.data(), bytes.data(), wide.data(),
                       pixels.data(), out.data());
  CHECK_LAUNCH();
  show("sums", out.host());
}

/* Prints:
sums: 1236.5 2185.25
*/
