// SPDX-License-Identifier: MIT
// #if blocks: what is switched off may be junk; what is on counts; launches in both arms.
#include "../check.h"

__global__ void set_kernel(int* out, int value) {
  *out = value;
}

// clang-format off
#if 0
This is no C++ at all ))) >>> @ ` $ and set_kernel<<<1, 1>>>(
  set_kernel<<<1, }} /* a comment */ // and another
#else
#define CHOSEN 2
#endif

#ifdef NOT_DEFINED
extern __shared__ junk[ }}} <<<
#elif defined(CHOSEN) && \
      CHOSEN > 1
static const int kBlocks = 1;
#else
#error "not reached"
#endif

int main() {
  DeviceArray<int> out(1);
#if defined(__CUDACC__)
  set_kernel<<<kBlocks, 1>>>(out.data(), 10);
#else
  set_kernel(out.data(), 11);
#endif
  show("__CUDACC__", out.host());
  set_kernel<<<1, 1>>>(out.data(),
#if CHOSEN == 2
                       12
#else
                       -12
#endif
  );
  show("inside the arguments", out.host());
#if 0
  set_kernel<<<1, 1>>>(out.data(), 14
#endif
#if 1 // an apostrophe: isn't
  set_kernel<<<1, 1>>>(out.data(), 13);
#endif
  show("last", out.host());
}

/* Prints:
__CUDACC__: 10
inside the arguments: 12
last: 13
*/
