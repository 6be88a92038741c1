// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <cmath>

void relu_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) y[i] = x[i] < 0 ? 0 : x[i];
}

void leaky_relu_forward(const float* x, float* y, int64_t size, float slope) {
  for (int64_t i = 0; i < size; i++) y[i] = x[i] < 0 ? slope * x[i] : x[i];
}

void sigmoid_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) y[i] = 1 / (1 + std::exp(-x[i]));
}

void tanh_forward(const float* x, float* y, int64_t size) {
  for (int64_t i = 0; i < size; i++) {
    const float p = std::exp(x[i]);
    const float m = std::exp(-x[i]);
    y[i] = (p - m) / (p + m);
  }
}
