// SPDX-License-Identifier: MIT
// Task @NUMBER@.1: every element scaled and shifted.
#include "scale_shift.h"

void scale_shift(const float* x, float* y, int64_t size, float scale, float shift) {
  // BEGIN SOLUTION(@NUMBER@.1)
  //> // TODO(@NUMBER@.1): y[i] = scale * x[i] + shift for every i < size.
  //> CONVKIT_TODO("@NUMBER@.1");
  for (int64_t i = 0; i < size; ++i) {
    y[i] = scale * x[i] + shift;
  }
  // END SOLUTION
}
