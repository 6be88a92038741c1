// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape& sh = *shape;
  const int64_t out_h = sh.oh(), out_w = sh.ow();
  for (int img = 0; img < sh.n; ++img) {
    for (int filt = 0; filt < sh.m; ++filt) {
      for (int row = 0; row < out_h; ++row) {
        for (int col = 0; col < out_w; ++col) {
          float result = b[filt];
          for (int ch = 0; ch < sh.c; ++ch) {
            for (int kr = 0; kr < sh.kh; ++kr) {
              int in_row = row * sh.stride_h - sh.pad_h + kr * sh.dilation_h;
              for (int kc = 0; kc < sh.kw; ++kc) {
                int in_col = col * sh.stride_w - sh.pad_w + kc * sh.dilation_w;
                if (in_row >= 0 && in_row < sh.h && in_col >= 0 && in_col < sh.w) {
                  float pixel = x[((img * sh.c + ch) * sh.h + in_row) * sh.w + in_col];
                  float weight = w[((filt * sh.c + ch) * sh.kh + kr) * sh.kw + kc];
                  result += pixel * weight;
                }
              }
            }
          }
          y[((img * sh.m + filt) * out_h + row) * out_w + col] = result;
        }
      }
    }
  }
}
