// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <cmath>

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < out; j++) {
      float sum = b[j];
      for (int k = 0; k < in; k++) sum += x[i * in + k] * w[j * in + k];
      y[i * out + j] = sum;
    }
}

void softmax_forward(const float* x, float* y, int n, int k) {
  for (int row = 0; row < n; row++) {
    float total = 0;
    for (int i = 0; i < k; i++) {
      y[row * k + i] = std::exp(x[row * k + i]);
      total += y[row * k + i];
    }
    for (int i = 0; i < k; i++) y[row * k + i] = y[row * k + i] / total;
  }
}
