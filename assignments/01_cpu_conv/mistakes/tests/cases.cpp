// SPDX-License-Identifier: MIT
#include "cases.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace convkit {
namespace {

std::map<std::string, double> params_of(const Pool2dShape& s) {
  return {{"n", s.n},
          {"c", s.c},
          {"h", s.h},
          {"w", s.w},
          {"kh", s.kh},
          {"kw", s.kw},
          {"pad_h", s.pad_h},
          {"pad_w", s.pad_w},
          {"stride_h", s.stride_h},
          {"stride_w", s.stride_w}};
}

}  // namespace

MadeCase max_pool_case(const Pool2dShape& s, std::mt19937& random) {
  MadeCase result{
      "max_pool2d_forward", params_of(s), {}, {s.n, s.c, s.oh(), s.ow()}, "y", {}, {}, {}, 0};
  auto& x = result.inputs["x"] = normal_values(random, s.x_size());
  for (float& value : x) value -= 0.5f;
  for (size_t i = 0; i < x.size(); i += 2) x[i] = std::min(x[i], 0.0f);  // zeros, as elements
  for (int plane = 0; plane < s.n * s.c; ++plane) {
    for (int row = 0; row < s.oh(); ++row) {
      for (int column = 0; column < s.ow(); ++column) {
        float best = -std::numeric_limits<float>::infinity();
        for (int h = row * s.stride_h - s.pad_h; h < row * s.stride_h - s.pad_h + s.kh; ++h) {
          for (int w = column * s.stride_w - s.pad_w; w < column * s.stride_w - s.pad_w + s.kw;
               ++w) {
            if (h < 0 || h >= s.h || w < 0 || w >= s.w) continue;
            best = std::max(best, x[size_t((plane * s.h + h) * s.w + w)]);
          }
        }
        result.reference.push_back(double(best));
      }
    }
  }
  return result;
}

MadeCase avg_pool_case(const Pool2dShape& s, bool count_padding, std::mt19937& random) {
  MadeCase result{
      "avg_pool2d_forward",   params_of(s), {}, {s.n, s.c, s.oh(), s.ow()}, "y", {}, {}, {},
      double(s.kh * s.kw + 1)};
  result.params["count_padding"] = count_padding;
  auto& x = result.inputs["x"] = normal_values(random, s.x_size());
  for (size_t i = 0; i < x.size(); i += 3) x[i] = std::max(x[i], 0.0f);  // as after a ReLU
  for (int plane = 0; plane < s.n * s.c; ++plane) {
    for (int row = 0; row < s.oh(); ++row) {
      for (int column = 0; column < s.ow(); ++column) {
        double sum = 0, magnitude = 0;
        int count = 0;
        for (int h = row * s.stride_h - s.pad_h; h < row * s.stride_h - s.pad_h + s.kh; ++h) {
          for (int w = column * s.stride_w - s.pad_w; w < column * s.stride_w - s.pad_w + s.kw;
               ++w) {
            if (h < 0 || h >= s.h || w < 0 || w >= s.w) continue;
            sum += double(x[size_t((plane * s.h + h) * s.w + w)]);
            magnitude += std::fabs(double(x[size_t((plane * s.h + h) * s.w + w)]));
            ++count;
          }
        }
        const int divisor = count_padding ? s.kh * s.kw : count;
        result.reference.push_back(sum / divisor);
        result.magnitude.push_back(magnitude / divisor);
      }
    }
  }
  return result;
}

MadeCase global_avg_pool_case(int n, int c, int h, int w, std::mt19937& random) {
  MadeCase result{"global_avg_pool_forward",
                  {{"n", n}, {"c", c}, {"h", h}, {"w", w}},
                  {},
                  {n, c},
                  "y",
                  {},
                  {},
                  {},
                  double(h * w + 1)};
  const auto x = result.inputs["x"] = normal_values(random, int64_t{n} * c * h * w);
  for (int plane = 0; plane < n * c; ++plane) {
    double sum = 0, magnitude = 0;
    for (int i = 0; i < h * w; ++i) {
      sum += double(x[size_t(plane * h * w + i)]);
      magnitude += std::fabs(double(x[size_t(plane * h * w + i)]));
    }
    result.reference.push_back(sum / (h * w));
    result.magnitude.push_back(magnitude / (h * w));
  }
  return result;
}

