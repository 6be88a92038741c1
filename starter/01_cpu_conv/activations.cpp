// SPDX-License-Identifier: MIT
// Task 01.3: the activation functions, one element at a time.
#include "cpu_conv.h"

#include <cmath>

void relu_forward(const float* x, float* y, int64_t size) {
  // TODO(01.3): y = max(x, 0), and NaN where x is NaN.
  CONVKIT_TODO("01.3");
}

void leaky_relu_forward(const float* x, float* y, int64_t size, float slope) {
  // TODO(01.3): y = x where x >= 0, and slope * x elsewhere.
  CONVKIT_TODO("01.3");
}

void sigmoid_forward(const float* x, float* y, int64_t size) {
  // TODO(01.3): y = 1 / (1 + e^-x), finite for every finite x.
  CONVKIT_TODO("01.3");
}

void tanh_forward(const float* x, float* y, int64_t size) {
  // TODO(01.3): y = (e^x - e^-x) / (e^x + e^-x), also where e^x overflows.
  CONVKIT_TODO("01.3");
}
