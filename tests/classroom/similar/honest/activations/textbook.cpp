// SPDX-License-Identifier: MIT
#include <cmath>

#include "cpu_conv.h"

void relu_forward(const float* x, float* y, int64_t size) {
  for (int64_t k = 0; k < size; ++k) {
    if (x[k] <= 0.0f) {
      y[k] = 0.0f;
    } else {
      y[k] = x[k];
    }
  }
}

void leaky_relu_forward(const float* x, float* y, int64_t size, float slope) {
  for (int64_t k = 0; k < size; ++k) {
    if (x[k] <= 0.0f) {
      y[k] = slope * x[k];
    } else {
      y[k] = x[k];
    }
  }
}

void sigmoid_forward(const float* x, float* y, int64_t size) {
  for (int64_t k = 0; k < size; ++k) {
    const float a = std::exp(-std::fabs(x[k]));
    y[k] = x[k] < 0.0f ? a / (1.0f + a) : 1.0f / (1.0f + a);
  }
}

void tanh_forward(const float* x, float* y, int64_t size) {
  for (int64_t k = 0; k < size; ++k) y[k] = std::tanh(x[k]);
}
