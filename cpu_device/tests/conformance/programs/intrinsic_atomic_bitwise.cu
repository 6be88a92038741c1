// SPDX-License-Identifier: MIT
// atomicAnd, atomicOr and atomicXor on 32 and 64 bits, with returned values.
#include "../check.h"

template <class T>
__global__ void bits_kernel(T* words, T one, int* fresh) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int bit = i % (8 * sizeof(T));
  atomicAnd(&words[0], ~(one << bit));
  const T before = atomicOr(&words[1], one << bit);
  if (!(before >> bit & 1)) atomicAdd(fresh, 1);
  atomicXor(&words[2], one << (i % 7));
  atomicAnd(&words[3], static_cast<T>(~one));
}

template <class T>
void run(const char* name, int threads) {
  DeviceArray<T> words(std::vector<T>{static_cast<T>(-1), 0, 0, 3});
  DeviceArray<int> fresh(1);
  bits_kernel<T><<<2, threads>>>(words.data(), 1, fresh.data());
  CHECK_LAUNCH();
  show(name, words.host());
  show("fresh", fresh.host());
}

int main() {
  run<int>("int", 10);
  run<unsigned>("unsigned", 32);
  run<unsigned long long>("64 bit", 30);
}

/* Prints:
int: -1048576 1048575 63 2
fresh: 20
unsigned: 0 4294967295 126 2
fresh: 32
64 bit: 17293822569102704640 1152921504606846975 15 2
fresh: 60
*/
