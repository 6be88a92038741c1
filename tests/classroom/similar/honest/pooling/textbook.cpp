// SPDX-License-Identifier: MIT
#include <limits>

#include "cpu_conv.h"

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  const int OH = shape->oh(), OW = shape->ow();
  for (int b = 0; b < shape->n; ++b) {
    for (int ch = 0; ch < shape->c; ++ch) {
      for (int oi = 0; oi < OH; ++oi) {
        for (int oj = 0; oj < OW; ++oj) {
          float maximum = -std::numeric_limits<float>::infinity();
          for (int ki = 0; ki < shape->kh; ++ki) {
            for (int kj = 0; kj < shape->kw; ++kj) {
              const int ii = oi * shape->stride_h + ki - shape->pad_h;
              const int jj = oj * shape->stride_w + kj - shape->pad_w;
              if (ii >= 0 && ii < shape->h && jj >= 0 && jj < shape->w) {
                const float value = x[((b * shape->c + ch) * shape->h + ii) * shape->w + jj];
                if (value > maximum) {
                  maximum = value;
                }
              }
            }
          }
          y[((b * shape->c + ch) * OH + oi) * OW + oj] = maximum;
        }
      }
    }
  }
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  const int OH = shape->oh(), OW = shape->ow();
  for (int b = 0; b < shape->n; ++b) {
    for (int ch = 0; ch < shape->c; ++ch) {
      for (int oi = 0; oi < OH; ++oi) {
        for (int oj = 0; oj < OW; ++oj) {
          float total = 0.0f;
          int number = 0;
          for (int ki = 0; ki < shape->kh; ++ki) {
            for (int kj = 0; kj < shape->kw; ++kj) {
              const int ii = oi * shape->stride_h + ki - shape->pad_h;
              const int jj = oj * shape->stride_w + kj - shape->pad_w;
              if (ii >= 0 && ii < shape->h && jj >= 0 && jj < shape->w) {
                total += x[((b * shape->c + ch) * shape->h + ii) * shape->w + jj];
                ++number;
              } else if (count_padding != 0) {
                ++number;
              }
            }
          }
          y[((b * shape->c + ch) * OH + oi) * OW + oj] = total / number;
        }
      }
    }
  }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  for (int b = 0; b < n; ++b) {
    for (int ch = 0; ch < c; ++ch) {
      float total = 0.0f;
      for (int i = 0; i < h; ++i) {
        for (int j = 0; j < w; ++j) {
          total += x[((b * c + ch) * h + i) * w + j];
        }
      }
      y[b * c + ch] = total / (h * w);
    }
  }
}
