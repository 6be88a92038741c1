// SPDX-License-Identifier: MIT
// Known mistakes in the layers that the library computes: another mode than the one asked for, the
// numbers of a window in another order, and factors that the library reads as 0.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "port_evidence.h"

namespace convkit::stage_06 {
namespace {

// Nothing else may do the work.
bool calls_cudnn(const Evidence& evidence) {
  return evidence.libraries == std::vector<std::string>{"cudnn"};
}

// --- alpha -------------------------------------------------------------------------------------

Prediction zeros(const Evidence& evidence) {
  if (!calls_cudnn(evidence)) return std::nullopt;
  return std::vector<double>(evidence.reference.f64.size(), 0.0);
}

// --- activations -------------------------------------------------------------------------------

// function(x) of every element.
template <class Function>
Prediction each(const Evidence& evidence, Function function) {
  const auto x = input(evidence, "x");
  if (!calls_cudnn(evidence) || x.size() != evidence.reference.f64.size()) return std::nullopt;
  std::vector<double> y;
  for (const float value : x) y.push_back(function(double(value)));
  return y;
}

// function(y, dy) of every element.
template <class Function>
Prediction each_back(const Evidence& evidence, Function function) {
  const auto y = input(evidence, "y"), dy = input(evidence, "dy");
  const bool fits = y.size() == evidence.reference.f64.size() && dy.size() == y.size();
  if (!calls_cudnn(evidence) || !fits) return std::nullopt;
  std::vector<double> dx;
  for (size_t i = 0; i < y.size(); ++i) dx.push_back(function(double(y[i]), double(dy[i])));
  return dx;
}

double relu(double x) {
  return std::max(x, 0.0);
}
double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

#define CONVKIT_EACH(expression) \
  [](const Evidence& evidence) { return each(evidence, [](double x) { return expression; }); }
#define CONVKIT_EACH_BACK(expression)                                                    \
  [](const Evidence& evidence) {                                                         \
    return each_back(evidence, [](double y, double dy) { return (void)y, expression; }); \
  }

// --- softmax -----------------------------------------------------------------------------------

struct Rows {
  int64_t n, k;
};

// predict(row, result) for each row of k elements.
template <class Predict>
Prediction rows(const Evidence& evidence, const char* name, Predict predict) {
  const Rows size{integer(evidence, "n"), integer(evidence, "k")};
  const auto values = input(evidence, name);
  const bool fits = size.n > 0 && size.k > 0 && int64_t(values.size()) == size.n * size.k;
  if (!calls_cudnn(evidence) || !fits) return std::nullopt;
  std::vector<double> result(values.size());
  for (int64_t row = 0; row < size.n; ++row) {
    predict(row * size.k, size.k, result);
  }
  return result;
}

Prediction log_softmax(const Evidence& evidence) {
  const auto x = input(evidence, "x");
  return rows(evidence, "x", [&](int64_t begin, int64_t k, std::vector<double>& y) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = begin; i < begin + k; ++i) largest = std::max(largest, double(x[size_t(i)]));
    for (int64_t i = begin; i < begin + k; ++i) sum += std::exp(double(x[size_t(i)]) - largest);
    for (int64_t i = begin; i < begin + k; ++i) {
      y[size_t(i)] = double(x[size_t(i)]) - largest - std::log(sum);
    }
  });
}

Prediction log_softmax_back(const Evidence& evidence) {
  const auto y = input(evidence, "y"), dy = input(evidence, "dy");
  if (dy.size() != y.size()) return std::nullopt;
  return rows(evidence, "y", [&](int64_t begin, int64_t k, std::vector<double>& dx) {
    double sum = 0;
    for (int64_t i = begin; i < begin + k; ++i) sum += double(dy[size_t(i)]);
    for (int64_t i = begin; i < begin + k; ++i) {
      dx[size_t(i)] = double(dy[size_t(i)]) - std::exp(double(y[size_t(i)])) * sum;
    }
  });
}

// --- pooling -----------------------------------------------------------------------------------

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
    if (!calls_cudnn(evidence) || stride_h < 1 || stride_w < 1 || kh < 1 || kw < 1 ||
        h + 2 * pad_h < kh || w + 2 * pad_w < kw || int64_t(x.size()) != planes * h * w) {
      return std::nullopt;
    }
    const int64_t oh = (h + 2 * pad_h - kh) / stride_h + 1;
    const int64_t ow = (w + 2 * pad_w - kw) / stride_w + 1;
    std::vector<double> y(evidence.reference.f64.size(), predicted_unwritten());
    if (planes * oh * ow > int64_t(y.size())) return std::nullopt;
    for (int64_t at = 0; at < planes * oh * ow; ++at) {
      y[size_t(at)] =
          of_window(x, at / (oh * ow), at / ow % oh * stride_h - pad_h, at % ow * stride_w - pad_w);
    }
    return y;
  }

 private:
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

template <class Change>
Prediction pooled(const Evidence& evidence, Change change) {
  PoolWindow window(evidence);
  change(window);
  return window.forward();
}

