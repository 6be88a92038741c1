// SPDX-License-Identifier: MIT
#include <math.h>

#include "cpu_conv.h"

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < out; j++) {
      float s = 0;
      for (int k = 0; k < in; k++) {
        s += x[i * in + k] * w[j * in + k];
      }
      y[i * out + j] = s + b[j];
    }
  }
}

void softmax_forward(const float* x, float* y, int n, int k) {
  for (int i = 0; i < n; i++) {
    float m = x[i * k];
    for (int j = 1; j < k; j++) {
      if (x[i * k + j] > m) {
        m = x[i * k + j];
      }
    }
    float total = 0;
    for (int j = 0; j < k; j++) {
      total += expf(x[i * k + j] - m);
    }
    for (int j = 0; j < k; j++) {
      y[i * k + j] = expf(x[i * k + j] - m) / total;
    }
  }
}
