// SPDX-License-Identifier: MIT
// saxpy three ways: a thread an element, a grid-stride loop, four elements a thread with a tail.
#include "../check.h"

__global__ void element_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void stride_kernel(float a, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

__global__ void vector_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    const float4 u = reinterpret_cast<const float4*>(x)[i];
    float4 v = reinterpret_cast<float4*>(y)[i];
    v.x += a * u.x, v.y += a * u.y, v.z += a * u.z, v.w += a * u.w;
    reinterpret_cast<float4*>(y)[i] = v;
  } else {
    for (int k = 4 * i; k < n; ++k) y[k] = a * x[k] + y[k];
  }
}

int main() {
  const int n = 10001;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = i % 100, y[i] = -(i % 50);
  DeviceArray<float> d_x(x), d_y(y);
  element_kernel<<<(n + 255) / 256, 256>>>(2.0f, d_x.data(), d_y.data(), n);
  stride_kernel<<<3, 100>>>(-0.5f, d_x.data(), d_y.data(), n);
  vector_kernel<<<(n / 4 + 1 + 63) / 64, 64>>>(4.0f, d_x.data(), d_y.data(), n);
  CHECK_LAUNCH();
  const std::vector<float> got = d_y.host();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += got[i] != 5.5f * x[i] + y[i];
  show("wrong", wrong);
  show("some", got[1], got[77], got[n - 2]);
}

/* Prints:
wrong: 0
some: 4.5 396.5 495.5
*/
