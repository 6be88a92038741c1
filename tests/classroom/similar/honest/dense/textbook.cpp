// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "cpu_conv.h"

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  for (int batch = 0; batch < n; ++batch) {
    for (int o = 0; o < out; ++o) {
      float acc = b[o];
      for (int i = 0; i < in; ++i) {
        acc += x[batch * in + i] * w[o * in + i];
      }
      y[batch * out + o] = acc;
    }
  }
}

void softmax_forward(const float* x, float* y, int n, int k) {
  for (int batch = 0; batch < n; ++batch) {
    const float* row = x + batch * k;
    float maximum = row[0];
    for (int i = 1; i < k; ++i) {
      maximum = std::max(maximum, row[i]);
    }
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      y[batch * k + i] = std::exp(row[i] - maximum);
      sum += y[batch * k + i];
    }
    for (int i = 0; i < k; ++i) {
      y[batch * k + i] /= sum;
    }
  }
}
