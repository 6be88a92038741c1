// SPDX-License-Identifier: MIT
#include "gradient_model.h"

#include <algorithm>

namespace convkit::stage_05 {

int64_t parameter(const Evidence& evidence, const char* name) {
  const auto found = evidence.params.find(name);
  return found == evidence.params.end() ? 0 : int64_t(found->second);
}

std::span<const float> input(const Evidence& evidence, const char* name) {
  for (const CaseTensor& tensor : evidence.inputs) {
    if (tensor.name == name) return tensor.f32;
  }
  return {};
}

std::span<const float> initial(const Evidence& evidence) {
  return input(evidence, (evidence.got.name + "0").c_str());
}

GradientModel::GradientModel(const Evidence& evidence)
    : n(parameter(evidence, "n")),
      c(parameter(evidence, "c")),
      m(parameter(evidence, "m")),
      image{parameter(evidence, "h"), parameter(evidence, "w")},
      kernel{parameter(evidence, "kh"), parameter(evidence, "kw")},
      output{0, 0},
      pad{parameter(evidence, "pad_h"), parameter(evidence, "pad_w")},
      stride{parameter(evidence, "stride_h"), parameter(evidence, "stride_w")},
      dilation{parameter(evidence, "dilation_h"), parameter(evidence, "dilation_w")},
      of(evidence.got.name == "dx"   ? Of::x
         : evidence.got.name == "dw" ? Of::w
                                     : Of::b),
      last_image(n),
      x_(input(evidence, "x")),
      w_(input(evidence, "w")),
      dy_(input(evidence, "dy")),
      initial_(initial(evidence)),
      elements_(evidence.comparison.elements) {
  if (stride.h <= 0 || stride.w <= 0) return;
  output = {(image.h + 2 * pad.h - dilation.h * (kernel.h - 1) - 1) / stride.h + 1,
            (image.w + 2 * pad.w - dilation.w * (kernel.w - 1) - 1) / stride.w + 1};
}

int64_t GradientModel::place_in_y(int64_t image_index, int64_t map, int64_t i, int64_t j) const {
  const int64_t plane = maps_outermost ? map * n + image_index : image_index * m + map;
  if (gradient_turned) i = output.h - 1 - i, j = output.w - 1 - j;
  return (plane * output.h + i) * output.w + j;
}

int64_t GradientModel::place_in_w(int64_t map, int64_t channel, int64_t p, int64_t q) const {
  if (weights == Weights::turned) p = kernel.h - 1 - p, q = kernel.w - 1 - q;
  const int64_t filter = weights == Weights::c_m_kh_kw ? channel * m + map : map * c + channel;
  return (filter * kernel.h + p) * kernel.w + q;
}

// Nothing for an element that does not take part; -1 outside of the tensor.
std::optional<int64_t> GradientModel::place_in_x(int64_t image_index, int64_t channel, int64_t row,
                                                 int64_t column) const {
  const bool inside = row >= 0 && row < image.h && column >= 0 && column < image.w;
  if (!inside) {
    if (outside == Outside::skipped) return std::nullopt;
    if (outside == Outside::edge) {
      row = std::clamp<int64_t>(row, 0, image.h - 1);
      column = std::clamp<int64_t>(column, 0, image.w - 1);
    }
  }
  const int64_t at = ((image_index * c + channel) * image.h + row) * image.w + column;
  return at >= 0 && at < n * c * image.h * image.w ? at : -1;
}

double GradientModel::bias_sum(int64_t map) const {
  double sum = 0;
  if (by_image) {
    for (int64_t k = 0; k < m; ++k) {
      for (int64_t at = 0; at < output.h * output.w; ++at) {
        sum += dy_[size_t(place_in_y(map, k, 0, 0) + at)];
      }
    }
    return sum;
  }
  for (int64_t image_index = first_image; image_index < last_image; ++image_index) {
    for (int64_t i = 0; i < output.h - skips_last_row; ++i) {
      for (int64_t j = 0; j < output.w - skips_last_row; ++j) {
        sum += dy_[size_t(place_in_y(image_index, map, i, j))];
      }
    }
  }
  return sum;
}

bool GradientModel::is_lost(int64_t at) const {
  if (share == 0) return false;
  const int64_t plane = output.h * output.w;
  const int64_t end = std::min((at / share + 1) * share, n * m * plane);
  return m == 1 || at / plane == (end - 1) / plane;
}

std::optional<std::vector<double>> GradientModel::walk() const {
  std::vector<double> result(size_t(elements_), 0);
  if (of == Of::b) {
    if (by_image && n < m) return std::nullopt;
    for (int64_t map = 0; map < m; ++map) result[size_t(map)] = bias_sum(map);
    return result;
  }
  for (int64_t at = 0; at < n * m * output.h * output.w; ++at) {
    const int64_t first = at - at % neighbours;
    const int64_t j = first % output.w + at - first, i = first / output.w % output.h;
    const int64_t map = first / output.w / output.h % m;
    const int64_t image_index = first / output.w / output.h / m;
    if (is_lost(at)) continue;
    if (image_index < first_image || image_index >= last_image) continue;
    if ((ends_above && i * stride.h < pad.h) || (ends_left && j * stride.w < pad.w)) continue;
    if (skips_last_row && (i == output.h - 1 || j == output.w - 1)) continue;
    const double gradient = dy_[size_t(neighbours > 1 ? at : place_in_y(image_index, map, i, j))];
    for (int64_t channel = 0; channel < c; ++channel) {
      for (int64_t p = 0; p < taps.h; ++p) {
        for (int64_t q = 0; q < taps.w; ++q) {
          const auto place = place_in_x(image_index, channel, i * stride.h - pad.h + p * dilation.h,
                                        j * stride.w - pad.w + q * dilation.w);
          if (!place) continue;
          if (*place < 0) return std::nullopt;
          const auto in_w = size_t(place_in_w(map, channel, p, q));
          if (of == Of::x) {
            result[size_t(*place)] += gradient * w_[in_w];
          } else {
            result[in_w] += gradient * x_[size_t(*place)];
          }
        }
      }
    }
  }
  return result;
}

Prediction GradientModel::predict() const {
  const int64_t plane = output.h * output.w;
  const bool has_operands = plane > 0 && int64_t(dy_.size()) == n * m * plane &&
                            (of != Of::x || int64_t(w_.size()) == m * c * kernel.h * kernel.w) &&
                            (of != Of::w || int64_t(x_.size()) == n * c * image.h * image.w);
  const int64_t expected = of == Of::x   ? n * c * image.h * image.w
                           : of == Of::w ? m * c * kernel.h * kernel.w
                                         : m;
  const double work = double(dy_.size()) * double(c) * double(kernel.h * kernel.w);
  if (!has_operands || elements_ != expected || work > kMostWork) return std::nullopt;
  if (neighbours > 1 && output.w % neighbours == 0) return std::nullopt;  // it shows nothing
  auto result = walk();
  if (!result) return std::nullopt;
  for (size_t at = 0; at < result->size(); ++at) {
    (*result)[at] /= divisor;
    if (!ignores_initial && at < initial_.size()) (*result)[at] += initial_[at];
  }
  return result;
}

}  // namespace convkit::stage_05
