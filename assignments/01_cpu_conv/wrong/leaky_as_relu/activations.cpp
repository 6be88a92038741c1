// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <cmath>

void relu_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) {
    if (x[i] < 0)
      y[i] = 0;
    else
      y[i] = x[i];
  }
}

void leaky_relu_forward(const float* x, float* y, int64_t size, float) {
  relu_forward(x, y, size);
}

void sigmoid_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) y[i] = 1.0 / (1.0 + exp(-double(x[i])));
}

void tanh_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) y[i] = tanhf(x[i]);
}
