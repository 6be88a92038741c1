// SPDX-License-Identifier: MIT
#include <cmath>

#include "cpu_conv.h"

namespace {
float dot(const float* a, const float* b, int len) {
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 4 <= len; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  while (i < len) s0 += a[i] * b[i], ++i;
  return (s0 + s1) + (s2 + s3);
}

float largest_of(const float* v, int len) {
  float best = *v;
  for (int i = 1; i < len; ++i) best = v[i] > best ? v[i] : best;
  return best;
}
}  // namespace

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  for (int64_t i = 0; i < int64_t(n) * out; ++i)
    y[i] = b[i % out] + dot(x + i / out * in, w + i % out * in, in);
}

void softmax_forward(const float* x, float* y, int n, int k) {
  for (int row = 0; row < n; ++row) {
    const float* src = x + int64_t(row) * k;
    float* dst = y + int64_t(row) * k;
    const float top = largest_of(src, k);
    double sum = 0;
    int i = k;
    while (i--) sum += dst[i] = std::exp(src[i] - top);
    for (i = 0; i < k; ++i) dst[i] = float(dst[i] / sum);
  }
}
