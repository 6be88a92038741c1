// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>

#include "cpu_conv.h"

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  for (int r = 0; r < n; ++r) std::memcpy(y + (size_t)r * out, b, out * sizeof(float));
  for (int k = 0; k < in; ++k)
    for (int r = 0; r < n; ++r) {
      const float f = x[(size_t)r * in + k];
      for (int o = 0; o < out; ++o) y[(size_t)r * out + o] += f * w[(size_t)o * in + k];
    }
}

// Log-sum-exp: log y = x - log(sum e^x).
void softmax_forward(const float* x, float* y, int n, int k) {
  for (int r = 0; r < n; ++r) {
    const float* in = x + (size_t)r * k;
    double biggest = in[0], sum = 1;
    for (int i = 1; i < k; ++i) {
      if (in[i] <= biggest) {
        sum += std::exp(in[i] - biggest);
      } else {
        sum = sum * std::exp(biggest - in[i]) + 1;
        biggest = in[i];
      }
    }
    const double log_sum = biggest + std::log(sum);
    for (int i = 0; i < k; ++i) y[(size_t)r * k + i] = std::exp(in[i] - log_sum);
  }
}
