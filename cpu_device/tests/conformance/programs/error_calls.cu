// SPDX-License-Identifier: MIT
// Calls with wrong arguments fail with CUDA's codes and leave everything as it was.
#include "../check.h"

int main() {
  const auto show_error = [](const char* name, cudaError_t error) {
    std::printf("%s: %s, last %s\n", name, cudaGetErrorName(error),
                cudaGetErrorName(cudaGetLastError()));
  };
  int host[4] = {1, 2, 3, 4}, *d_data = nullptr, *other = nullptr;
  show_error("2^40 bytes", cudaMalloc(&other, size_t{1} << 40));
  show_error("2^62 bytes", cudaMalloc(&other, size_t{1} << 62));
  expect("pointer", other == nullptr);
  show_error("null result", cudaMalloc(static_cast<int**>(nullptr), 16));
  CHECK(cudaMalloc(&d_data, sizeof(host)));
  CHECK(cudaMemcpy(d_data, host, sizeof(host), cudaMemcpyHostToDevice));
  show_error("no such direction",
             cudaMemcpy(d_data, host, sizeof(host), static_cast<cudaMemcpyKind>(77)));
  show_error("null source", cudaMemcpy(d_data, nullptr, 4, cudaMemcpyHostToDevice));
  show_error("null target", cudaMemset(nullptr, 0, 4));
  show_error("free of the middle", cudaFree(d_data + 1));
  show_error("free of host memory", cudaFree(host));
  show_error("freeHost of the stack", cudaFreeHost(host));
  show_error("size beyond the end", cudaMemset(d_data, 0, size_t{1} << 40));
  int back[4] = {};
  CHECK(cudaMemcpy(back, d_data, sizeof(back), cudaMemcpyDeviceToHost));
  show("unchanged", back[0], back[1], back[2], back[3]);
  show_error("attribute", cudaDeviceGetAttribute(back, static_cast<cudaDeviceAttr>(100000), 0));
  CHECK(cudaFree(d_data));
  show_error("free again", cudaFree(d_data));
}

/* Prints:
2^40 bytes: cudaErrorMemoryAllocation, last cudaErrorMemoryAllocation
2^62 bytes: cudaErrorMemoryAllocation, last cudaErrorMemoryAllocation
pointer: ok
null result: cudaErrorInvalidValue, last cudaErrorInvalidValue
no such direction: cudaErrorInvalidMemcpyDirection, last cudaErrorInvalidMemcpyDirection
null source: cudaErrorInvalidValue, last cudaErrorInvalidValue
null target: cudaErrorInvalidValue, last cudaErrorInvalidValue
free of the middle: cudaErrorInvalidValue, last cudaErrorInvalidValue
free of host memory: cudaErrorInvalidValue, last cudaErrorInvalidValue
freeHost of the stack: cudaErrorInvalidValue, last cudaErrorInvalidValue
size beyond the end: cudaErrorInvalidValue, last cudaErrorInvalidValue
unchanged: 1 2 3 4
attribute: cudaErrorInvalidValue, last cudaErrorInvalidValue
free again: cudaErrorInvalidValue, last cudaErrorInvalidValue
*/
