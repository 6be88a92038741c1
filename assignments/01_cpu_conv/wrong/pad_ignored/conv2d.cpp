// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  auto at = [&](int n, int c, int row, int col) -> float {
    // padding is zero
    if (row < 0 || row >= shape->h) return 0.f;
    if (col < 0 || col >= shape->w) return 0.f;
    return x[((n * shape->c + c) * shape->h + row) * shape->w + col];
  };

  float* out = y;
  for (int n = 0; n < shape->n; n++) {
    for (int m = 0; m < shape->m; m++) {
      const float* filter = w + m * shape->c * shape->kh * shape->kw;
      for (int oi = 0; oi < shape->oh(); oi++) {
        for (int oj = 0; oj < shape->ow(); oj++) {
          float value = b[m];
          const float* k = filter;
          for (int c = 0; c < shape->c; c++)
            for (int i = 0; i < shape->kh; i++)
              for (int j = 0; j < shape->kw; j++)
                value += at(n, c, oi * shape->stride_h + i * shape->dilation_h,
                            oj * shape->stride_w + j * shape->dilation_w) *
                         *k++;
          *out++ = value;
        }
      }
    }
  }
}
