// SPDX-License-Identifier: MIT
// Memory that is written by memset, 2-D copies, copies within the device, the host, or a symbol's
// name.
#include "../check.h"

__device__ int table[8];

__global__ void sum_kernel(const int* data, int n, int* out) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += data[i];
  *out = sum;
}

int main() {
  int host[16], *d_a = nullptr, *d_b = nullptr, *managed = nullptr, *pinned = nullptr,
                *d_table = nullptr;
  for (int i = 0; i < 16; ++i) host[i] = i;
  DeviceArray<int> out(1);
  const auto sum = [&](const char* name, const int* data, int n) {
    sum_kernel<<<1, 1>>>(data, n, out.data());
    CHECK_LAUNCH();
    show(name, out.host());
  };
  CHECK(cudaMalloc(&d_a, 64));
  CHECK(cudaMalloc(&d_b, 128));
  CHECK(cudaMallocManaged(&managed, 64));
  CHECK(cudaMallocHost(&pinned, 64));
  CHECK(cudaMemset2D(d_a, 32, 0, 12, 2));
  CHECK(cudaMemcpy2D(d_a + 3, 32, host, 20, 20, 2, cudaMemcpyHostToDevice));
  sum("two dimensions", d_a, 16);
  CHECK(cudaMemcpy(d_b, d_a, 64, cudaMemcpyDeviceToDevice));  // the other half stays unwritten
  CHECK(cudaMemcpy(d_b + 16, d_b, 8, cudaMemcpyDeviceToDevice));
  sum("within the device", d_b, 18);
  for (int i = 0; i < 16; ++i) managed[i] = pinned[i] = 2 * i;
  sum("managed", managed, 16);
  sum("pinned", pinned, 16);
  CHECK(cudaGetSymbolAddress((void**)&d_table, table));
  sum("zero at the start", d_table, 8);
  CHECK(cudaMemcpyToSymbol(table, host, 32));
  sum("symbol", d_table, 8);
  CHECK(cudaFree(d_a));
  CHECK(cudaMalloc(&d_a, 64));
  CHECK(cudaMemsetAsync(d_a, 1, 64));
  sum("anew", d_a, 16);
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(managed));
  CHECK(cudaFreeHost(pinned));
}

/* Prints:
two dimensions: 45
within the device: 45
managed: 240
pinned: 240
zero at the start: 0
symbol: 28
anew: 269488144
*/
