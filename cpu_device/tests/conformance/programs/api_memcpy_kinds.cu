// SPDX-License-Identifier: MIT
// cudaMemcpy in all directions, with cudaMemcpyDefault, with offsets, of nothing.
#include "../check.h"

int main() {
  int host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {}, *d_a = nullptr, *d_b = nullptr;
  CHECK(cudaMalloc(&d_a, sizeof(host)));
  CHECK(cudaMalloc(&d_b, sizeof(host)));
  CHECK(cudaMemcpy(d_a, host, sizeof(host), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, d_a + 4, 4 * sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(d_b + 4, d_a, 4 * sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(back, d_b, sizeof(back), cudaMemcpyDeviceToHost));
  show("halves swapped", std::vector<int>(back, back + 8));
  CHECK(cudaMemcpy(back, host + 6, 2 * sizeof(int), cudaMemcpyHostToHost));
  CHECK(cudaMemcpy(d_a, back, 3 * sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemcpy(d_a + 3, d_b + 3, sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemcpy(back, d_a, sizeof(back), cudaMemcpyDefault));
  show("default", std::vector<int>(back, back + 8));
  CHECK(cudaMemcpy(back, d_a, 0, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyAsync(back + 7, d_a, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaDeviceSynchronize());
  show("asynchronous", back[7]);
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
}

/* Prints:
halves swapped: 5 6 7 8 1 2 3 4
default: 7 8 7 8 5 6 7 8
asynchronous: 7
*/
