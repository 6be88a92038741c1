// SPDX-License-Identifier: MIT
// atomicSub, atomicMin and atomicMax, signed, unsigned and 64 bits wide, with the values they
// return.
#include "../check.h"

struct Results {
  int difference, smallest, largest;
  unsigned udifference, usmallest, ularge;
  long long lsmallest, llargest;
  unsigned long long ulsmallest, ullargest;
};

__global__ void extremes_kernel(Results* r, int* rising) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = (i * 71) % 257 - 100;
  atomicSub(&r->difference, 2);
  atomicSub(&r->udifference, 1u);
  atomicMin(&r->smallest, value);
  atomicMax(&r->largest, value);
  atomicMin(&r->usmallest, static_cast<unsigned>(value));
  atomicMax(&r->ularge, static_cast<unsigned>(value));
  atomicMin(&r->lsmallest, static_cast<long long>(value) << 32);
  atomicMax(&r->llargest, static_cast<long long>(value) << 32);
  atomicMin(&r->ulsmallest, static_cast<unsigned long long>(i + 3) << 33);
  atomicMax(&r->ullargest, static_cast<unsigned long long>(i + 3) << 33);
  if (atomicMax(&rising[1], i) <= i) atomicAdd(&rising[0], 1);
}

int main() {
  DeviceArray<Results> results(std::vector<Results>{
      {1000, 0, 0, 100u, 0xffffffffu, 0u, 1ll << 60, -(1ll << 60), ~0ull, 0ull}});
  DeviceArray<int> rising({0, -1});
  extremes_kernel<<<4, 64>>>(results.data(), rising.data());
  CHECK_LAUNCH();
  const Results r = results.host()[0];
  show("sub", r.difference, r.udifference);
  show("int", r.smallest, r.largest);
  show("unsigned", r.usmallest, r.ularge);
  show("long long", r.lsmallest >> 32, r.llargest >> 32);
  show("unsigned long long", r.ulsmallest >> 33, r.ullargest >> 33);
  const std::vector<int> host = rising.host();
  expect("rising", host[0] >= 1 && host[1] == 255);
}

/* Prints:
sub: 488 4294967140
int: -100 156
unsigned: 0 4294967295
long long: -100 156
unsigned long long: 3 258
rising: ok
*/
