// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const int out_rows = shape->oh(), out_cols = shape->ow();
  for (int image = 0; image < shape->n; ++image) {
    for (int filter = 0; filter < shape->m; ++filter) {
      for (int r = 0; r < out_rows; ++r) {
        for (int k = 0; k < out_cols; ++k) {
          float acc = b[filter];
          for (int channel = 0; channel < shape->c; ++channel) {
            for (int dr = 0; dr < shape->kh; ++dr) {
              for (int dk = 0; dk < shape->kw; ++dk) {
                int row = r + dr * shape->dilation_h - shape->pad_h;
                int col = k + dk * shape->dilation_w - shape->pad_w;
                if (row < 0 || col < 0 || row >= shape->h || col >= shape->w) continue;
                acc += x[((image * shape->c + channel) * shape->h + row) * shape->w + col] *
                       w[((filter * shape->c + channel) * shape->kh + dr) * shape->kw + dk];
              }
            }
          }
          y[((image * shape->m + filter) * out_rows + r) * out_cols + k] = acc;
        }
      }
    }
  }
}
