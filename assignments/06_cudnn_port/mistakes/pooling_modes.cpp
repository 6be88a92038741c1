// SPDX-License-Identifier: MIT
// Known mistakes in poolings by the library: another mode than the one asked for, the numbers of a
// window in another order, and y and dy exchanged.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "port_evidence.h"

namespace convkit::stage_06 {
namespace {

struct PoolWindow {
  explicit PoolWindow(const Evidence& of)
      : evidence(of),
        planes(integer(evidence, "n") * integer(evidence, "c")),
        h(integer(evidence, "h")),
        w(integer(evidence, "w")),
        kh(integer(evidence, "kh")),
        kw(integer(evidence, "kw")),
        pad_h(integer(evidence, "pad_h")),
        pad_w(integer(evidence, "pad_w")),
        stride_h(integer(evidence, "stride_h")),
        stride_w(integer(evidence, "stride_w")) {
    if (evidence.op.starts_with("avg")) {
      mode = integer(evidence, "count_padding") != 0 ? Mode::average_with_padding : Mode::average;
    }
  }

  const Evidence& evidence;
  int64_t planes, h, w, kh, kw, pad_h, pad_w, stride_h, stride_w;
  enum class Mode { max, average, average_with_padding } mode = Mode::max;

  // The library takes the sizes of the output from the descriptor: one with others writes fewer
  // elements, or more, one plane right behind the other.
  Prediction forward() const {
    const auto x = input(evidence, "x");
    if (!is_known(x)) return std::nullopt;
    std::vector<double> y(evidence.reference.f64.size(), predicted_unwritten());
    if (outputs() > int64_t(y.size())) return std::nullopt;
    for (int64_t at = 0; at < outputs(); ++at) {
      y[size_t(at)] = of_window(x, at / (oh() * ow()), top(at), left(at));
    }
    return y;
  }

  // dx of a maximum where y stands in the place of dy: the largest element of each window gets
  // itself.
  Prediction largest_to_itself() const {
    const auto x = input(evidence, "x");
    if (!is_known(x) || x.size() != evidence.reference.f64.size()) return std::nullopt;
    std::vector<double> dx(x.size(), 0.0);
    for (int64_t at = 0; at < outputs(); ++at) {
      const int64_t place = largest_in(x, at / (oh() * ow()), top(at), left(at));
      if (place >= 0) dx[size_t(place)] += double(x[size_t(place)]);
    }
    return dx;
  }

 private:
  bool is_known(std::span<const float> x) const {
    return calls_cudnn(evidence) && stride_h >= 1 && stride_w >= 1 && kh >= 1 && kw >= 1 &&
           h + 2 * pad_h >= kh && w + 2 * pad_w >= kw && int64_t(x.size()) == planes * h * w;
  }
  int64_t oh() const { return (h + 2 * pad_h - kh) / stride_h + 1; }
  int64_t ow() const { return (w + 2 * pad_w - kw) / stride_w + 1; }
  int64_t outputs() const { return planes * oh() * ow(); }
  // Where the window of this output begins.
  int64_t top(int64_t output) const { return output / ow() % oh() * stride_h - pad_h; }
  int64_t left(int64_t output) const { return output % ow() * stride_w - pad_w; }

  // -1 where the window lies in the padding.
  int64_t largest_in(std::span<const float> x, int64_t plane, int64_t top, int64_t left) const {
    int64_t largest = -1;
    for (int64_t i = std::max<int64_t>(top, 0); i < std::min(top + kh, h); ++i) {
      for (int64_t j = std::max<int64_t>(left, 0); j < std::min(left + kw, w); ++j) {
        const int64_t place = (plane * h + i) * w + j;
        if (largest < 0 || x[size_t(place)] > x[size_t(largest)]) largest = place;
      }
    }
    return largest;
  }

