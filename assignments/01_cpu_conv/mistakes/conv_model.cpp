// SPDX-License-Identifier: MIT
#include "conv_model.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "compare/closeness.h"

namespace convkit::stage_01 {
namespace {

bool is_anything(double value) {
  return std::bit_cast<uint64_t>(value) == std::bit_cast<uint64_t>(predicted_anything());
}

}  // namespace

SamePadding same_padding_of(int64_t size, int64_t kernel, int64_t stride, int64_t dilation) {
  const int64_t outputs = (size + stride - 1) / stride;
  const int64_t total =
      std::max<int64_t>((outputs - 1) * stride + dilation * (kernel - 1) + 1 - size, 0);
  return {total / 2, total - total / 2};
}

ConvModel::ConvModel(const Evidence& evidence)
    : n(size_parameter(evidence, "n")),
      c(size_parameter(evidence, "c")),
      m(size_parameter(evidence, "m")),
      image{size_parameter(evidence, "h"), size_parameter(evidence, "w")},
      kernel{size_parameter(evidence, "kh"), size_parameter(evidence, "kw")},
      output{0, 0},
      pad{size_parameter(evidence, "pad_h"), size_parameter(evidence, "pad_w")},
      stride{size_parameter(evidence, "stride_h"), size_parameter(evidence, "stride_w")},
      dilation{size_parameter(evidence, "dilation_h"), size_parameter(evidence, "dilation_w")},
      taps(kernel),
      elsewhere(predicted_unwritten()),
      evidence_(evidence),
      x_(input(evidence, "x")),
      w_(input(evidence, "w")),
      b_(input(evidence, "b")),
      elements_(evidence.comparison.elements) {
  if (evidence.reference.dims.size() == 4) {
    output = {evidence.reference.dims[2], evidence.reference.dims[3]};
  }
  if (evidence.op == "conv2d_same_forward" && stride.h > 0 && stride.w > 0) {
    pad = {same_padding_of(image.h, kernel.h, stride.h, dilation.h).before,
           same_padding_of(image.w, kernel.w, stride.w, dilation.w).before};
  }
  loop = y_extent = output;
}

// The element of x at a position of the padded image, 0 in the padding.
double ConvModel::read(int64_t image_index, int64_t channel, int64_t row, int64_t column) const {
  const bool inside = row >= first_read.h && row < image.h - last_unread.h &&
                      column >= first_read.w && column < image.w - last_unread.w;
  if (!inside && outside == Outside::zero) return 0;
  if (!inside && outside == Outside::edge) {
    row = std::clamp<int64_t>(row, 0, image.h - 1);
    column = std::clamp<int64_t>(column, 0, image.w - 1);
  }
  const int64_t plane = image.h * image.w;
  int64_t index = 0;
  switch (layout) {
    case Layout::nchw:
      index = (image_index * c + channel) * plane + row * image.w + column;
      break;
    case Layout::nhwc:
      index = (image_index * plane + row * image.w + column) * c + channel;
      break;
    case Layout::ncwh:
      index = (image_index * c + channel) * plane + column * image.h + row;
      break;
    case Layout::rows_of_h:
      index = (image_index * c + channel) * plane + row * image.h + column;
      break;
    case Layout::same_for_every_c:
      index = image_index * c * plane + row * image.w + column;
      break;
    case Layout::same_for_every_n:
      index = channel * plane + row * image.w + column;
      break;
  }
  if (index < 0 || index >= int64_t(x_.size())) return predicted_anything();
  return x_[size_t(index)];
}

double ConvModel::weight(int64_t filter, int64_t channel, int64_t i, int64_t j) const {
  if (flipped_h) i = kernel.h - 1 - i;
  if (flipped_w) j = kernel.w - 1 - j;
  int64_t index = 0;
  const int64_t area = kernel.h * kernel.w;
  switch (weights) {
    case Weights::m_c_kh_kw:
      index = (filter * c + channel) * area + i * kernel.w + j;
      break;
    case Weights::m_c_kw_kh:
      index = (filter * c + channel) * area + j * kernel.h + i;
      break;
    case Weights::c_m_kh_kw:
      index = (channel * m + filter) * area + i * kernel.w + j;
      break;
    case Weights::same_for_every_c:
      index = filter * c * area + i * kernel.w + j;
      break;
    case Weights::same_for_every_m:
      index = channel * area + i * kernel.w + j;
      break;
  }
  if (index < 0 || index >= int64_t(w_.size())) return predicted_anything();
  return w_[size_t(index)];
}

double ConvModel::result(int64_t image_index, int64_t filter, int64_t row, int64_t column) const {
  const int64_t first = channels == Channels::only_last ? c - 1 : 0;
  const int64_t end = channels == Channels::only_first ? 1 : c;
  double sum = 0;
  double biases = 0;  // how many times the bias is added
  for (int64_t channel = first; channel < end; ++channel) {
    for (int64_t i = 0; i < taps.h - taps_unread.h; ++i) {
      for (int64_t j = 0; j < taps.w - taps_unread.w; ++j) {
        const int64_t x_row = row * stride.h - pad.h + i * dilation.h;
        const int64_t x_column = column * stride.w - pad.w + j * dilation.w;
        const double x = read(image_index, channel, x_row, x_column);
        const double w = weight(filter, channel, i, j);
        if (is_anything(x) || is_anything(w)) return predicted_anything();
        sum += x * w;
        const bool inside = x_row >= 0 && x_row < image.h && x_column >= 0 && x_column < image.w;
        biases += bias == Bias::every_product || (bias == Bias::every_read && inside);
      }
    }
    biases += bias == Bias::every_channel;
  }
  if (bias == Bias::once) biases = 1;
  if (bias == Bias::of_map_0 || bias == Bias::of_last_channel) {
    filter = bias == Bias::of_map_0 ? 0 : c - 1;
    biases = 1;
  }
  if (biases == 0) return sum;
  if (filter >= int64_t(b_.size())) return predicted_anything();
  return sum + biases * double(b_[size_t(filter)]);
}

int64_t ConvModel::index_in_y(int64_t image_index, int64_t filter, int64_t row,
                              int64_t column) const {
  const int64_t plane = maps_overwrite ? image_index : image_index * m + filter;
  return (plane * y_extent.h + row * y_step.h) * y_extent.w + column * y_step.w;
}

// Computing a whole prediction costs as much as the convolution; most mistakes are ruled out by a
// few elements of the output.
bool ConvModel::possible() const {
  const bool stored_once = y_extent.h == output.h && y_extent.w == output.w && y_step.h == 1 &&
                           y_step.w == 1 && !maps_overwrite;
  if (evidence_.got.f32.empty() || !stored_once) return true;
  constexpr int64_t kSamples = 32;
  const int64_t results = n * m * loop.h * loop.w;
  const Closeness closeness(evidence_);
  for (int64_t sample = 0; sample < std::min(kSamples, results); ++sample) {
    int64_t rest = results <= kSamples ? sample : sample * (results / kSamples);
    const int64_t column = rest % loop.w, row = (rest /= loop.w) % loop.h;
    const int64_t filter = (rest /= loop.h) % m, image_index = rest / m;
    // Only the first output does not depend on others.
    if (reset != Reset::every_output && row + column > 0) continue;
    const double predicted = result(image_index, filter, row, column);
    const float got = evidence_.got.f32[size_t(index_in_y(image_index, filter, row, column))];
    if (std::isfinite(predicted) && !closeness.close(got, predicted)) return false;
  }
  return true;
}

bool ConvModel::holds_bias_alone(const std::vector<double>& y) const {
  const int64_t plane = output.h * output.w;
  for (int64_t i = 0; i < elements_; ++i) {
    if (y[size_t(i)] != double(b_[size_t(i / plane % m)])) return false;
  }
  return true;
}

Prediction ConvModel::predict() const {
  const double work = double(elements_) * double(c) * double(kernel.h) * double(kernel.w);
  const bool complete = int64_t(x_.size()) == n * c * image.h * image.w &&
                        int64_t(w_.size()) == m * c * kernel.h * kernel.w &&
                        int64_t(b_.size()) == m && elements_ == n * m * output.h * output.w;
  if (!complete || elements_ == 0 || work > kMostWork) return std::nullopt;
  if (loop.h <= 0 || loop.w <= 0 || !possible()) return std::nullopt;
  std::vector<double> y(size_t(elements_), elsewhere);
  for (int64_t image_index = 0; image_index < n; ++image_index) {
    for (int64_t filter = 0; filter < m; ++filter) {
      double carried = 0;  // products of the outputs before
      for (int64_t row = 0; row < loop.h; ++row) {
        if (reset == Reset::every_row) carried = 0;
        for (int64_t column = 0; column < loop.w; ++column) {
          const double here = result(image_index, filter, row, column);
          const int64_t index = index_in_y(image_index, filter, row, column);
          if (index < elements_) {
            y[size_t(index)] = reset == Reset::every_output ? here : here + carried;
          }
          if (reset != Reset::every_output) carried += here - double(b_[size_t(filter)]);
        }
      }
    }
  }
  if (holds_bias_alone(y)) return std::nullopt;
  return y;
}

}  // namespace convkit::stage_01
