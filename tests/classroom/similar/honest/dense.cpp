// SPDX-License-Identifier: MIT
// Programs by different hands, one behind each line of `====`, which names its style.

// ==== algorithms
// With what <numeric> and <algorithm> have.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "cpu_conv.h"

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  for (const float* row = x; row != x + int64_t(n) * in; row += in)
    for (int o = 0; o < out; ++o)
      *y++ = std::inner_product(row, row + in, w + int64_t(o) * in, b[o]);
}

void softmax_forward(const float* x, float* y, int n, int k) {
  for (; n > 0; --n, x += k, y += k) {
    const float shift = *std::max_element(x, x + k);
    std::transform(x, x + k, y, [=](float v) { return std::exp(v - shift); });
    const float norm = 1.0f / std::accumulate(y, y + k, 0.0f);
    std::for_each(y, y + k, [=](float& v) { v *= norm; });
  }
}

// ==== outer_product
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

// ==== plain
#include <math.h>

#include "cpu_conv.h"

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < out; j++) {
      float s = 0;
      for (int k = 0; k < in; k++) {
        s += x[i * in + k] * w[j * in + k];
      }
      y[i * out + j] = s + b[j];
    }
  }
}

void softmax_forward(const float* x, float* y, int n, int k) {
  for (int i = 0; i < n; i++) {
    float m = x[i * k];
    for (int j = 1; j < k; j++) {
      if (x[i * k + j] > m) {
        m = x[i * k + j];
      }
    }
    float total = 0;
    for (int j = 0; j < k; j++) {
      total += expf(x[i * k + j] - m);
    }
    for (int j = 0; j < k; j++) {
      y[i * k + j] = expf(x[i * k + j] - m) / total;
    }
  }
}

// ==== textbook
#include <algorithm>
#include <cmath>

#include "cpu_conv.h"

void dense_forward(const float* x, const float* w, const float* b, float* y, int n, int in,
                   int out) {
  for (int batch = 0; batch < n; ++batch) {
    for (int o = 0; o < out; ++o) {
      float acc = b[o];
      for (int i = 0; i < in; ++i) {
        acc += x[batch * in + i] * w[o * in + i];
      }
      y[batch * out + o] = acc;
    }
  }
}

void softmax_forward(const float* x, float* y, int n, int k) {
  for (int batch = 0; batch < n; ++batch) {
    const float* row = x + batch * k;
    float maximum = row[0];
    for (int i = 1; i < k; ++i) {
      maximum = std::max(maximum, row[i]);
    }
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      y[batch * k + i] = std::exp(row[i] - maximum);
      sum += y[batch * k + i];
    }
    for (int i = 0; i < k; ++i) {
      y[batch * k + i] /= sum;
    }
  }
}

// ==== unrolled
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
