// SPDX-License-Identifier: MIT
// Static shared arrays whose type and size are template parameters: each instantiation has its own.
#include "../check.h"

template <class T, int N>
__global__ void reverse_kernel(T* data) {
  __shared__ T tile[N];
  const int i = threadIdx.x;
  tile[i] = data[i];
  __syncthreads();
  data[i] = tile[N - 1 - i];
}

template <class T, int N>
void run(const char* name, T step) {
  std::vector<T> values(N);
  for (int i = 0; i < N; ++i) values[i] = T(i * step);
  DeviceArray<T> data(values);
  reverse_kernel<T, N><<<1, N>>>(data.data());
  CHECK_LAUNCH();
  show(name, data.host());
}

int main() {
  run<int, 8>("int", 3);
  run<double, 4>("double", 0.5);
  run<unsigned char, 5>("bytes", 10);
  run<long long, 3>("long long", 1LL << 40);
}

/* Prints:
int: 21 18 15 12 9 6 3 0
double: 1.5 1 0.5 0
bytes: 40 30 20 10 0
long long: 2199023255552 1099511627776 0
*/
