// SPDX-License-Identifier: MIT
#include "cpu_conv.h"

#include <vector>

void nchw_to_nhwc(const float* x, float* y, int n, int c, int h, int w) {
  for (int i = 0; i < n; i++)
    for (int ch = 0; ch < c; ch++)
      for (int r = 0; r < h; r++)
        for (int k = 0; k < w; k++)
          y[((i * h + r) * w + k) * c + ch] = x[((i * c + ch) * h + r) * w + k];
}

void nhwc_to_nchw(const float* x, float* y, int n, int c, int h, int w) {
  for (int i = 0; i < n; i++)
    for (int ch = 0; ch < c; ch++)
      for (int r = 0; r < h; r++)
        for (int k = 0; k < w; k++)
          y[((i * c + ch) * h + r) * w + k] = x[((i * h + r) * w + k) * c + ch];
}

void same_padding(int size, int kernel, int stride, int dilation, int* before, int* after) {
  const int outputs = (size - 1) / stride + 1;
  int total = (outputs - 1) * stride + (kernel - 1) * dilation + 1 - size;
  if (total < 0) total = 0;
  *after = total / 2;
  *before = total - *after;
}

void conv2d_same_forward(const float* x, const float* w, const float* b, float* y,
                         const Conv2dShape* shape) {
  const Conv2dShape& s = *shape;
  int top, bottom, left, right;
  same_padding(s.h, s.kh, s.stride_h, s.dilation_h, &top, &bottom);
  same_padding(s.w, s.kw, s.stride_w, s.dilation_w, &left, &right);

  Conv2dShape big = s;
  big.h += top + bottom;
  big.w += left + right;
  std::vector<float> padded(big.x_size());
  for (int nc = 0; nc < s.n * s.c; nc++)
    for (int r = 0; r < s.h; r++)
      for (int k = 0; k < s.w; k++)
        padded[(nc * big.h + r + top) * big.w + k + left] = x[(nc * s.h + r) * s.w + k];
  conv2d_forward(padded.data(), w, b, y, &big);
}
