// SPDX-License-Identifier: MIT
// Threads write neighbouring bytes, shorts and fields of one structure: different places, no race.
#include "../check.h"

union Word {
  unsigned whole;
  unsigned char bytes[4];
};
struct Pair {
  short left, right;
};

__global__ void bytes_kernel(unsigned* words, Pair* pairs, unsigned char* global_bytes) {
  __shared__ Word word[8];
  __shared__ Pair pair[16];
  __shared__ __align__(4) unsigned char bytes[32];
  const int t = threadIdx.x;
  word[t / 4].bytes[t % 4] = t;
  if (t % 2) {
    pair[t / 2].right = t;
  } else {
    pair[t / 2].left = t;
  }
  bytes[t] = 2 * t;
  global_bytes[2 * t + blockIdx.x] = 3 * t;  // the other block writes between
  __syncthreads();
  if (blockIdx.x != 0) return;
  if (t < 8) words[t] = word[t].whole;
  if (t < 16) pairs[t] = pair[15 - t];
  if (t < 8) words[8 + t] = reinterpret_cast<unsigned*>(bytes)[t] & 0xff0000ff;
}

int main() {
  DeviceArray<unsigned> words(16);
  DeviceArray<Pair> pairs(16);
  DeviceArray<unsigned char> bytes(64);
  bytes_kernel<<<2, 32>>>(words.data(), pairs.data(), bytes.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> got = words.host();
  std::printf("%08x %08x %08x\n", got[0], got[7], got[15]);
  show("pairs", pairs.host()[0].left, pairs.host()[0].right, pairs.host()[15].right);
  show("bytes", bytes.host()[0], bytes.host()[1], bytes.host()[62], bytes.host()[63]);
}

/* Prints:
03020100 1f1e1d1c 3e000038
pairs: 30 31 1
bytes: 0 0 93 93
*/
