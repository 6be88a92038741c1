// SPDX-License-Identifier: MIT
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
