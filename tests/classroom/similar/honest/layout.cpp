// SPDX-License-Identifier: MIT
// Programs by different hands, one behind each line of `====`, which names its style.

// ==== index_functions
// Two functions say where an element is; all else is loops.
#include "cpu_conv.h"

struct Sizes {
  int c, h, w;

  int64_t planar(int image, int channel, int row, int col) const {
    return ((int64_t(image) * c + channel) * h + row) * w + col;
  }
  int64_t mixed(int image, int row, int col, int channel) const {
    return ((int64_t(image) * h + row) * w + col) * c + channel;
  }
};

void nchw_to_nhwc(const float* x, float* y, int n, int c, int h, int w) {
  const Sizes at{c, h, w};
  for (int i = 0; i < n; i++)
    for (int k = 0; k < c; k++)
      for (int r = 0; r < h; r++)
        for (int q = 0; q < w; q++) y[at.mixed(i, r, q, k)] = x[at.planar(i, k, r, q)];
}

void nhwc_to_nchw(const float* x, float* y, int n, int c, int h, int w) {
  const Sizes at{c, h, w};
  for (int i = 0; i < n; i++)
    for (int r = 0; r < h; r++)
      for (int q = 0; q < w; q++)
        for (int k = 0; k < c; k++) y[at.planar(i, k, r, q)] = x[at.mixed(i, r, q, k)];
}

void same_padding(int size, int kernel, int stride, int dilation, int* before, int* after) {
  int steps = size / stride;
  if (size % stride == 0) steps--;
  // The last window begins at steps * stride.
  int missing = steps * stride + dilation * (kernel - 1) + 1 - size;
  if (missing < 0) missing = 0;
  *after = missing - missing / 2;
  *before = missing / 2;
}

void conv2d_same_forward(const float* x, const float* w, const float* b, float* y,
                         const Conv2dShape* shape) {
  const Conv2dShape& s = *shape;
  int top, left, unused;
  same_padding(s.h, s.kh, s.stride_h, s.dilation_h, &top, &unused);
  same_padding(s.w, s.kw, s.stride_w, s.dilation_w, &left, &unused);
  const Sizes in{s.c, s.h, s.w}, filter{s.c, s.kh, s.kw};
  for (int i = 0; i < s.n; i++)
    for (int m = 0; m < s.m; m++)
      for (int r0 = -top; r0 < s.h - top; r0 += s.stride_h)
        for (int q0 = -left; q0 < s.w - left; q0 += s.stride_w) {
          float sum = b[m];
          for (int k = 0; k < s.c; k++)
            for (int p = 0; p < s.kh; p++)
              for (int t = 0; t < s.kw; t++) {
                const int r = r0 + p * s.dilation_h, q = q0 + t * s.dilation_w;
                if (unsigned(r) < unsigned(s.h) && unsigned(q) < unsigned(s.w))
                  sum += x[in.planar(i, k, r, q)] * w[filter.planar(m, k, p, t)];
              }
          *y++ = sum;
        }
}

// ==== walking_pointers
#include <cstring>
#include <vector>

#include "cpu_conv.h"

// The transpose of a matrix, image by image.
static void turn(const float* from, float* to, int images, int rows, int cols) {
  const size_t size = (size_t)rows * cols;
  while (images-- > 0) {
    for (size_t k = 0; k < size; ++k) to[k % cols * rows + k / cols] = *from++;
    to += size;
  }
}

void nchw_to_nhwc(const float* x, float* y, int n, int c, int h, int w) {
  turn(x, y, n, c, h * w);
}

void nhwc_to_nchw(const float* x, float* y, int n, int c, int h, int w) {
  turn(x, y, n, h * w, c);
}

void same_padding(int size, int kernel, int stride, int dilation, int* before, int* after) {
  int end = (size - 1) / stride * stride + (kernel - 1) * dilation;  // the last element used
  for (*before = *after = 0; end >= size; --end) ++*(*after > *before ? before : after);
}

void conv2d_same_forward(const float* x, const float* w, const float* b, float* y,
                         const Conv2dShape* shape) {
  Conv2dShape one = *shape;
  int around[4];
  same_padding(one.h, one.kh, one.stride_h, one.dilation_h, around, around + 1);
  same_padding(one.w, one.kw, one.stride_w, one.dilation_w, around + 2, around + 3);
  one.n = 1;
  one.pad_h = one.pad_w = 0;
  one.h += around[0] + around[1];
  one.w += around[2] + around[3];
  std::vector<float> frame(one.x_size());
  for (int image = 0; image < shape->n; ++image) {
    size_t line = size_t(around[0]) * one.w + around[2];
    for (int c = 0; c < shape->c; ++c, line += (one.h - shape->h) * one.w)
      for (int r = 0; r < shape->h; ++r, x += shape->w, line += one.w)
        std::memcpy(&frame[line], x, shape->w * sizeof *x);
    conv2d_forward(frame.data(), w, b, y, &one);
    y += one.y_size();
  }
}
