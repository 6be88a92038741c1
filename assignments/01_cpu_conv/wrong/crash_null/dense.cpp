// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <cmath>

static float* products;  // scratch memory

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < out; j++) {
      for (int k = 0; k < in; k++) products[k] = x[i * in + k] * w[j * in + k];
      float sum = b[j];
      for (int k = 0; k < in; k++) sum += products[k];
      y[i * out + j] = sum;
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
