// SPDX-License-Identifier: MIT
// Known mistakes in the activations and the softmax of the library: another mode than the one asked
// for, and exchanged operands; and, in all layers, factors that the library reads as 0.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "port_evidence.h"

namespace convkit::stage_06 {
namespace {

// --- alpha -------------------------------------------------------------------------------------

// (Back through an average, more leads to zeros: pooling_modes.cpp.)
Prediction zeros(const Evidence& evidence) {
  if (!calls_cudnn(evidence) || evidence.op == "avg_pool2d_backward") return std::nullopt;
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

double sigmoid_back(double y, double dy) {
  return dy * y * (1 - y);
}
double tanh_back(double y, double dy) {
  return dy * (1 - y * y);
}
double relu_back(double y, double dy) {
  return y > 0 ? dy : 0.0;
}

#define CONVKIT_EACH(expression) \
  [](const Evidence& evidence) { return each(evidence, [](double x) { return expression; }); }
#define CONVKIT_EACH_BACK(expression)                                           \
  [](const Evidence& evidence) {                                                \
    return each_back(evidence, [](double y, double dy) { return expression; }); \
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

Prediction softmax_back_exchanged(const Evidence& evidence) {
  const auto y = input(evidence, "y"), dy = input(evidence, "dy");
  if (dy.size() != y.size()) return std::nullopt;
  return rows(evidence, "y", [&](int64_t begin, int64_t k, std::vector<double>& dx) {
    double sum = 0;
    for (int64_t i = begin; i < begin + k; ++i) sum += double(dy[size_t(i)]) * double(y[size_t(i)]);
    for (int64_t i = begin; i < begin + k; ++i) {
      dx[size_t(i)] = double(dy[size_t(i)]) * (double(y[size_t(i)]) - sum);
    }
  });
}

// --- what students read ------------------------------------------------------------------------

constexpr const char* kZero =
    "Every output is 0, as if alpha were 0, or as if the library had read other data.";
constexpr const char* kZeroHint =
    "For float tensors alpha and beta are floats, const float one = 1.0f, zero = 0.0f: of a double "
    "1.0 the library reads the first four bytes, which are 0. alpha stands before the operands, "
    "beta before the output. Compare the order of the other pointers with the library's "
    "documentation, too.";
constexpr const char* kSwapped =
    "y and dy are exchanged: y is handed back as if it were the gradient.";
constexpr const char* kSwappedHint =
    "cudnnSoftmaxBackward takes y first, then dy, each behind its descriptor. Both have the same "
    "shape, so nothing is refused.";
constexpr const char* kModeHint =
    "cudnnSetActivationDescriptor takes the function: CUDNN_ACTIVATION_RELU, _SIGMOID or _TANH.";
constexpr const char* kLogHint =
    "CUDNN_SOFTMAX_LOG computes the logarithm, and its gradient is another one: use "
    "CUDNN_SOFTMAX_ACCURATE in both directions.";
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
    {"operands_swapped", "softmax_backward", kSwapped, kSwappedHint, softmax_back_exchanged},

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
     CONVKIT_EACH_BACK(sigmoid_back(y, dy))},
    {"other_activation", "relu_backward",
     "The gradient is that of tanh, dy * (1 - y * y); that of ReLU is asked for.", kModeHint,
     CONVKIT_EACH_BACK(tanh_back(y, dy))},
    {"other_activation", "sigmoid_backward",
     "The gradient is that of ReLU, dy where y > 0; that of the sigmoid is asked for.", kModeHint,
     CONVKIT_EACH_BACK(relu_back(y, dy))},
    {"other_activation", "sigmoid_backward",
     "The gradient is that of tanh, dy * (1 - y * y); that of the sigmoid is asked for.", kModeHint,
     CONVKIT_EACH_BACK(tanh_back(y, dy))},
    {"other_activation", "tanh_backward",
     "The gradient is that of ReLU, dy where y > 0; that of tanh is asked for.", kModeHint,
     CONVKIT_EACH_BACK(relu_back(y, dy))},
    {"other_activation", "tanh_backward",
     "The gradient is that of the sigmoid, dy * y * (1 - y); that of tanh is asked for.", kModeHint,
     CONVKIT_EACH_BACK(sigmoid_back(y, dy))},

    {"logarithm_of_softmax", "softmax_forward",
     "The output is the logarithm of the softmax: CUDNN_SOFTMAX_LOG.", kLogHint, log_softmax},
    {"logarithm_of_softmax", "softmax_backward",
     "dx is the gradient of the logarithm of the softmax, as CUDNN_SOFTMAX_LOG gives it: dy - "
     "exp(y) * (sum of dy).",
     kLogHint, log_softmax_back},
};

const RegisterMistakes kLayerModesRegistered(kLayerModes);

}  // namespace
}  // namespace convkit::stage_06
