// SPDX-License-Identifier: MIT
#include <cstddef>
#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  int OH = shape->oh();
  int OW = shape->ow();
  for (int n = 0; n < shape->n; n++) {
    for (int m = 0; m < shape->m; m++) {
      for (int i = 0; i < OH; i++) {
        for (int j = 0; j < OW; j++) {
          float acc = 0.0f;
          for (int c = 0; c < shape->c; c++) {
            for (int p = 0; p < shape->kh; p++) {
              for (int q = 0; q < shape->kw; q++) {
                int r = i * shape->stride_h + p * shape->dilation_h - shape->pad_h;
                int s = j * shape->stride_w + q * shape->dilation_w - shape->pad_w;
                if (r >= 0 && r < shape->h && s >= 0 && s < shape->w) {
                  acc += x[((size_t)(n * shape->c + c) * shape->h + r) * shape->w + s] *
                         w[((m * shape->c + c) * shape->kh + p) * shape->kw + q];
                }
              }
            }
          }
          y[((size_t)(n * shape->m + m) * OH + i) * OW + j] = acc + b[m];
        }
      }
    }
  }
}