MadeCase activation_case(const std::string& op, std::mt19937& random) {
  constexpr int kSize = 200;
  MadeCase result{op, {{"size", kSize}}, {}, {kSize}, "y", {}, {}, {}, 0};
  auto& x = result.inputs["x"] = normal_values(random, kSize, 60);
  const bool is_relu = op.ends_with("relu_forward");
  if (is_relu) x[11] = std::numeric_limits<float>::quiet_NaN();
  if (op == "leaky_relu_forward") result.params["slope"] = 0.1;
  if (op != "relu_forward") result.terms = 1;
  for (float value : x) {
    const double v = double(value);
    double y = v;
    if (op == "relu_forward") y = v < 0 ? 0 : v;
    if (op == "leaky_relu_forward") y = v < 0 ? 0.1 * v : v;
    if (op == "sigmoid_forward") y = 1 / (1 + std::exp(-v));
    if (op == "tanh_forward") y = std::tanh(v);
    result.reference.push_back(y);
    // Four roundings, and those of the exponent.
    if (result.terms > 0)
      result.magnitude.push_back((8 + (is_relu ? 0 : std::fabs(v))) * std::fabs(y));
  }
  return result;
}

MadeCase dense_case(int n, int in, int out, std::mt19937& random) {
  MadeCase result{
      "dense_forward", {{"n", n}, {"in", in}, {"out", out}}, {}, {n, out}, "y", {}, {}, {},
      double(in + 1)};
  const auto x = result.inputs["x"] = normal_values(random, int64_t{n} * in);
  const auto w = result.inputs["w"] = normal_values(random, int64_t{out} * in);
  const auto b = result.inputs["b"] = normal_values(random, out);
  for (int row = 0; row < n; ++row) {
    for (int o = 0; o < out; ++o) {
      double sum = double(b[size_t(o)]), magnitude = std::fabs(sum);
      for (int i = 0; i < in; ++i) {
        const double product = double(x[size_t(row * in + i)]) * double(w[size_t(o * in + i)]);
        sum += product;
        magnitude += std::fabs(product);
      }
      result.reference.push_back(sum);
      result.magnitude.push_back(magnitude);
    }
  }
  return result;
}

MadeCase softmax_case(int n, int k, float scale, std::mt19937& random) {
  MadeCase result{"softmax_forward", {{"n", n}, {"k", k}}, {}, {n, k}, "y", {}, {}, {}, 1};
  const auto x = result.inputs["x"] = normal_values(random, int64_t{n} * k, scale);
  for (int row = 0; row < n; ++row) {
    const auto begin = x.begin() + row * k;
    const double largest = double(*std::max_element(begin, begin + k));
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += std::exp(double(begin[i]) - largest);
    for (int i = 0; i < k; ++i) {
      const double y = std::exp(double(begin[i]) - largest) / sum;
      result.reference.push_back(y);
      result.magnitude.push_back(y * (k + 8 + largest - double(begin[i])));
    }
  }
  return result;
}

MadeCase layout_case(const std::string& op, int n, int c, int h, int w, std::mt19937& random) {
  const bool to_nhwc = op == "nchw_to_nhwc";
  MadeCase result{op, {{"n", n}, {"c", c}, {"h", h}, {"w", w}}, {}, {}, "y", {}, {}, {}, 0};
  if (to_nhwc)
    result.dims = {n, h, w, c};
  else
    result.dims = {n, c, h, w};
  const auto x = result.inputs["x"] = normal_values(random, int64_t{n} * c * h * w);
  result.reference.resize(x.size());
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < c; ++b) {
      for (int i = 0; i < h; ++i) {
        for (int j = 0; j < w; ++j) {
          const int nchw = ((a * c + b) * h + i) * w + j, nhwc = ((a * h + i) * w + j) * c + b;
          result.reference[size_t(to_nhwc ? nhwc : nchw)] =
              double(x[size_t(to_nhwc ? nchw : nhwc)]);
        }
      }
    }
  }
  return result;
}

MadeCase same_padding_case(int size, int kernel, int stride, int dilation) {
  MadeCase result{"same_padding",
                  {{"size", size}, {"kernel", kernel}, {"stride", stride}, {"dilation", dilation}},
                  {},
                  {2},
                  "p",
                  {},
                  {},
                  {},
                  0};
  const int before = same_before(size, kernel, stride, dilation);
  const int outputs = (size + stride - 1) / stride;
  const int total = std::max(0, (outputs - 1) * stride + dilation * (kernel - 1) + 1 - size);
  result.int_reference = {before, total - before};
  return result;
}

bool says(const Diagnosis& diagnosis, std::string_view sentence) {
  return diagnosis.message.find(sentence) != std::string::npos;
}

}  // namespace convkit
