// SPDX-License-Identifier: MIT
// Known mistakes on the way back through pooling, activations and the dense layer.
#include <algorithm>
#include <cmath>

#include "compare/precision.h"
#include "gradient_model.h"

namespace convkit::stage_05 {
namespace {

// --- pooling ---------------------------------------------------------------------------------

struct PoolModel {
  explicit PoolModel(const Evidence& evidence)
      : planes(parameter(evidence, "n") * parameter(evidence, "c")),
        image{parameter(evidence, "h"), parameter(evidence, "w")},
        kernel{parameter(evidence, "kh"), parameter(evidence, "kw")},
        pad{parameter(evidence, "pad_h"), parameter(evidence, "pad_w")},
        stride{parameter(evidence, "stride_h"), parameter(evidence, "stride_w")},
        count_padding(parameter(evidence, "count_padding") != 0),
        is_max(evidence.op.starts_with("max")),
        x(input(evidence, "x")),
        dy(input(evidence, "dy")),
        elements(evidence.comparison.elements) {}

  int64_t planes;
  Pair image, kernel, pad, stride;
  bool count_padding, is_max;
  std::span<const float> x, dy;
  int64_t elements;

  enum class Winner { first, last, all, all_share } winner = Winner::first;
  bool divided = true;
  bool overwrites = false;    // the last window that an element is in wins
  bool padding_wins = false;  // a window whose elements are negative has its maximum in the padding

  Prediction predict() const {
    if (stride.h <= 0 || stride.w <= 0 || planes <= 0) return std::nullopt;
    const Pair out = {(image.h + 2 * pad.h - kernel.h) / stride.h + 1,
                      (image.w + 2 * pad.w - kernel.w) / stride.w + 1};
    const bool complete = elements == planes * image.h * image.w &&
                          int64_t(dy.size()) == planes * out.h * out.w &&
                          (!is_max || int64_t(x.size()) == elements);
    if (!complete || double(dy.size()) * double(kernel.h * kernel.w) > kMostWork) {
      return std::nullopt;
    }
    std::vector<double> dx(size_t(elements), 0);
    for (int64_t plane = 0; plane < planes; ++plane) {
      for (int64_t i = 0; i < out.h; ++i) {
        for (int64_t j = 0; j < out.w; ++j) {
          const double gradient = dy[size_t((plane * out.h + i) * out.w + j)];
          give(dx, plane, i * stride.h - pad.h, j * stride.w - pad.w, gradient);
        }
      }
    }
    return dx;
  }

 private:
  void give(std::vector<double>& dx, int64_t plane, int64_t top, int64_t left,
            double gradient) const {
    std::vector<size_t> inside;
    for (int64_t row = std::max<int64_t>(top, 0); row < std::min(top + kernel.h, image.h); ++row) {
      for (int64_t column = std::max<int64_t>(left, 0); column < std::min(left + kernel.w, image.w);
           ++column) {
        inside.push_back(size_t((plane * image.h + row) * image.w + column));
      }
    }
    const auto put = [&](size_t at, double value) { dx[at] = overwrites ? value : dx[at] + value; };
    if (!is_max) {
      const double count = count_padding ? double(kernel.h * kernel.w) : double(inside.size());
      for (const size_t at : inside) put(at, divided ? gradient / count : gradient);
      return;
    }
    float best = x[inside.front()];
    for (const size_t at : inside) best = std::max(best, x[at]);
    const bool reaches_out = int64_t(inside.size()) < kernel.h * kernel.w;
    if (padding_wins && reaches_out && best < 0) return;
    std::vector<size_t> winners;
    for (const size_t at : inside) {
      if (x[at] == best) winners.push_back(at);
    }
    if (winner == Winner::first) winners.resize(1);
    if (winner == Winner::last) winners = {winners.back()};
    for (const size_t at : winners) {
      put(at, winner == Winner::all_share ? gradient / double(winners.size()) : gradient);
    }
  }
};

template <class Change>
Prediction pool_with(const Evidence& evidence, Change change) {
  PoolModel model(evidence);
  change(model);
  return model.predict();
}

#define CONVKIT_POOLS(change) \
  [](const Evidence& evidence) { return pool_with(evidence, [](PoolModel& model) { change; }); }

// --- activations -----------------------------------------------------------------------------

// change(y, dy, slope) for every element.
template <class Change>
Prediction each(const Evidence& evidence, Change change) {
  const auto y = input(evidence, "y"), dy = input(evidence, "dy");
  if (y.size() != dy.size() || int64_t(y.size()) != evidence.comparison.elements) {
    return std::nullopt;
  }
  const auto found = evidence.params.find("slope");
  const double slope = found == evidence.params.end() ? 0 : double(float(found->second));
  std::vector<double> dx(y.size());
  for (size_t i = 0; i < y.size(); ++i) dx[i] = change(double(y[i]), double(dy[i]), slope);
  return dx;
}

#define CONVKIT_EACH(expression)                                            \
  [](const Evidence& evidence) {                                            \
    return each(evidence, [](double y, double dy, double slope) -> double { \
      (void)y, (void)dy, (void)slope;                                       \
      return expression;                                                    \
    });                                                                     \
  }

// --- dense -----------------------------------------------------------------------------------

struct DenseModel {
  explicit DenseModel(const Evidence& evidence)
      : n(parameter(evidence, "n")),
        in(parameter(evidence, "in")),
        out(parameter(evidence, "out")),
        x(input(evidence, "x")),
        w(input(evidence, "w")),
        dy(input(evidence, "dy")),
        before(initial(evidence)) {}

