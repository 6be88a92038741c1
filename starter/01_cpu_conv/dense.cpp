// SPDX-License-Identifier: MIT
// Task 01.4: the dense (fully connected) layer, and the softmax that ends a classifier.
#include "cpu_conv.h"

#include <algorithm>
#include <cmath>

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  // TODO(01.4): y[n][o] = b[o] + the sum over i of x[n][i] * w[o][i].
  CONVKIT_TODO("01.4");
}

void softmax_forward(const float* x, float* y, int n, int k) {
  // TODO(01.4): y[n][i] = e^x[n][i] / the sum of e^x over the row, for every finite x.
  CONVKIT_TODO("01.4");
}
