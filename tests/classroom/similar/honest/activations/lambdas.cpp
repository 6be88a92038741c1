// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "cpu_conv.h"

void leaky_relu_forward(const float* x, float* y, int64_t size, float slope) {
  std::transform(x, x + size, y, [slope](float v) { return v < 0 ? v * slope : v; });
}

void relu_forward(const float* x, float* y, int64_t size) {
  leaky_relu_forward(x, y, size, 0);
}

void sigmoid_forward(const float* x, float* y, int64_t size) {
  std::transform(x, x + size, y,
                 [](float v) { return float(0.5 + 0.5 * std::tanh(0.5 * double(v))); });
}

void tanh_forward(const float* x, float* y, int64_t size) {
  std::transform(x, x + size, y, [](float v) { return std::tanh(v); });
}
