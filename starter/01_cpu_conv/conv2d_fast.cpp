// SPDX-License-Identifier: MIT
// Task 01.7: the fast convolution.
#include "cpu_conv.h"

void conv2d_fast(const float* x, const float* w, const float* b, float* y,
                 const Conv2dShape* shape) {
  // TODO(01.7): the result of conv2d_forward, as fast as you can make it on one core.
  CONVKIT_TODO("01.7");
}
