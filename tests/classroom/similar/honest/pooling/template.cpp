// SPDX-License-Identifier: MIT
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
