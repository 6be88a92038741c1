// SPDX-License-Identifier: MIT
// The zeros are really there: the image is copied into a larger one first.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const auto [n, c, h, wid, m, kh, kw, ph, pw, sh, sw, dh, dw, groups] = *shape;
  const size_t big_h = h + 2 * ph, big_w = wid + 2 * pw;
  std::vector<float> big(c * big_h * big_w);
  for (int image = 0; image < n; ++image) {
    std::fill(big.begin(), big.end(), 0.f);
    for (int ch = 0; ch < c; ++ch)
      for (int row = 0; row < h; ++row)
        std::copy_n(x + ((size_t(image) * c + ch) * h + row) * wid, wid,
                    &big[(ch * big_h + row + ph) * big_w + pw]);
    for (int f = 0; f < m; ++f) {
      float* plane = y + (size_t(image) * m + f) * shape->oh() * shape->ow();
      std::fill_n(plane, shape->oh() * shape->ow(), b[f]);
      const float* tap = w + size_t(f) * c * kh * kw;
      for (int ch = 0; ch < c; ++ch)
        for (int p = 0; p < kh; ++p)
          for (int q = 0; q < kw; ++q, ++tap)
            for (int i = 0; i < shape->oh(); ++i) {
              const float* from = &big[(ch * big_h + i * sh + p * dh) * big_w + q * dw];
              float* to = plane + i * shape->ow();
              for (int j = 0; j < shape->ow(); ++j) to[j] += *tap * from[j * sw];
            }
    }
  }
}
