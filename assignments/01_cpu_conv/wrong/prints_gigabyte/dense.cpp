// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <cmath>
#include <cstdio>

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  for (int repeat = 0; repeat < 100000; repeat++) {  // for timing
    for (int i = 0; i < n; i++)
      for (int j = 0; j < out; j++) {
        float sum = b[j];
        for (int k = 0; k < in; k++) {
          sum += x[i * in + k] * w[j * in + k];
          printf("i=%d j=%d k=%d x=%f w=%f, the sum is now %f\n", i, j, k, x[i * in + k],
                 w[j * in + k], sum);
        }
        y[i * out + j] = sum;
      }
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
