// SPDX-License-Identifier: MIT
// Programs by different hands, one behind each line of `====`, which names its style.

// ==== clipped
// The window is cut to the image, so the loops need no test.
#include <algorithm>

#include "cpu_conv.h"

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  int H = shape->h, W = shape->w, oh = shape->oh(), ow = shape->ow();
  for (int nc = 0; nc < shape->n * shape->c; nc++) {
    const float* src = x + (size_t)nc * H * W;
    float* dst = y + (size_t)nc * oh * ow;
    for (int i = 0; i < oh; i++) {
      int r0 = i * shape->stride_h - shape->pad_h;
      int r1 = std::min(H, r0 + shape->kh);
      if (r0 < 0) r0 = 0;
      for (int j = 0; j < ow; j++) {
        int c0 = j * shape->stride_w - shape->pad_w;
        int c1 = std::min(W, c0 + shape->kw);
        if (c0 < 0) c0 = 0;
        float m = src[r0 * W + c0];
        for (int r = r0; r < r1; r++)
          m = std::max(m, *std::max_element(src + r * W + c0, src + r * W + c1));
        dst[i * ow + j] = m;
      }
    }
  }
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  int H = shape->h, W = shape->w, oh = shape->oh(), ow = shape->ow();
  for (int nc = 0; nc < shape->n * shape->c; nc++) {
    const float* src = x + (size_t)nc * H * W;
    for (int i = 0; i < oh; i++) {
      for (int j = 0; j < ow; j++) {
        int r0 = std::max(0, i * shape->stride_h - shape->pad_h);
        int c0 = std::max(0, j * shape->stride_w - shape->pad_w);
        int r1 = std::min(H, i * shape->stride_h - shape->pad_h + shape->kh);
        int c1 = std::min(W, j * shape->stride_w - shape->pad_w + shape->kw);
        double total = 0;
        for (int r = r0; r < r1; r++)
          for (int c = c0; c < c1; c++) total += src[r * W + c];
        int divisor = shape->kh * shape->kw;
        if (!count_padding) divisor = (r1 - r0) * (c1 - c0);
        y[((size_t)nc * oh + i) * ow + j] = (float)(total / divisor);
      }
    }
  }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  const float* p = x;
  for (float* q = y; q < y + n * c; q++) {
    double total = 0;
    for (const float* end = p + h * w; p < end; p++) total += *p;
    *q = total / (h * w);
  }
}

// ==== flags
// Starts from the first element that lies inside.
#include <cstddef>
#include "cpu_conv.h"

static inline bool ok(int v, int n) {
  return v >= 0 && v < n;
}

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  const Pool2dShape& P = *shape;
  size_t o = 0;
  for (int img = 0; img < P.n; ++img) {
    for (int ch = 0; ch < P.c; ++ch) {
      const float* base = &x[size_t(img * P.c + ch) * P.h * P.w];
      for (int oy = 0; oy < P.oh(); ++oy) {
        for (int ox = 0; ox < P.ow(); ++ox) {
          bool have = false;
          float winner = 0;
          for (int ky = 0; ky < P.kh; ++ky) {
            int iy = oy * P.stride_h + ky - P.pad_h;
            if (!ok(iy, P.h)) continue;
            for (int kx = 0; kx < P.kw; ++kx) {
              int ix = ox * P.stride_w + kx - P.pad_w;
              if (!ok(ix, P.w)) continue;
              if (!have || base[iy * P.w + ix] > winner) {
                winner = base[iy * P.w + ix];
                have = true;
              }
            }
          }
          y[o++] = winner;
        }
      }
    }
  }
}

static float window_sum(const float* base, const Pool2dShape& P, int y0, int x0, int& hits) {
  float s = 0;
  hits = 0;
  for (int r = y0; r < y0 + P.kh; ++r)
    for (int c = x0; c < x0 + P.kw; ++c)
      if (ok(r, P.h) && ok(c, P.w)) s += base[r * P.w + c], hits++;
  return s;
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  const Pool2dShape& P = *shape;
  for (int plane = 0; plane < P.n * P.c; ++plane)
    for (int oy = 0; oy < P.oh(); ++oy)
      for (int ox = 0; ox < P.ow(); ++ox) {
        int hits;
        float s = window_sum(x + plane * P.h * P.w, P, oy * P.stride_h - P.pad_h,
                             ox * P.stride_w - P.pad_w, hits);
        *y++ = s / (count_padding ? P.kh * P.kw : hits);
      }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  int area = h * w;
  while (n-- > 0)
    for (int ch = 0; ch < c; ++ch) {
      float s = 0;
      int left = area;
      do s += *x++;
      while (--left);
      *y++ = s / area;
    }
}

// ==== plain
#include <cfloat>

