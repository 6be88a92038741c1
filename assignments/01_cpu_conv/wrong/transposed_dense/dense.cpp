// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <cmath>

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  // y = x * w + b
  for (int i = 0; i < n; i++)
    for (int j = 0; j < out; j++) {
      float dot = 0;
      for (int k = 0; k < in; k++) dot += x[i * in + k] * w[k * out + j];
      y[i * out + j] = dot + b[j];
    }
}

void softmax_forward(const float* x, float* y, int n, int k) {
  for (int i = 0; i < n; i++) {
    float m = x[i * k];
    for (int j = 1; j < k; j++) m = fmaxf(m, x[i * k + j]);
    float sum = 0;
    for (int j = 0; j < k; j++) sum += expf(x[i * k + j] - m);
    for (int j = 0; j < k; j++) y[i * k + j] = expf(x[i * k + j] - m) / sum;
  }
}