  double of_window(std::span<const float> x, int64_t plane, int64_t top, int64_t left) const {
    double sum = 0, largest = -std::numeric_limits<double>::infinity();
    int64_t count = 0;
    for (int64_t i = std::max<int64_t>(top, 0); i < std::min(top + kh, h); ++i) {
      for (int64_t j = std::max<int64_t>(left, 0); j < std::min(left + kw, w); ++j) {
        const double value = double(x[size_t((plane * h + i) * w + j)]);
        sum += value;
        largest = std::max(largest, value);
        ++count;
      }
    }
    if (mode == Mode::max) return largest;
    return sum / double(mode == Mode::average ? count : kh * kw);
  }
};

// Channels (or images, too) described as one tall image: windows reach from one into the next.
Prediction merged_planes(const Evidence& evidence, bool images) {
  PoolWindow window(evidence);
  const int64_t merged = images ? window.planes : integer(evidence, "c");
  if (merged < 2) return std::nullopt;
  window.h *= merged, window.planes /= merged;
  return window.forward();
}

template <bool images>
Prediction merged_planes(const Evidence& evidence) {
  return merged_planes(evidence, images);
}

template <class Change>
Prediction pooled(const Evidence& evidence, Change change) {
  PoolWindow window(evidence);
  change(window);
  return window.forward();
}

#define CONVKIT_WINDOW(change) \
  [](const Evidence& evidence) { return pooled(evidence, [](PoolWindow& window) { change; }); }

Prediction max_back_exchanged(const Evidence& evidence) {
  return PoolWindow(evidence).largest_to_itself();
}

// Of an average.
Prediction zeros_of_average(const Evidence& evidence) {
  if (!calls_cudnn(evidence)) return std::nullopt;
  return std::vector<double>(evidence.reference.f64.size(), 0.0);
}

// --- what students read ------------------------------------------------------------------------

constexpr const char* kZeroOfAverage =
    "Every output is 0, as if alpha were 0, or as if y (or x) stood in the place of dy: in this "
    "case both are 0 throughout.";
constexpr const char* kZeroOfAverageHint =
    "cudnnPoolingBackward takes alpha, y, dy, x, beta, dx, each tensor behind its descriptor. For "
    "float tensors alpha and beta are floats, const float one = 1.0f, zero = 0.0f: of a double 1.0 "
    "the library reads the first four bytes, which are 0.";
constexpr const char* kGradientExchanged =
    "y and dy are exchanged: the largest element of each window gets y back, as if it were the "
    "gradient.";
constexpr const char* kGradientExchangedHint =
    "cudnnPoolingBackward takes y first, then dy, each behind its descriptor. Both have the same "
    "shape, so nothing is refused.";
constexpr const char* kWindowHint =
    "cudnnSetPoolingNdDescriptor takes arrays for window, padding and stride, in this order, each "
    "with the rows' number first: {kh, kw}, {pad_h, pad_w}, {stride_h, stride_w}.";
constexpr const char* kMergedHint =
    "Each channel is pooled by itself, with borders of its own. Describe x as n, c, h, w and y as "
    "n, c, oh, ow; images and channels may be merged (n * c images of one channel), channels and "
    "rows may not.";
constexpr const char* kPoolModeHint =
    "CUDNN_POOLING_MAX, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING (the divisor is always kh * "
    "kw) and ..._EXCLUDE_PADDING (the number of elements inside the image).";

const MistakeModel kPoolingModes[] = {
    {.id = "alpha_as_double",
     .op = "avg_pool2d_backward",
     .sentence = kZeroOfAverage,
     .hint = kZeroOfAverageHint,
     .predict = zeros_of_average,
     .of_nothing = true},

    {"operands_swapped", "max_pool2d_backward", kGradientExchanged, kGradientExchangedHint,
     max_back_exchanged},

    {"window_columns_first", "*_pool2d_forward",
     "Rows and columns of the window are exchanged: it is kw x kh instead of kh x kw.", kWindowHint,
     CONVKIT_WINDOW(std::swap(window.kh, window.kw))},
    {"window_columns_first", "*_pool2d_forward",
     "Rows and columns of the padding are exchanged: pad_w stands where pad_h belongs.",
     kWindowHint, CONVKIT_WINDOW(std::swap(window.pad_h, window.pad_w))},
    {"window_columns_first", "*_pool2d_forward",
     "Rows and columns of the stride are exchanged: stride_w stands where stride_h belongs.",
     kWindowHint, CONVKIT_WINDOW(std::swap(window.stride_h, window.stride_w))},
    {"window_columns_first", "*_pool2d_forward",
     "Rows and columns are exchanged in window, padding and stride: the columns' numbers come "
     "first.",
     kWindowHint,
     CONVKIT_WINDOW(std::swap(window.kh, window.kw); std::swap(window.pad_h, window.pad_w);
                    std::swap(window.stride_h, window.stride_w))},
    {"padding_and_stride", "*_pool2d_forward",
     "Padding and stride of the window are exchanged in the descriptor.", kWindowHint,
     CONVKIT_WINDOW(std::swap(window.pad_h, window.stride_h);
                    std::swap(window.pad_w, window.stride_w))},
    {"window_and_stride", "*_pool2d_forward", "Window and stride are exchanged in the descriptor.",
     kWindowHint,
     CONVKIT_WINDOW(std::swap(window.kh, window.stride_h); std::swap(window.kw, window.stride_w))},

    {"channels_merged", "*_pool2d_forward",
     "The channels of an image are described as one tall image of c * h rows: windows reach from "
     "one channel into the next, and there is no padding between them.",
     kMergedHint, merged_planes<false>},
    {"channels_merged", "*_pool2d_forward",
     "All channels of all images are described as one tall image of n * c * h rows: windows reach "
     "from one channel into the next, and there is no padding between them.",
     kMergedHint, merged_planes<true>},

    {"other_pooling", "avg_pool2d_forward",
     "The pooling takes the largest element of each window; the average is asked for.",
     kPoolModeHint, CONVKIT_WINDOW(window.mode = PoolWindow::Mode::max)},
    {"other_pooling", "max_pool2d_forward",
     "The pooling takes the average of each window; the largest element is asked for.",
     kPoolModeHint, CONVKIT_WINDOW(window.mode = PoolWindow::Mode::average)},
    {"other_pooling", "max_pool2d_forward",
     "The pooling takes the average of each window, padding counted; the largest element is asked "
     "for.",
     kPoolModeHint, CONVKIT_WINDOW(window.mode = PoolWindow::Mode::average_with_padding)},
};

const RegisterMistakes kPoolingModesRegistered(kPoolingModes);

}  // namespace
}  // namespace convkit::stage_06
