// SPDX-License-Identifier: MIT
// Starts from the first element that lies inside.
#include <cstddef>
#include "cpu_conv.h"

static inline bool ok(int v, int n) {
  return v >= 0 && v < n;
}

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  const Pool2dShape& P = *shape;
  size_t o = 0;
  for (int img = 0; img < P.n; ++img) {
    for (int ch = 0; ch < P.c; ++ch) {
      const float* base = &x[size_t(img * P.c + ch) * P.h * P.w];
      for (int oy = 0; oy < P.oh(); ++oy) {
        for (int ox = 0; ox < P.ow(); ++ox) {
          bool have = false;
          float winner = 0;
          for (int ky = 0; ky < P.kh; ++ky) {
            int iy = oy * P.stride_h + ky - P.pad_h;
            if (!ok(iy, P.h)) continue;
            for (int kx = 0; kx < P.kw; ++kx) {
              int ix = ox * P.stride_w + kx - P.pad_w;
              if (!ok(ix, P.w)) continue;
              if (!have || base[iy * P.w + ix] > winner) {
                winner = base[iy * P.w + ix];
                have = true;
              }
            }
          }
          y[o++] = winner;
        }
      }
    }
  }
}

static float window_sum(const float* base, const Pool2dShape& P, int y0, int x0, int& hits) {
  float s = 0;
  hits = 0;
  for (int r = y0; r < y0 + P.kh; ++r)
    for (int c = x0; c < x0 + P.kw; ++c)
      if (ok(r, P.h) && ok(c, P.w)) s += base[r * P.w + c], hits++;
  return s;
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  const Pool2dShape& P = *shape;
  for (int plane = 0; plane < P.n * P.c; ++plane)
    for (int oy = 0; oy < P.oh(); ++oy)
      for (int ox = 0; ox < P.ow(); ++ox) {
        int hits;
        float s = window_sum(x + plane * P.h * P.w, P, oy * P.stride_h - P.pad_h,
                             ox * P.stride_w - P.pad_w, hits);
        *y++ = s / (count_padding ? P.kh * P.kw : hits);
      }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  int area = h * w;
  while (n-- > 0)
    for (int ch = 0; ch < c; ++ch) {
      float s = 0;
      int left = area;
      do s += *x++;
      while (--left);
      *y++ = s / area;
    }
}
