// SPDX-License-Identifier: MIT
// cudaMalloc's alignment, distinct blocks, freeing null; cudaMemset of parts.
#include <cstdint>

#include "../check.h"

int main() {
  unsigned char* blocks[5];
  bool aligned = true;
  for (int i = 0; i < 5; ++i) {
    CHECK(cudaMalloc(&blocks[i], 100 + i));
    aligned = aligned && reinterpret_cast<uintptr_t>(blocks[i]) % 256 == 0;
    CHECK(cudaMemset(blocks[i], 10 * i, 100 + i));
  }
  expect("aligned to 256 bytes", aligned);
  CHECK(cudaMemset(blocks[2] + 3, 0xff, 4));
  for (int i = 1; i < 4; ++i) {
    unsigned char host[104];
    CHECK(cudaMemcpy(host, blocks[i], 100 + i, cudaMemcpyDeviceToHost));
    show("block", host[0], host[2], host[3], host[6], host[7], host[99 + i]);
  }
  for (unsigned char* block : blocks) CHECK(cudaFree(block));
  CHECK(cudaFree(nullptr));
  CHECK(cudaFree(0));
  float* d_x = nullptr;
  CHECK(cudaMalloc((void**)&d_x, 4 * sizeof(float)));
  CHECK(cudaMemset(d_x, 0x3f, 4 * sizeof(float)));
  float x[4];
  CHECK(cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost));
  show("bytes of a float", x[0], x[3]);
  CHECK(cudaMemset(d_x, 0, 0));
  CHECK(cudaFree(d_x));
  int* empty = reinterpret_cast<int*>(1);
  std::printf("no bytes: %s\n", cudaGetErrorName(cudaMalloc(&empty, 0)));
  expect("null", empty == nullptr);
}

/* Prints:
aligned to 256 bytes: ok
block: 10 10 10 10 10 10
block: 20 20 255 255 20 20
block: 30 30 30 30 30 30
bytes of a float: 0.747059 0.747059
no bytes: cudaSuccess
null: ok
*/