#define CONVKIT_WINDOW(change) \
  [](const Evidence& evidence) { return pooled(evidence, [](PoolWindow& window) { change; }); }

// --- what students read ------------------------------------------------------------------------

constexpr const char* kZero =
    "Every output is 0, as if alpha were 0, or as if the library had read other data.";
constexpr const char* kZeroHint =
    "For float tensors alpha and beta are floats, const float one = 1.0f, zero = 0.0f: of a double "
    "1.0 the library reads the first four bytes, which are 0. alpha stands before the operands, "
    "beta before the output. Compare the order of the other pointers with the library's "
    "documentation, too.";
constexpr const char* kModeHint =
    "cudnnSetActivationDescriptor takes the function: CUDNN_ACTIVATION_RELU, _SIGMOID or _TANH.";
constexpr const char* kLogHint =
    "CUDNN_SOFTMAX_LOG computes the logarithm, and its gradient is another one: use "
    "CUDNN_SOFTMAX_ACCURATE in both directions.";
constexpr const char* kWindowHint =
    "cudnnSetPoolingNdDescriptor takes arrays for window, padding and stride, in this order, each "
    "with the rows' number first: {kh, kw}, {pad_h, pad_w}, {stride_h, stride_w}.";
constexpr const char* kPoolModeHint =
    "CUDNN_POOLING_MAX, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING (the divisor is always kh * "
    "kw) and ..._EXCLUDE_PADDING (the number of elements inside the image).";

const MistakeModel kLayerModes[] = {
    {.id = "alpha_as_double",
     .op = "*_forward",
     .sentence = kZero,
     .hint = kZeroHint,
     .predict = zeros,
     .of_nothing = true},
    {.id = "alpha_as_double",
     .op = "*_backward",
     .sentence = kZero,
     .hint = kZeroHint,
     .predict = zeros,
     .of_nothing = true},

    {"other_activation", "relu_forward", "The function is the sigmoid; ReLU is asked for.",
     kModeHint, CONVKIT_EACH(sigmoid(x))},
    {"other_activation", "relu_forward", "The function is tanh; ReLU is asked for.", kModeHint,
     CONVKIT_EACH(std::tanh(x))},
    {"other_activation", "sigmoid_forward", "The function is ReLU; the sigmoid is asked for.",
     kModeHint, CONVKIT_EACH(relu(x))},
    {"other_activation", "sigmoid_forward", "The function is tanh; the sigmoid is asked for.",
     kModeHint, CONVKIT_EACH(std::tanh(x))},
    {"other_activation", "tanh_forward", "The function is ReLU; tanh is asked for.", kModeHint,
     CONVKIT_EACH(relu(x))},
    {"other_activation", "tanh_forward", "The function is the sigmoid; tanh is asked for.",
     kModeHint, CONVKIT_EACH(sigmoid(x))},
    {"other_activation", "relu_backward",
     "The gradient is that of the sigmoid, dy * y * (1 - y); that of ReLU is asked for.", kModeHint,
     CONVKIT_EACH_BACK(dy* y*(1 - y))},
    {"other_activation", "relu_backward",
     "The gradient is that of tanh, dy * (1 - y * y); that of ReLU is asked for.", kModeHint,
     CONVKIT_EACH_BACK(dy*(1 - y * y))},
    {"other_activation", "sigmoid_backward",
     "The gradient is that of ReLU, dy where y > 0; that of the sigmoid is asked for.", kModeHint,
     CONVKIT_EACH_BACK(y > 0 ? dy : 0.0)},
    {"other_activation", "sigmoid_backward",
     "The gradient is that of tanh, dy * (1 - y * y); that of the sigmoid is asked for.", kModeHint,
     CONVKIT_EACH_BACK(dy*(1 - y * y))},
    {"other_activation", "tanh_backward",
     "The gradient is that of ReLU, dy where y > 0; that of tanh is asked for.", kModeHint,
     CONVKIT_EACH_BACK(y > 0 ? dy : 0.0)},
    {"other_activation", "tanh_backward",
     "The gradient is that of the sigmoid, dy * y * (1 - y); that of tanh is asked for.", kModeHint,
     CONVKIT_EACH_BACK(dy* y*(1 - y))},

    {"logarithm_of_softmax", "softmax_forward",
     "The output is the logarithm of the softmax: CUDNN_SOFTMAX_LOG.", kLogHint, log_softmax},
    {"logarithm_of_softmax", "softmax_backward",
     "dx is the gradient of the logarithm of the softmax, as CUDNN_SOFTMAX_LOG gives it: dy - "
     "exp(y) * (sum of dy).",
     kLogHint, log_softmax_back},

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
    {"window_and_stride", "*_pool2d_forward",
     "PoolWindow and stride are exchanged in the descriptor.", kWindowHint,
     CONVKIT_WINDOW(std::swap(window.kh, window.stride_h); std::swap(window.kw, window.stride_w))},

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

const RegisterMistakes kLayerModesRegistered(kLayerModes);

}  // namespace
}  // namespace convkit::stage_06
