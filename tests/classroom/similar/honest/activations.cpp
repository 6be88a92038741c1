// SPDX-License-Identifier: MIT
// Programs by different hands, one behind each line of `====`, which names its style.

// ==== lambdas
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
  std::transform(x, x + size, y, [](float v) { return float(1 / (1 + std::exp(-double(v)))); });
}

void tanh_forward(const float* x, float* y, int64_t size) {
  std::transform(x, x + size, y, [](float v) { return std::tanh(v); });
}

// ==== plain
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

// ==== textbook
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
