// SPDX-License-Identifier: MIT
// atomicAdd of every type, over blocks; the returned values are all different.
#include "../check.h"

template <class T>
__global__ void add_kernel(T* sum, T step) {
  atomicAdd(sum, step);
}

__global__ void ticket_kernel(int* next, int* taken) {
  atomicAdd(&taken[atomicAdd(next, 1)], 1);
}

template <class T>
void run(const char* name, T start, T step) {
  DeviceArray<T> sum(std::vector<T>{start});
  add_kernel<<<8, 125>>>(sum.data(), step);
  CHECK_LAUNCH();
  show(name, sum.host());
}

int main() {
  run<int>("int", 7, -3);
  run<unsigned>("unsigned wraps", 4294967295u, 1u);
  run<unsigned long long>("64 bit", 5ull, 1ull << 40);
  run<float>("float", 0.25f, 0.5f);
  run<double>("double", -1.0, 0.125);
  DeviceArray<int> next(1), taken(1000);
  ticket_kernel<<<10, 100>>>(next.data(), taken.data());
  CHECK_LAUNCH();
  int wrong = 0;
  for (int count : taken.host()) wrong += count != 1;
  show("tickets not taken once", wrong);
}

/* Prints:
int: -2993
unsigned wraps: 999
64 bit: 1099511627776005
float: 500.25
double: 124
tickets not taken once: 0
*/
