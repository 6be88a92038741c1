// SPDX-License-Identifier: MIT
#include "compare/tests/made_case.h"

#include <algorithm>
#include <cmath>

namespace convkit {
namespace {

std::map<std::string, double> params_of(const Conv2dShape& s) {
  return {{"n", s.n},
          {"c", s.c},
          {"h", s.h},
          {"w", s.w},
          {"m", s.m},
          {"kh", s.kh},
          {"kw", s.kw},
          {"pad_h", s.pad_h},
          {"pad_w", s.pad_w},
          {"stride_h", s.stride_h},
          {"groups", 1},
          {"stride_w", s.stride_w},
          {"dilation_h", s.dilation_h},
          {"dilation_w", s.dilation_w}};
}

}  // namespace

int same_before(int size, int kernel, int stride, int dilation) {
  const int reach = dilation * (kernel - 1) + 1;
  const int total = size % stride == 0 ? reach - stride : reach - size % stride;
  return std::max(total, 0) / 2;
}

std::vector<float> normal_values(std::mt19937& random, int64_t count, float scale) {
  std::normal_distribution<float> value(0, scale);
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(value(random));
  return values;
}

MadeCase conv_case(const std::string& op, const Conv2dShape& shape, std::mt19937& random) {
  Conv2dShape s = shape;
  int oh = s.oh(), ow = s.ow();
  const bool same = op == "conv2d_same_forward";
  if (same) s.pad_h = s.pad_w = 0;
  MadeCase result{op, params_of(s), {}, {}, "y", {}, {}, {}, double(s.c * s.kh * s.kw + 1)};
  if (same) {
    oh = (s.h + s.stride_h - 1) / s.stride_h;
    ow = (s.w + s.stride_w - 1) / s.stride_w;
    s.pad_h = same_before(s.h, s.kh, s.stride_h, s.dilation_h);
    s.pad_w = same_before(s.w, s.kw, s.stride_w, s.dilation_w);
  }
  result.dims = {s.n, s.m, oh, ow};
  const auto x = result.inputs["x"] = normal_values(random, s.x_size());
  const auto w = result.inputs["w"] = normal_values(random, s.w_size());
  const auto b = result.inputs["b"] = normal_values(random, s.m);
  for (int n = 0; n < s.n; ++n) {
    for (int m = 0; m < s.m; ++m) {
      for (int row = 0; row < oh; ++row) {
        for (int column = 0; column < ow; ++column) {
          double sum = double(b[size_t(m)]), magnitude = std::fabs(sum);
          for (int c = 0; c < s.c; ++c) {
            for (int i = 0; i < s.kh; ++i) {
              for (int j = 0; j < s.kw; ++j) {
                const int h = row * s.stride_h - s.pad_h + i * s.dilation_h;
                const int v = column * s.stride_w - s.pad_w + j * s.dilation_w;
                if (h < 0 || h >= s.h || v < 0 || v >= s.w) continue;
                const double product = double(x[size_t(((n * s.c + c) * s.h + h) * s.w + v)]) *
                                       double(w[size_t(((m * s.c + c) * s.kh + i) * s.kw + j)]);
                sum += product;
                magnitude += std::fabs(product);
              }
            }
          }
          result.reference.push_back(sum);
          result.magnitude.push_back(magnitude);
        }
      }
    }
  }
  return result;
}

}  // namespace convkit
