// SPDX-License-Identifier: MIT
// Programs by different hands, one behind each line of `====`, which names its style.

// ==== bounds_first
// No test in the inner loops: the first and the last tap inside the image are computed.
#include <algorithm>

#include "cpu_conv.h"

namespace {
struct Range {
  int first, last;
};

Range taps_inside(int start, int size, int taps, int step) {
  int first = start < 0 ? (-start + step - 1) / step : 0;
  int last = taps;
  while (last > first && start + (last - 1) * step >= size) --last;
  return {first, last};
}
}  // namespace

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const Conv2dShape s = *shape;
  for (int64_t k = 0; k < s.y_size(); ++k) {
    const int j = k % s.ow(), i = k / s.ow() % s.oh();
    const int m = k / s.ow() / s.oh() % s.m;
    const int n = k / s.ow() / s.oh() / s.m;
    const int y0 = i * s.stride_h - s.pad_h, x0 = j * s.stride_w - s.pad_w;
    const Range rows = taps_inside(y0, s.h, s.kh, s.dilation_h);
    const Range cols = taps_inside(x0, s.w, s.kw, s.dilation_w);
    double sum = b[m];
    for (int c = 0; c < s.c; ++c) {
      const float* in = x + (int64_t(n) * s.c + c) * s.h * s.w;
      const float* filter = w + (int64_t(m) * s.c + c) * s.kh * s.kw;
      for (int p = rows.first; p < rows.last; ++p)
        for (int q = cols.first; q < cols.last; ++q)
          sum += double(in[int64_t(y0 + p * s.dilation_h) * s.w + x0 + q * s.dilation_w]) *
                 filter[p * s.kw + q];
    }
    y[k] = float(sum);
  }
}

// ==== from_the_handout
// As the formulas of the handout say it, one after the other.
#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const int oh = shape->oh();
  const int ow = shape->ow();
  for (int n = 0; n < shape->n; ++n) {
    for (int m = 0; m < shape->m; ++m) {
      for (int i = 0; i < oh; ++i) {
        for (int j = 0; j < ow; ++j) {
          float sum = b[m];
          const int first_row = i * shape->stride_h - shape->pad_h;
          const int first_col = j * shape->stride_w - shape->pad_w;
          for (int c = 0; c < shape->c; ++c) {
            for (int p = 0; p < shape->kh; ++p) {
              for (int q = 0; q < shape->kw; ++q) {
                const int row = first_row + p * shape->dilation_h;
                const int col = first_col + q * shape->dilation_w;
                if (row < 0 || row >= shape->h || col < 0 || col >= shape->w) {
                  continue;
                }
                sum += x[((n * shape->c + c) * shape->h + row) * shape->w + col] *
                       w[((m * shape->c + c) * shape->kh + p) * shape->kw + q];
              }
            }
          }
          y[((n * shape->m + m) * oh + i) * ow + j] = sum;
        }
      }
    }
  }
}

// ==== helpers
// The index arithmetic lives in small functions.
#include "cpu_conv.h"

static float pixel(const float* img, int rows, int cols, int r, int c) {
  if (r < 0 || c < 0 || r >= rows || c >= cols) return 0;
  return img[(long)r * cols + c];
}

static float one_window(const float* img, const float* ker, const Conv2dShape& s, int top,
                        int left) {
  float total = 0;
  for (int a = 0; a < s.kh; a++)
    for (int e = 0; e < s.kw; e++)
      total +=
          ker[a * s.kw + e] * pixel(img, s.h, s.w, top + a * s.dilation_h, left + e * s.dilation_w);
  return total;
}

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  long image = (long)shape->h * shape->w, kernel = (long)shape->kh * shape->kw;
  float* dst = y;
  for (int n = 0; n < shape->n; n++)
    for (int m = 0; m < shape->m; m++)
      for (int top = -shape->pad_h, i = 0; i < shape->oh(); i++, top += shape->stride_h)
        for (int left = -shape->pad_w, j = 0; j < shape->ow(); j++, left += shape->stride_w) {
          float value = b[m];
          for (int c = 0; c < shape->c; c++)
            value += one_window(x + (n * shape->c + c) * image, w + (m * shape->c + c) * kernel,
                                *shape, top, left);
          *dst++ = value;
        }
}

// ==== local_names
// Every field of the shape gets a short name first.
#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const int N = shape->n, C = shape->c, H = shape->h, W = shape->w;
  const int M = shape->m, KH = shape->kh, KW = shape->kw;
  const int ph = shape->pad_h, pw = shape->pad_w;
  const int sh = shape->stride_h, sw = shape->stride_w;
  const int dh = shape->dilation_h, dw = shape->dilation_w;
  const int OH = shape->oh(), OW = shape->ow();
  int64_t out = 0;
  for (int n = 0; n < N; ++n)
    for (int m = 0; m < M; ++m)
      for (int oy = 0; oy < OH; ++oy)
        for (int ox = 0; ox < OW; ++ox, ++out) {
          y[out] = b[m];
          for (int c = 0; c < C; ++c)
            for (int ky = 0; ky < KH; ++ky) {
              const int iy = oy * sh - ph + ky * dh;
              if (iy < 0 || iy >= H) continue;
              for (int kx = 0; kx < KW; ++kx) {
                const int ix = ox * sw - pw + kx * dw;
                if (ix < 0 || ix >= W) continue;
                y[out] += x[((int64_t(n) * C + c) * H + iy) * W + ix] *
                          w[((int64_t(m) * C + c) * KH + ky) * KW + kx];
              }
            }
        }
}

// ==== padded_copy
// The zeros are really there: the image is copied into a larger one first.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "cpu_conv.h"

void conv2d_forward(const float* x, const float* w, const float* b, float* y,
                    const Conv2dShape* shape) {
  const auto [n, c, h, wid, m, kh, kw, ph, pw, sh, sw, dh, dw, groups] = *shape;
  const size_t big_h = h + 2 * ph, big_w = wid + 2 * pw;
  std::vector<float> big(c * big_h * big_w);
  for (int image = 0; image < n; ++image) {
    std::fill(big.begin(), big.end(), 0.f);
    for (int ch = 0; ch < c; ++ch)
      for (int row = 0; row < h; ++row)
        std::copy_n(x + ((size_t(image) * c + ch) * h + row) * wid, wid,
                    &big[(ch * big_h + row + ph) * big_w + pw]);
    for (int f = 0; f < m; ++f) {
      float* plane = y + (size_t(image) * m + f) * shape->oh() * shape->ow();
      std::fill_n(plane, shape->oh() * shape->ow(), b[f]);
      const float* tap = w + size_t(f) * c * kh * kw;
      for (int ch = 0; ch < c; ++ch)
        for (int p = 0; p < kh; ++p)
          for (int q = 0; q < kw; ++q, ++tap)
            for (int i = 0; i < shape->oh(); ++i) {
              const float* from = &big[(ch * big_h + i * sh + p * dh) * big_w + q * dw];
              float* to = plane + i * shape->ow();
              for (int j = 0; j < shape->ow(); ++j) to[j] += *tap * from[j * sw];
            }
    }
  }
}

// ==== plain
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

// ==== textbook
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
