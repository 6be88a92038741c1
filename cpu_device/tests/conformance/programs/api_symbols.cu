// SPDX-License-Identifier: MIT
// Copies to and from symbols with offsets, symbol to symbol, their addresses and sizes.
#include "../check.h"

__device__ int table[6] = {1, 2, 3, 4, 5, 6};
__constant__ float factors[3];
__device__ double scalar;
template <class T>
__device__ T of_template[2];

__global__ void use_kernel(float* out) {
  out[0] = factors[0] + factors[1] + factors[2];
  out[1] = static_cast<float>(scalar);
  scalar += 1;
  of_template<int>[1] = 9;
}

int main() {
  int host[6] = {};
  const int two[2] = {40, 50};
  CHECK(cudaMemcpyToSymbol(table, two, sizeof(two), 3 * sizeof(int)));
  CHECK(cudaMemcpyFromSymbol(host, table, sizeof(host)));
  show("table", std::vector<int>(host, host + 6));
  CHECK(cudaMemcpyFromSymbol(host, table, sizeof(int), 4 * sizeof(int), cudaMemcpyDeviceToHost));
  show("one element", host[0]);
  int* d_table = nullptr;
  size_t bytes = 0;
  CHECK(cudaGetSymbolAddress((void**)&d_table, table));
  CHECK(cudaGetSymbolSize(&bytes, table));
  CHECK(cudaMemset(d_table, 0, 2 * sizeof(int)));
  CHECK(cudaMemcpy(host, d_table, bytes, cudaMemcpyDeviceToHost));
  show("through the address", std::vector<int>(host, host + bytes / sizeof(int)));
  DeviceArray<float> device({0.5f, 1.5f, 2.5f}), out(2);
  CHECK(cudaMemcpyToSymbol(factors, device.data(), 3 * sizeof(float), 0, cudaMemcpyDeviceToDevice));
  const double start = 10.5;
  CHECK(cudaMemcpyToSymbolAsync(scalar, &start, sizeof(start), 0, cudaMemcpyHostToDevice, 0));
  use_kernel<<<1, 1>>>(out.data());
  CHECK(cudaGetLastError());
  show("in a kernel", out.host());
  double end = 0;
  int nine[2] = {};
  CHECK(cudaMemcpyFromSymbolAsync(&end, scalar, sizeof(end)));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyFromSymbol(nine, of_template<int>, sizeof(nine)));
  show("after it", end, nine[0], nine[1]);
  std::printf("too much: %s\n", cudaGetErrorName(cudaMemcpyFromSymbol(host, table, 100)));
}

/* Prints:
table: 1 2 3 40 50 6
one element: 50
through the address: 0 0 3 40 50 6
in a kernel: 4.5 10.5
after it: 11.5 0 9
too much: cudaErrorInvalidValue
*/
