// SPDX-License-Identifier: MIT
// atomicExch of every type: nothing is lost or doubled; atomicCAS of 16, 32 and 64 bits.
#include "../check.h"

template <class T>
__global__ void exchange_kernel(T* slot, T* sum) {
  const T mine = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x + 1);
  atomicAdd(sum, atomicExch(slot, mine));
}

template <class T>
void run(const char* name) {
  DeviceArray<T> slot(1), sum(1);
  exchange_kernel<<<4, 32>>>(slot.data(), sum.data());
  CHECK_LAUNCH();
  show(name, slot.host()[0] + sum.host()[0]);  // 1 + ... + 128
}

template <class T>
__global__ void compare_kernel(T* slot, int* winners, T empty, T full) {
  if (atomicCAS(slot, empty, full) == empty) atomicAdd(winners, 1);
  if (atomicCAS(slot + 1, full, empty) == full) atomicAdd(winners, 100);
}

template <class T>
void run_compare(const char* name, T empty, T full) {
  DeviceArray<T> slot(std::vector<T>{empty, empty});
  DeviceArray<int> winners(1);
  compare_kernel<T><<<4, 32>>>(slot.data(), winners.data(), empty, full);
  CHECK_LAUNCH();
  const std::vector<T> host = slot.host();
  show(name, winners.host()[0], host[0] == full, host[1] == empty);
}

int main() {
  run<int>("int");
  run<unsigned>("unsigned");
  run<unsigned long long>("64 bit");
  run<float>("float");
  run_compare<int>("CAS int", -1, 5);
  run_compare<unsigned>("CAS unsigned", 0u, 4000000000u);
  run_compare<unsigned long long>("CAS 64 bit", 1ull << 50, 3ull);
  run_compare<unsigned short>("CAS 16 bit", 65535, 1);
}

/* Prints:
int: 8256
unsigned: 8256
64 bit: 8256
float: 8256
CAS int: 1 1 1
CAS unsigned: 1 1 1
CAS 64 bit: 1 1 1
CAS 16 bit: 1 1 1
*/
