// SPDX-License-Identifier: MIT
// Heat on a line, many steps between two buffers, whole numbers only; and steps inside one block.
#include "../check.h"

__global__ void step_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = i > 0 ? in[i - 1] : 0, right = i + 1 < n ? in[i + 1] : 0;
  out[i] = (left + 2 * in[i] + right) / 4;
}

__global__ void steps_kernel(int* data, int n, int steps) {
  extern __shared__ int cells[];
  const int i = threadIdx.x;
  if (i < n) cells[i] = data[i];
  for (int step = 0; step < steps; ++step) {
    __syncthreads();
    int next = 0;
    if (i < n)
      next = ((i > 0 ? cells[i - 1] : 0) + 2 * cells[i] + (i + 1 < n ? cells[i + 1] : 0)) / 4;
    __syncthreads();
    if (i < n) cells[i] = next;
  }
  if (i < n) data[i] = cells[i];
}

int main() {
  const int n = 200, steps = 40;
  std::vector<int> host(n);
  host[50] = 1 << 24;
  host[199] = 1 << 20;
  DeviceArray<int> a(host), b(n), c(host);
  int *from = a.data(), *to = b.data();
  for (int step = 0; step < steps; ++step, std::swap(from, to)) {
    step_kernel<<<4, 64>>>(from, to, n);
  }
  steps_kernel<<<1, 256, n * sizeof(int)>>>(c.data(), n, steps);
  CHECK_LAUNCH();
  for (int step = 0; step < steps; ++step) {
    const std::vector<int> old = host;
    for (int i = 0; i < n; ++i) {
      host[i] = ((i > 0 ? old[i - 1] : 0) + 2 * old[i] + (i + 1 < n ? old[i + 1] : 0)) / 4;
    }
  }
  expect("two buffers", a.host() == host);
  expect("one block", c.host() == host);
  show("some", host[50], host[60], host[199]);
}

/* Prints:
two buffers: ok
one block: ok
some: 1491952 123105 8769
*/