#include "cpu_conv.h"

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  for (int n = 0; n < shape->n; n++)
    for (int c = 0; c < shape->c; c++)
      for (int i = 0; i < shape->oh(); i++)
        for (int j = 0; j < shape->ow(); j++) {
          float best = -FLT_MAX;
          for (int p = 0; p < shape->kh; p++)
            for (int q = 0; q < shape->kw; q++) {
              int r = i * shape->stride_h - shape->pad_h + p;
              int s = j * shape->stride_w - shape->pad_w + q;
              if (r < 0 || r >= shape->h || s < 0 || s >= shape->w) continue;
              float v = x[((n * shape->c + c) * shape->h + r) * shape->w + s];
              if (v > best) best = v;
            }
          y[((n * shape->c + c) * shape->oh() + i) * shape->ow() + j] = best;
        }
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  for (int n = 0; n < shape->n; n++)
    for (int c = 0; c < shape->c; c++)
      for (int i = 0; i < shape->oh(); i++)
        for (int j = 0; j < shape->ow(); j++) {
          float sum = 0;
          int count = 0;
          for (int p = 0; p < shape->kh; p++)
            for (int q = 0; q < shape->kw; q++) {
              int r = i * shape->stride_h - shape->pad_h + p;
              int s = j * shape->stride_w - shape->pad_w + q;
              if (r < 0 || r >= shape->h || s < 0 || s >= shape->w) continue;
              sum += x[((n * shape->c + c) * shape->h + r) * shape->w + s];
              count++;
            }
          if (count_padding) count = shape->kh * shape->kw;
          y[((n * shape->c + c) * shape->oh() + i) * shape->ow() + j] = sum / count;
        }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < c; j++) {
      float sum = 0;
      for (int k = 0; k < h * w; k++) sum += x[(i * c + j) * h * w + k];
      y[i * c + j] = sum / (h * w);
    }
}

// ==== pointers
#include <cmath>
#include <cstddef>

#include "cpu_conv.h"

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  const Pool2dShape& s = *shape;
  for (int n = 0; n < s.n; ++n) {
    for (int c = 0; c < s.c; ++c) {
      const float* image = x + size_t(n * s.c + c) * s.h * s.w;
      for (int i = 0; i < s.oh(); ++i) {
        for (int j = 0; j < s.ow(); ++j) {
          float best = -INFINITY;
          for (int p = 0; p < s.kh; ++p) {
            const int row = i * s.stride_h - s.pad_h + p;
            if (row < 0 || row >= s.h) continue;
            for (int q = 0; q < s.kw; ++q) {
              const int col = j * s.stride_w - s.pad_w + q;
              if (col < 0 || col >= s.w) continue;
              best = fmaxf(best, image[row * s.w + col]);
            }
          }
          *y++ = best;
        }
      }
    }
  }
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  const Pool2dShape& s = *shape;
  for (int n = 0; n < s.n; ++n) {
    for (int c = 0; c < s.c; ++c) {
      const float* image = x + size_t(n * s.c + c) * s.h * s.w;
      for (int i = 0; i < s.oh(); ++i) {
        for (int j = 0; j < s.ow(); ++j) {
          float sum = 0;
          int elements = 0;
          for (int p = 0; p < s.kh; ++p) {
            const int row = i * s.stride_h - s.pad_h + p;
            if (row < 0 || row >= s.h) continue;
            for (int q = 0; q < s.kw; ++q) {
              const int col = j * s.stride_w - s.pad_w + q;
              if (col < 0 || col >= s.w) continue;
              sum += image[row * s.w + col];
              elements += 1;
            }
          }
          if (count_padding) elements = s.kh * s.kw;
          *y++ = sum / elements;
        }
      }
    }
  }
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  const int size = h * w;
  for (int i = 0; i < n * c; ++i) {
    float sum = 0;
    for (int k = 0; k < size; ++k) sum += x[i * size + k];
    y[i] = sum / size;
  }
}

// ==== rows_then_columns
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

// ==== template
// One loop nest for all poolings; what is done with an element is a parameter.
#include <cmath>

#include "cpu_conv.h"

namespace {

template <typename Start, typename Take, typename Finish>
void pool(const float* x, float* y, const Pool2dShape& s, Start start, Take take, Finish finish) {
  const int64_t planes = int64_t(s.n) * s.c;
  for (int64_t plane = 0; plane != planes; ++plane, x += s.h * s.w) {
    for (int i = 0; i < s.oh(); ++i) {
      for (int j = 0; j < s.ow(); ++j) {
        float value = start();
        int seen = 0;
        for (int r = i * s.stride_h - s.pad_h, p = 0; p < s.kh; ++p, ++r) {
          if (unsigned(r) >= unsigned(s.h)) continue;
          for (int c = j * s.stride_w - s.pad_w, q = 0; q < s.kw; ++q, ++c) {
            if (unsigned(c) >= unsigned(s.w)) continue;
            take(value, x[r * s.w + c]);
            ++seen;
          }
        }
        *y++ = finish(value, seen);
      }
    }
  }
}

}  // namespace

void max_pool2d_forward(const float* x, float* y, const Pool2dShape* shape) {
  pool(
      x, y, *shape, [] { return -INFINITY; }, [](float& m, float v) { m = std::fmax(m, v); },
      [](float m, int) { return m; });
}

void avg_pool2d_forward(const float* x, float* y, const Pool2dShape* shape, int count_padding) {
  const int area = shape->kh * shape->kw;
  pool(
      x, y, *shape, [] { return 0.f; }, [](float& a, float v) { a += v; },
      [=](float a, int seen) { return a / (count_padding ? area : seen); });
}

void global_avg_pool_forward(const float* x, float* y, int n, int c, int h, int w) {
  Pool2dShape whole;
  whole.n = n, whole.c = c, whole.h = whole.kh = h, whole.w = whole.kw = w;
  whole.stride_h = whole.stride_w = 1;
  avg_pool2d_forward(x, y, &whole, 1);
}

// ==== textbook
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
