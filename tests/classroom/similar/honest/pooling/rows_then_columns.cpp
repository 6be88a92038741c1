// SPDX-License-Identifier: MIT
// First along the rows of the image into a buffer, then down its columns.
#include <cstddef>
#include <limits>
#include <vector>

#include "cpu_conv.h"

using Buffer = std::vector<float>;

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  const int width = shape->ow(), height = shape->oh();
  Buffer rows(size_t(shape->h) * width);
  for (int plane = shape->n * shape->c; plane > 0; --plane) {
    for (int r = 0; r < shape->h; ++r, x += shape->w) {
      for (int j = 0; j < width; ++j) {
        float top = -std::numeric_limits<float>::infinity();
        for (int q = 0; q < shape->kw; ++q) {
          int at = j * shape->stride_w + q - shape->pad_w;
          if (at >= 0 && at < shape->w && x[at] > top) top = x[at];
        }
        rows[r * width + j] = top;
      }
    }
    for (int i = 0; i < height; ++i) {
      Buffer best(width, -std::numeric_limits<float>::infinity());
      for (int p = 0; p < shape->kh; ++p) {
        int r = i * shape->stride_h + p - shape->pad_h;
        if (r < 0 || r >= shape->h) continue;
        for (int j = 0; j < width; ++j)
          if (rows[r * width + j] > best[j]) best[j] = rows[r * width + j];
      }
      for (float value : best) *y++ = value;
    }
  }
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  const int width = shape->ow(), height = shape->oh();
  for (int plane = shape->n * shape->c; plane > 0; --plane, x += shape->h * shape->w) {
    for (int i = 0; i < height; ++i) {
      Buffer sums(width, 0.f);
      std::vector<int> counts(width, 0);
      for (int p = 0; p < shape->kh; ++p) {
        int r = i * shape->stride_h + p - shape->pad_h;
        bool row_inside = r >= 0 && r < shape->h;
        for (int j = 0; j < width; ++j)
          for (int q = 0; q < shape->kw; ++q) {
            int at = j * shape->stride_w + q - shape->pad_w;
            bool inside = row_inside && at >= 0 && at < shape->w;
            if (inside) sums[j] += x[r * shape->w + at];
            counts[j] += inside || count_padding;
          }
      }
      for (int j = 0; j < width; ++j) y[j] = sums[j] / counts[j];
      y += width;
    }
  }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  const float scale = 1.0f / (h * w);
  for (int plane = 0; plane < n * c; ++plane) {
    Buffer columns(x + plane * h * w, x + plane * h * w + w);
    for (int r = 1; r < h; ++r)
      for (int j = 0; j < w; ++j) columns[j] += x[(plane * h + r) * w + j];
    float sum = 0;
    for (float column : columns) sum += column;
    y[plane] = sum * scale;
  }
}
