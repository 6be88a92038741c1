// SPDX-License-Identifier: MIT
// Known mistakes in the dense layer and in softmax.
#include <algorithm>
#include <cmath>
#include <limits>

#include "case_reader.h"
#include "compare/precision.h"

namespace convkit::stage_01 {
namespace {

enum class Weights { out_in, in_out };
enum class Bias { once, none, every_product };

struct DenseModel {
  Weights weights = Weights::out_in;
  Bias bias = Bias::once;
  int64_t unread = 0;  // so many last inputs are not summed

  Prediction predict(const Evidence& evidence) const {
    const int64_t n = size_parameter(evidence, "n"), in = size_parameter(evidence, "in"),
                  out = size_parameter(evidence, "out");
    const auto x = input(evidence, "x"), w = input(evidence, "w"), b = input(evidence, "b");
    const bool complete = int64_t(x.size()) == n * in && int64_t(w.size()) == out * in &&
                          int64_t(b.size()) == out && evidence.comparison.elements == n * out;
    if (!complete || double(n) * double(in) * double(out) > kMostWork) return std::nullopt;
    std::vector<double> y;
    y.reserve(size_t(n * out));
    for (int64_t row = 0; row < n; ++row) {
      for (int64_t o = 0; o < out; ++o) {
        double sum = 0;
        for (int64_t i = 0; i < in - unread; ++i) {
          const int64_t at = weights == Weights::out_in ? o * in + i : i * out + o;
          sum += double(x[size_t(row * in + i)]) * double(w[size_t(at)]);
        }
        const double times = bias == Bias::once ? 1 : bias == Bias::none ? 0 : double(in);
        y.push_back(sum + times * double(b[size_t(o)]));
      }
    }
    return y;
  }
};

Prediction transposed(const Evidence& evidence) {
  DenseModel model;
  model.weights = Weights::in_out;
  return model.predict(evidence);
}

Prediction no_bias(const Evidence& evidence) {
  DenseModel model;
  model.bias = Bias::none;
  return model.predict(evidence);
}

Prediction bias_with_every_product(const Evidence& evidence) {
  DenseModel model;
  model.bias = Bias::every_product;
  return model.predict(evidence);
}

Prediction last_input_unread(const Evidence& evidence) {
  DenseModel model;
  model.unread = 1;
  return model.predict(evidence);
}

// Softmax over groups of `count` elements that lie `step` apart, with what a float does to the
// exponentials.
struct SoftmaxModel {
  int64_t n, k;
  std::span<const float> x;
  bool shifted = true;     // by the largest element, so that no exponential overflows
  bool by_batch = false;   // by the largest of all rows
  bool from_zero = false;  // the maximum is at least 0
  bool normalised = true;

  explicit SoftmaxModel(const Evidence& evidence)
      : n(size_parameter(evidence, "n")),
        k(size_parameter(evidence, "k")),
        x(input(evidence, "x")) {
    // Of an output that is not looked at, only the reference is known.
    if (int64_t(x.size()) != n * k || int64_t(evidence.reference.f64.size()) != n * k) x = {};
  }

  void group(std::vector<double>& y, int64_t begin, int64_t count, int64_t step) const {
    const auto at = [&](int64_t i) { return size_t(begin + i * step); };
    double shift = 0;  // of a maximum that starts at 0
    if (from_zero) {
      for (int64_t i = 0; i < count; ++i) shift = std::max(shift, double(x[at(i)]));
    } else if (by_batch) {
      shift = double(*std::ranges::max_element(x));
    } else if (shifted) {
      shift = -std::numeric_limits<double>::infinity();
      for (int64_t i = 0; i < count; ++i) shift = std::max(shift, double(x[at(i)]));
    }
    float sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      y[at(i)] = double(float(std::exp(double(x[at(i)]) - shift)));
      sum += float(y[at(i)]);
    }
    if (!normalised) return;
    for (int64_t i = 0; i < count; ++i) y[at(i)] /= double(sum);
  }

