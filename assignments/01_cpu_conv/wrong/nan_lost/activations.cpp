// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <cmath>

void relu_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) y[i] = x[i] > 0 ? x[i] : 0;
}

void leaky_relu_forward(const float* x, float* y, int64_t size, float slope) {
  for (int64_t i = 0; i < size; i++) {
    if (x[i] < 0)
      y[i] = slope * x[i];
    else
      y[i] = x[i];
  }
}

void sigmoid_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) y[i] = 1.0 / (1.0 + exp(-double(x[i])));
}

void tanh_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) y[i] = tanhf(x[i]);
}
