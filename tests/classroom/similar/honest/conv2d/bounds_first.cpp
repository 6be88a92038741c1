// SPDX-License-Identifier: MIT
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