  int64_t n, in, out;
  std::span<const float> x, w, dy, before;

  bool transposed = false;  // w and dw are taken to be [in][out] instead of [out][in]

  Prediction xgrad() const {
    if (int64_t(w.size()) != in * out || int64_t(dy.size()) != n * out) return std::nullopt;
    std::vector<double> dx(size_t(n * in), 0);
    for_each_product([&](size_t x_at, size_t w_at, size_t dy_at) {
      dx[x_at] += double(dy[dy_at]) * double(w[w_at]);
    });
    return dx;
  }

  Prediction wgrad() const {
    if (int64_t(x.size()) != n * in || int64_t(dy.size()) != n * out) return std::nullopt;
    std::vector<double> dw(before.begin(), before.end());
    dw.resize(size_t(in * out), 0);
    for_each_product([&](size_t x_at, size_t w_at, size_t dy_at) {
      dw[w_at] += double(x[x_at]) * double(dy[dy_at]);
    });
    return dw;
  }

 private:
  // visit(element of x, of w, of dy)
  template <class Visit>
  void for_each_product(Visit visit) const {
    for (int64_t image = 0; image < n; ++image) {
      for (int64_t o = 0; o < out; ++o) {
        for (int64_t i = 0; i < in; ++i) {
          visit(size_t(image * in + i), size_t(transposed ? i * out + o : o * in + i),
                size_t(image * out + o));
        }
      }
    }
  }
};

template <bool transposed>
Prediction dense_xgrad(const Evidence& evidence) {
  DenseModel model(evidence);
  model.transposed = transposed;
  return model.xgrad();
}

template <bool transposed>
Prediction dense_wgrad(const Evidence& evidence) {
  DenseModel model(evidence);
  model.transposed = transposed;
  return model.wgrad();
}

Prediction dense_initial_ignored(const Evidence& evidence) {
  const auto before = initial(evidence);
  if (before.empty() || before.size() != evidence.reference.f64.size()) return std::nullopt;
  std::vector<double> result(before.size());
  for (size_t i = 0; i < result.size(); ++i) result[i] = evidence.reference.f64[i] - before[i];
  return result;
}

// --- what students read ----------------------------------------------------------------------

constexpr const char* kTieHint =
    "The forward pass took one element, so one element gets the gradient: the first maximum, row "
    "by row. Compare with >, not with >= or ==.";
constexpr const char* kSwapped =
    "y and dy are exchanged: y is read where dy belongs, and dy where y belongs.";
constexpr const char* kSwappedHint =
    "Compare the order of the arguments in the call with that of the function's parameters.";
constexpr const char* kChain =
    "dy is missing: the output is the derivative of the activation alone.";
constexpr const char* kChainHint =
    "The gradient of E by x is dy times the derivative of the activation, at that element.";

const MistakeModel kLayerMistakes[] = {
    {"gradient_to_every_tie", "max_pool2d_backward",
     "Every element that equals the maximum gets the gradient: with ties it is given out twice.",
     kTieHint, CONVKIT_POOLS(model.winner = PoolModel::Winner::all), 1, 2},
    {"gradient_to_every_tie", "max_pool2d_backward",
     "The gradient is divided among the elements that equal the maximum.", kTieHint,
     CONVKIT_POOLS(model.winner = PoolModel::Winner::all_share), 1, 2},
    {"last_maximum", "max_pool2d_backward",
     "Among equal elements the last one gets the gradient instead of the first.", kTieHint,
     CONVKIT_POOLS(model.winner = PoolModel::Winner::last), 1, 2},
    {"padding_takes_gradient", "max_pool2d_backward",
     "The padding wins where all elements of a window are negative, and their gradient is lost.",
     "Begin with the window's first element inside the image, not with 0.",
     CONVKIT_POOLS(model.padding_wins = true), 1, 2},
    {"window_overwrites", "*_pool2d_backward",
     "Overlapping windows overwrite each other: an element keeps the gradient of one of them.",
     "dx is a sum over all windows that hold the element.", CONVKIT_POOLS(model.overwrites = true),
     1, 2},
    {"average_wrong_count", "avg_pool2d_backward",
     "The gradient is divided by the wrong count: kh * kw and the number of elements inside x are "
     "mistaken for one another.",
     "The same divisor as in the forward pass: with count_padding always kh * kw, without it the "
     "number of the window's positions that lie inside x.",
     CONVKIT_POOLS(model.count_padding = !model.count_padding), 1, 2},
    {"average_not_divided", "avg_pool2d_backward",
     "Every element gets the whole gradient of its windows instead of a part.",
     "y is the sum divided by the count, so dy / count goes to each element.",
     CONVKIT_POOLS(model.divided = false)},

    {"wrong_side", "*relu_backward", "The wrong side is cut off: the gradient passes where y < 0.",
     "ReLU passes positive values; there its slope is 1.", CONVKIT_EACH(y > 0 ? slope * dy : dy)},
    {"gradient_at_zero", "relu_backward", "The gradient also passes where y is 0.",
     "dx = dy where y > 0; at 0 it is 0. Most zeros of y come from negative x.",
     CONVKIT_EACH(y >= 0 ? dy : 0.0)},
    {"leaky_as_relu", "leaky_relu_backward", "The slope is missing: dx is 0 where y is negative.",
     "dx = slope * dy where y is not positive.", CONVKIT_EACH(y > 0 ? dy : 0.0)},
    {"chain_rule_forgotten", "sigmoid_backward", kChain, kChainHint, CONVKIT_EACH(y*(1 - y))},
    {"chain_rule_forgotten", "tanh_backward", kChain, kChainHint, CONVKIT_EACH(1 - y * y)},
    {"chain_rule_forgotten", "relu_backward", kChain, kChainHint, CONVKIT_EACH(y > 0 ? 1.0 : 0.0)},
    {"output_taken_for_input", "sigmoid_backward",
     "The sigmoid is applied once more: y is the function's output already.",
     "dx = dy * y * (1 - y), with the y that is given.",
     CONVKIT_EACH(dy / (1 + std::exp(-y)) * (1 - 1 / (1 + std::exp(-y))))},
    {"output_taken_for_input", "tanh_backward",
     "tanh is applied once more: y is the function's output already.",
     "dx = dy * (1 - y * y), with the y that is given.",
     CONVKIT_EACH(dy*(1 - std::tanh(y) * std::tanh(y)))},

    {"operands_swapped", "tanh_backward", kSwapped, kSwappedHint, CONVKIT_EACH(y*(1 - dy * dy))},
    {"operands_swapped", "sigmoid_backward", kSwapped, kSwappedHint, CONVKIT_EACH(y* dy*(1 - dy))},
    {"operands_swapped", "relu_backward", kSwapped, kSwappedHint, CONVKIT_EACH(dy > 0 ? y : 0.0)},

    {"transposed_dense", "dense_xgrad", "w is read transposed: as [in][out] instead of [out][in].",
     "dx [n][in] = dy [n][out] w [out][in]: w[o][i] lies at o * in + i.", dense_xgrad<true>},
    {"operands_swapped", "dense_wgrad",
     "x and dy are exchanged: the output is x^T dy, [in][out], instead of dy^T x, [out][in].",
     "dw has the shape of w: row o belongs to output o.", dense_wgrad<true>},
    {"initial_ignored", "dense_[wb]grad",
     "accumulate is ignored: the gradient is right, but what the output held before is lost.",
     "With accumulate = 1 the gradient is added to what is there; only with 0 it is overwritten.",
     dense_initial_ignored},
};

const RegisterMistakes kLayerMistakesRegistered(kLayerMistakes);

// A correct program, for the formats that inputs may have been rounded to.
const ProductSum kDenseGradients[] = {{"dense_xgrad", dense_xgrad<false>},
                                      {"dense_wgrad", dense_wgrad<false>}};
const RegisterProductSums kDenseGradientsRegistered(kDenseGradients);

}  // namespace
}  // namespace convkit::stage_05
