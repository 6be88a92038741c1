// SPDX-License-Identifier: MIT
// Recursion in device functions, each thread to a depth of its own.
#include "../check.h"

__device__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int is_odd(int n);
__device__ int is_even(int n) {
  return n == 0 ? 1 : is_odd(n - 1);
}
__device__ int is_odd(int n) {
  return n == 0 ? 0 : is_even(n - 1);
}

__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__global__ void recursion_kernel(unsigned* fib, int* even, int* ack) {
  const int i = threadIdx.x;
  fib[i] = fibonacci(2 * i);
  even[i] = is_even(3 * i);
  ack[i] = ackermann(2, i / 2);
}

int main() {
  DeviceArray<unsigned> fib(6);
  DeviceArray<int> even(6), ack(6);
  recursion_kernel<<<1, 6>>>(fib.data(), even.data(), ack.data());
  CHECK_LAUNCH();
  show("fibonacci", fib.host());
  show("even", even.host());
  show("ackermann", ack.host());
}

/* Prints:
fibonacci: 0 1 3 8 21 55
even: 1 0 1 0 1 0
ackermann: 3 3 5 5 7 7
*/
