// SPDX-License-Identifier: MIT
// Every field of the shape gets a short name first.
#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const int N = shape->n, C = shape->c, H = shape->h, W = shape->w;
  const int M = shape->m, KH = shape->kh, KW = shape->kw;
  const int ph = shape->pad_h, pw = shape->pad_w;
  const int sh = shape->stride_h, sw = shape->stride_w;
  const int dh = shape->dilation_h, dw = shape->dilation_w;
  const int OH = shape->oh(), OW = shape->ow();
  int64_t out = 0;
  for (int n = 0; n < N; ++n)
    for (int m = 0; m < M; ++m)
      for (int oy = 0; oy < OH; ++oy)
        for (int ox = 0; ox < OW; ++ox, ++out) {
          y[out] = b[m];
          for (int c = 0; c < C; ++c)
            for (int ky = 0; ky < KH; ++ky) {
              const int iy = oy * sh - ph + ky * dh;
              if (iy < 0 || iy >= H) continue;
              for (int kx = 0; kx < KW; ++kx) {
                const int ix = ox * sw - pw + kx * dw;
                if (ix < 0 || ix >= W) continue;
                y[out] += x[((int64_t(n) * C + c) * H + iy) * W + ix] *
                          w[((int64_t(m) * C + c) * KH + ky) * KW + kx];
              }
            }
        }
}
