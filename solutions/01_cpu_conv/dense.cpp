// SPDX-License-Identifier: MIT
// Task 01.4: the dense (fully connected) layer, and the softmax that ends a classifier.
#include "cpu_conv.h"

#include <algorithm>
#include <cmath>

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  // BEGIN SOLUTION(01.4)
  //> // TODO(01.4): y[n][o] = b[o] + the sum over i of x[n][i] * w[o][i].
  //> CONVKIT_TODO("01.4");
  for (int image = 0; image < n; ++image) {
    for (int o = 0; o < out; ++o) {
      const float* features = x + int64_t(image) * in;
      const float* weights = w + int64_t(o) * in;
      float sum = b[o];
      for (int i = 0; i < in; ++i) sum += features[i] * weights[i];
      y[int64_t(image) * out + o] = sum;
    }
  }
  // END SOLUTION
}

void softmax_forward(const float* x, float* y, int n, int k) {
  // BEGIN SOLUTION(01.4)
  //> // TODO(01.4): y[n][i] = e^x[n][i] / the sum of e^x over the row, for every finite x.
  //> CONVKIT_TODO("01.4");
  for (int row = 0; row < n; ++row, x += k, y += k) {
    // Dividing numerator and denominator by e^largest changes nothing in the result, and leaves
    // no exponent above zero: e^89 is already too large for a float.
    const float largest = *std::max_element(x, x + k);
    float sum = 0;
    for (int i = 0; i < k; ++i) {
      y[i] = std::exp(x[i] - largest);
      sum += y[i];
    }
    for (int i = 0; i < k; ++i) y[i] /= sum;
  }
  // END SOLUTION
}
