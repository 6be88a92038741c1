// SPDX-License-Identifier: MIT
// Task 01.3: the activation functions, one element at a time.
#include "cpu_conv.h"

#include <cmath>

void relu_forward(const float* x, float* y, int64_t size) {
  // BEGIN SOLUTION(01.3)
  //> // TODO(01.3): y = max(x, 0), and NaN where x is NaN.
  //> CONVKIT_TODO("01.3");
  // "x < 0" is false for NaN, so NaN passes through. "x > 0 ? x : 0" would hide it as a zero.
  for (int64_t i = 0; i < size; ++i) y[i] = x[i] < 0 ? 0 : x[i];
  // END SOLUTION
}

void leaky_relu_forward(const float* x, float* y, int64_t size, float slope) {
  // BEGIN SOLUTION(01.3)
  //> // TODO(01.3): y = x where x >= 0, and slope * x elsewhere.
  //> CONVKIT_TODO("01.3");
  for (int64_t i = 0; i < size; ++i) y[i] = x[i] < 0 ? slope * x[i] : x[i];
  // END SOLUTION
}

void sigmoid_forward(const float* x, float* y, int64_t size) {
  // BEGIN SOLUTION(01.3)
  //> // TODO(01.3): y = 1 / (1 + e^-x), finite for every finite x.
  //> CONVKIT_TODO("01.3");
  for (int64_t i = 0; i < size; ++i) {
    // e^-|x| is at most 1: neither form can overflow, and neither loses a tiny result.
    const float e = std::exp(-std::fabs(x[i]));
    y[i] = x[i] < 0 ? e / (1 + e) : 1 / (1 + e);
  }
  // END SOLUTION
}

void tanh_forward(const float* x, float* y, int64_t size) {
  // BEGIN SOLUTION(01.3)
  //> // TODO(01.3): y = (e^x - e^-x) / (e^x + e^-x), also where e^x overflows.
  //> CONVKIT_TODO("01.3");
  // The library's tanh is exact near zero, where the two exponentials of the formula cancel.
  for (int64_t i = 0; i < size; ++i) y[i] = std::tanh(x[i]);
  // END SOLUTION
}