  Prediction rows() const {
    if (x.empty()) return std::nullopt;
    std::vector<double> y(x.size());
    for (int64_t row = 0; row < n; ++row) group(y, row * k, k, 1);
    return y;
  }
  Prediction columns() const {
    if (x.empty()) return std::nullopt;
    std::vector<double> y(x.size());
    for (int64_t column = 0; column < k; ++column) group(y, column, n, k);
    return y;
  }
  Prediction everything() const {
    if (x.empty()) return std::nullopt;
    std::vector<double> y(x.size());
    group(y, 0, n * k, 1);
    return y;
  }
};

// Rows of zeros and ones fit too many mistakes: they only tell which elements were the largest.
Prediction unless_decided(Prediction y) {
  const auto decided = [](double value) { return value < 1e-6 || std::fabs(value - 1) < 1e-6; };
  if (y && std::all_of(y->begin(), y->end(), decided)) return std::nullopt;
  return y;
}

Prediction overflowing(const Evidence& evidence) {
  SoftmaxModel model(evidence);
  model.shifted = false;
  return unless_decided(model.rows());
}

Prediction shifted_from_zero(const Evidence& evidence) {
  SoftmaxModel model(evidence);
  model.from_zero = true;
  return unless_decided(model.rows());
}

Prediction shifted_by_the_batch(const Evidence& evidence) {
  SoftmaxModel model(evidence);
  model.by_batch = true;
  return unless_decided(model.rows());
}

Prediction exponentials(const Evidence& evidence) {
  SoftmaxModel model(evidence);
  model.shifted = model.normalised = false;
  return unless_decided(model.rows());
}

Prediction shifted_exponentials(const Evidence& evidence) {
  SoftmaxModel model(evidence);
  model.normalised = false;
  return unless_decided(model.rows());
}

Prediction over_columns(const Evidence& evidence) {
  return unless_decided(SoftmaxModel(evidence).columns());
}
Prediction over_everything(const Evidence& evidence) {
  return unless_decided(SoftmaxModel(evidence).everything());
}

constexpr const char* kNotNormalised =
    "The exponentials are not divided by their sum: the rows do not add up to 1.";
constexpr const char* kNotNormalisedHint =
    "First sum the exponentials of a row, then divide every one of them by the sum.";
constexpr double kSoftmaxRounding = 64;  // exponentials magnify the rounding of their argument

const MistakeModel kDenseMistakes[] = {
    {"transposed_dense", "dense_forward",
     "The weights are transposed: w is read as [in][out] instead of [out][in].",
     "Weight w[o][i] lies at o * in + i.", transposed},
    {"missing_bias", "dense_forward", "The bias is missing: every output is too small by b[o].",
     "Add b[o] once to every output.", no_bias},
    {"bias_per_element", "dense_forward",
     "The bias is added inside the sum: b[o] is added with every product instead of once.",
     "Start the sum at b[o], or add b[o] after the loop.", bias_with_every_product},
    {"off_by_one_border", "dense_forward", "An off-by-one in the sum: the last input is not used.",
     "i runs over 0 ... in-1, both included.", last_input_unread},
    {"softmax_overflow", "softmax_forward",
     "The exponentials overflow or underflow: exp(x) of a large x is inf, and inf / inf is NaN; of "
     "a "
     "very negative x it is 0, and 0 / 0 is NaN.",
     "Subtract the largest element of the row before taking exponentials: the quotient stays the "
     "same. The largest may be negative.",
     overflowing, kSoftmaxRounding},
    // Where all rows are negative it comes to the same; those that overflow contradict the former.
    {"softmax_overflow", "softmax_forward",
     "The maximum of a row starts at 0: in a row whose numbers are all far below 0 nothing is "
     "subtracted, every exponential is 0, and 0 / 0 is NaN.",
     "Start the maximum at the row's first element, or at -infinity.", shifted_from_zero,
     kSoftmaxRounding},
    {"softmax_maximum_of_the_batch", "softmax_forward",
     "The largest element of all rows is subtracted from each row: in a row whose own largest is "
     "far below it, every exponential is 0, and 0 / 0 is NaN.",
     "Subtract from each row its own largest element.", shifted_by_the_batch, kSoftmaxRounding},
    {"softmax_without_normalising", "softmax_forward", kNotNormalised, kNotNormalisedHint,
     exponentials, kSoftmaxRounding},
    {"softmax_without_normalising", "softmax_forward", kNotNormalised, kNotNormalisedHint,
     shifted_exponentials, kSoftmaxRounding},
    {"softmax_wrong_axis", "softmax_forward",
     "Softmax is taken over the columns: every column adds up to 1, not every row.",
     "Each row holds the k values of one image.", over_columns, kSoftmaxRounding},
    {"softmax_wrong_axis", "softmax_forward",
     "Softmax is taken over the whole array: all n * k values together add up to 1.",
     "Start the maximum and the sum anew for every row.", over_everything, kSoftmaxRounding},
};

const RegisterMistakes kDenseMistakesRegistered(kDenseMistakes);

Prediction correct_layer(const Evidence& evidence) {
  return DenseModel().predict(evidence);
}
const ProductSum kLayers[] = {{"dense_forward", correct_layer}};
const RegisterProductSums kLayersRegistered(kLayers);

}  // namespace
}  // namespace convkit::stage_01
