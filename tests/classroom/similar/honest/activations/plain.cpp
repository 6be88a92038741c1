// SPDX-License-Identifier: MIT
#include <math.h>

#include "cpu_conv.h"

void relu_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) {
    y[i] = x[i] < 0 ? 0 : x[i];
  }
}

void leaky_relu_forward(const float* x, float* y, int64_t size, float slope) {
  for (int64_t i = 0; i < size; i++) {
    y[i] = x[i] < 0 ? slope * x[i] : x[i];
  }
}

void sigmoid_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) {
    if (x[i] >= 0) {
      y[i] = 1 / (1 + expf(-x[i]));
    } else {
      float e = expf(x[i]);
      y[i] = e / (1 + e);
    }
  }
}

void tanh_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) {
    y[i] = tanhf(x[i]);
  }
}
