// SPDX-License-Identifier: MIT

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const int N = shape->n, C = shape->c, H = shape->h, W = shape->w;
  const int M = shape->m, KH = shape->kh, KW = shape->kw;
  const int OH = shape->oh(), OW = shape->ow();

  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int oh = 0; oh < OH; oh++)
        for (int ow = 0; ow < OW; ow++) {
          float acc = 0.0f for (int c = 0; c < C; c++) for (int kh = 0; kh < KH;
                                                            kh++) for (int kw = 0; kw < KW; kw++) {
            int ih = oh * shape->stride_h + kh * shape->dilation_h - shape->pad_h;
            int iw = ow * shape->stride_w + kw * shape->dilation_w - shape->pad_w;
            if (ih >= 0 && ih < H && iw >= 0 && iw < W) {
              float in = x[n * C * H * W + c * H * W + ih * W + iw];
              float weight = w[m * C * KH * KW + c * KH * KW + kh * KW + kw];
              acc += in * weight;
            }
          }
          y[n * M * OH * OW + m * OH * OW + oh * OW + ow] = acc + b[m];
        }
}
