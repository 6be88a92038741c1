// SPDX-License-Identifier: MIT
// Known mistakes on the way back through pooling, activations and the dense layer.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/precision.h"
#include "gradient_model.h"

namespace convkit::stage_05 {
namespace {

// --- pooling ---------------------------------------------------------------------------------

struct PoolModel {
  explicit PoolModel(const Evidence& evidence)
      : planes(parameter(evidence, "n") * parameter(evidence, "c")),
        channels(std::max<int64_t>(parameter(evidence, "c"), 1)),
        image{parameter(evidence, "h"), parameter(evidence, "w")},
        kernel{parameter(evidence, "kh"), parameter(evidence, "kw")},
        pad{parameter(evidence, "pad_h"), parameter(evidence, "pad_w")},
        stride{parameter(evidence, "stride_h"), parameter(evidence, "stride_w")},
        count_padding(parameter(evidence, "count_padding") != 0),
        is_max(evidence.op.starts_with("max")),
        x(input(evidence, "x")),
        dy(input(evidence, "dy")),
        elements(int64_t(evidence.reference.f64.size())) {}

  int64_t planes, channels;
  Pair image, kernel, pad, stride;
  bool count_padding, is_max;
  std::span<const float> x, dy;
  int64_t elements;

  enum class Winner { first, last, all, all_share } winner = Winner::first;
  bool by_columns = false;  // a window is gone through column by column
  bool divided = true;
  bool overwrites = false;    // the last window that an element is in wins
  bool padding_wins = false;  // a window whose elements are negative has its maximum in the padding

  // What the elements of a window are compared with first, and where the gradient goes if none of
  // them is larger. Element 0 gets it from any window, or, if it looks for its windows itself, only
  // from those that hold it.
  enum class Start { in_window, zero, plane, image, tensor } start = Start::in_window;
  enum class IfNone { lost, first_inside, element_0, element_0_if_inside } if_none = IfNone::lost;

  // The windows along one axis that an element looks at.
  enum class Seen {
    all,
    first,
    last,
    last_that_may_not_exist,
    not_the_first,  // where a division that is rounded towards 0 should have been rounded down
    beyond,         // those behind the last one, too
    as_many,        // kernel / stride, rounded up, whether or not they hold it; of an average
  };
  struct {
    Seen h, w;
  } seen = {Seen::all, Seen::all};

  // By what the elements of a window are compared.
  enum class Order {
    by_value,
    bits_as_int,  // of numbers below 0 the lowest is the largest
    magnitude,
  } order = Order::by_value;

  enum class Count {
    inside,
    rows_clipped,
    columns_clipped,
    padding_before,
    square,
    windows,           // that hold the element, instead of the elements that the window holds
    whole_reciprocal,  // 1 / count as a division of integers
  } count = Count::inside;

  Prediction predict() const {
    if (stride.h <= 0 || stride.w <= 0 || planes <= 0) return std::nullopt;
    const Pair out = {(image.h + 2 * pad.h - kernel.h) / stride.h + 1,
                      (image.w + 2 * pad.w - kernel.w) / stride.w + 1};
    const bool complete = elements == planes * image.h * image.w &&
                          int64_t(dy.size()) == planes * out.h * out.w &&
                          (!is_max || int64_t(x.size()) == elements);
    // There are many models of windows and of starts, and each is computed.
    const bool is_one_of_many =
        start != Start::in_window || seen.h != Seen::all || seen.w != Seen::all;
    const double most = is_one_of_many ? kMostWork / 100 : kMostWork;
    if (!complete || double(dy.size()) * double(kernel.h * kernel.w) > most) {
      return std::nullopt;
    }
    const Pair looked_at = {windows_of(seen.h, image.h, kernel.h, pad.h, stride.h, out.h),
                            windows_of(seen.w, image.w, kernel.w, pad.w, stride.w, out.w)};
    std::vector<double> dx(size_t(elements), 0);
    for (int64_t plane = 0; plane < planes; ++plane) {
      for (int64_t i = 0; i < looked_at.h; ++i) {
        for (int64_t j = 0; j < looked_at.w; ++j) {
          const int64_t at = (plane * out.h + i) * out.w + j;
          const double gradient =
              at < int64_t(dy.size()) ? double(dy[size_t(at)]) : predicted_anything();
          give(dx, plane, {i, j}, out, gradient);
        }
      }
    }
    return dx;
  }

 private:
  // How many windows hold an element of the axis, with those that do not exist.
  static int64_t windows_of(Seen seen, int64_t length, int64_t kernel, int64_t pad, int64_t stride,
                            int64_t outputs) {
    if (seen != Seen::beyond || kernel > length + 2 * pad) return outputs;
    return (length - 1 + pad) / stride + 1;
  }

  static bool looks_at(Seen seen, int64_t window, int64_t at, int64_t kernel, int64_t pad,
                       int64_t stride, int64_t outputs) {
    const int64_t before = at + pad - kernel;  // the last element before the first such window
    const int64_t last = (at + pad) / stride;
    switch (seen) {
      case Seen::first:
        return window == (before < 0 ? 0 : before / stride + 1);
      case Seen::last:
        return window == std::min(last, outputs - 1);
      case Seen::last_that_may_not_exist:
        return window == last;
      case Seen::not_the_first:
        return window >= before / stride + 1;
      default:
        return true;
    }
  }

  // How far an element may lie behind the beginning of a window that it looks at, at most.
  static int64_t reach_of(Seen seen, int64_t first, int64_t kernel, int64_t stride,
                          int64_t length) {
    if (is_last(seen)) return length;
    if (seen != Seen::as_many) return first + kernel;
    return first + (kernel + stride - 1) / stride * stride;
  }

  static bool is_last(Seen seen) {
    return seen == Seen::last || seen == Seen::last_that_may_not_exist;
  }

  double count_of(Pair first, Pair last) const {
    const int64_t rows = std::min(last.h, image.h) - std::max<int64_t>(first.h, 0);
    const int64_t columns = std::min(last.w, image.w) - std::max<int64_t>(first.w, 0);
    if (count == Count::whole_reciprocal) {
      const int64_t inside = count_padding ? kernel.h * kernel.w : rows * columns;
      return inside == 1 ? 1 : std::numeric_limits<double>::infinity();
    }
    if (count_padding) return double(kernel.h * kernel.w);
    switch (count) {
      case Count::rows_clipped:
        return double(rows * kernel.w);
      case Count::columns_clipped:
        return double(kernel.h * columns);
      case Count::padding_before:
        return double((std::min(last.h, image.h) - first.h) *
                      (std::min(last.w, image.w) - first.w));
      case Count::square:
        return double(rows * rows);
      default:
        return double(rows * columns);
    }
  }

  double key_of(float value) const {
    if (order == Order::magnitude) return std::fabs(value);
    if (order == Order::by_value || !(value < 0)) return value;
    return 1 / double(value);
  }

  static int64_t windows_along(int64_t at, int64_t kernel, int64_t pad, int64_t stride,
                               int64_t outputs) {
    int64_t holding = 0;
    for (int64_t window = 0; window < outputs; ++window) {
      const int64_t first = window * stride - pad;
      holding += first <= at && at < first + kernel;
    }
    return holding;
  }
  int64_t windows_that_hold(int64_t in_plane, Pair out) const {
    return windows_along(in_plane / image.w, kernel.h, pad.h, stride.h, out.h) *
           windows_along(in_plane % image.w, kernel.w, pad.w, stride.w, out.w);
  }

  // The first number that the elements of a window are compared with.
  double start_of(int64_t plane) const {
    switch (start) {
      case Start::zero:
        return 0;
      case Start::plane:
        return x[size_t(plane * image.h * image.w)];
      case Start::image:
        return x[size_t(plane / channels * channels * image.h * image.w)];
      case Start::tensor:
        return x[0];
      default:
        return -INFINITY;
    }
  }

  void give(std::vector<double>& dx, int64_t plane, Pair window, Pair out, double gradient) const {
    const Pair first = {window.h * stride.h - pad.h, window.w * stride.w - pad.w};
    const Pair last = {first.h + kernel.h, first.w + kernel.w};
    const int64_t begin = plane * image.h * image.w;
    std::vector<size_t> inside;
    for (int64_t row = std::max<int64_t>(first.h, 0); row < std::min(last.h, image.h); ++row) {
      for (int64_t column = std::max<int64_t>(first.w, 0); column < std::min(last.w, image.w);
           ++column) {
        inside.push_back(size_t(begin + row * image.w + column));
      }
    }
    if (inside.empty()) return;
    const auto put = [&](size_t at, double value) {
      const int64_t in_plane = int64_t(at) - begin;
      const bool looked =
          looks_at(seen.h, window.h, in_plane / image.w, kernel.h, pad.h, stride.h, out.h) &&
          looks_at(seen.w, window.w, in_plane % image.w, kernel.w, pad.w, stride.w, out.w);
      if (!looked) return;
      // What is not known stays so: a sum would be a NaN without a meaning.
      if (overwrites || std::isnan(value)) {
        dx[at] = value;
      } else if (!std::isnan(dx[at])) {
        dx[at] += value;
      }
    };
    if (!is_max) {
      const double parts = count_of(first, last);
      const double part = !std::isnan(gradient) && divided ? gradient / parts : gradient;
      const bool by_windows = count == Count::windows && divided && !count_padding;
      for (const size_t at : inside) {
        const int64_t in_plane = int64_t(at) - begin;
        put(at, by_windows ? gradient / double(windows_that_hold(in_plane, out)) : part);
      }
      // Where the stride is larger than the window, the last one that begins before an element
      // need not hold it. (For a maximum the element is not the one found there.)
      const Pair reach = {reach_of(seen.h, first.h, kernel.h, stride.h, image.h),
                          reach_of(seen.w, first.w, kernel.w, stride.w, image.w)};
      for (int64_t row = std::max<int64_t>(first.h, 0); row < std::min(reach.h, image.h); ++row) {
        for (int64_t column = std::max<int64_t>(first.w, 0); column < std::min(reach.w, image.w);
             ++column) {
          if (row >= last.h || column >= last.w) put(size_t(begin + row * image.w + column), part);
        }
      }
      return;
    }
    float best = x[inside.front()];
    for (const size_t at : inside) {
      if (key_of(x[at]) > key_of(best)) best = x[at];
    }
    const bool reaches_out = int64_t(inside.size()) < kernel.h * kernel.w;
    if (padding_wins && reaches_out && best < 0) return;
    if (start != Start::in_window && !(double(best) > start_of(plane))) {
      const auto element_0 = size_t(begin);
      const bool holds_it = inside.front() == element_0;
      if (if_none == IfNone::first_inside) put(inside.front(), gradient);
      if (if_none == IfNone::element_0 || (if_none == IfNone::element_0_if_inside && holds_it)) {
        put(element_0, gradient);
      }
      return;
    }
    std::vector<size_t> winners;
    for (const size_t at : inside) {
      if (x[at] == best) winners.push_back(at);
    }
    if (by_columns) {
      std::ranges::stable_sort(winners, {},
                               [&](size_t at) { return (int64_t(at) - begin) % image.w; });
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

#define CONVKIT_POOLS(...)                                             \
  [](const Evidence& evidence) {                                       \
    return pool_with(evidence, [](PoolModel& model) { __VA_ARGS__; }); \
  }

#define CONVKIT_STARTS(where, otherwise) \
  CONVKIT_POOLS(model.start = PoolModel::Start::where; model.if_none = PoolModel::IfNone::otherwise)

// Along both axes, or along one.
#define CONVKIT_SEES(rows, columns) \
  CONVKIT_POOLS(model.seen = {PoolModel::Seen::rows, PoolModel::Seen::columns})

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
constexpr const char* kStartHint =
    "Begin with the window's first element inside the image: its place and its number. Not every "
    "window has an element above 0, and the numbers of other windows do not matter.";
constexpr const char* kSumOfWindows = "dx is a sum over all windows that hold the element.";
constexpr const char* kCountHint =
    "The same divisor as in the forward pass: with count_padding always kh * kw, without it the "
    "number of the window's positions that lie inside x.";
constexpr const char* kWindowsHint =
    "Row r lies in windows i with i * stride_h - pad_h <= r < i * stride_h - pad_h + kh, from "
    "max(0, ...) to min(..., oh - 1); columns alike. In C++ a negative quotient is rounded up, "
    "towards 0: test r + pad_h < kh apart.";
constexpr const char* kOrderHint =
    "Compare the floats themselves. As integers, their bits are in the same order only where no "
    "number is negative: of two negative ones the lower has the larger bits.";
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
    {"maximum_by_columns", "max_pool2d_backward",
     "Among equal elements of a window the first one column by column gets the gradient, instead "
     "of the first one row by row: the loop over the window's columns is outside that over its "
     "rows.",
     kTieHint, CONVKIT_POOLS(model.by_columns = true), 1, 2},
    {"maximum_by_columns", "max_pool2d_backward",
     "Among equal elements of a window the last one column by column gets the gradient, instead "
     "of the first one row by row.",
     kTieHint, CONVKIT_POOLS(model.by_columns = true; model.winner = PoolModel::Winner::last), 1,
     2},
    {"padding_takes_gradient", "max_pool2d_backward",
     "The padding wins where all elements of a window are negative, and their gradient is lost.",
     "Begin with the window's first element inside the image, not with 0.",
     CONVKIT_POOLS(model.padding_wins = true), 1, 2},
    {"window_overwrites", "max_pool2d_backward",
     "Overlapping windows overwrite each other: an element keeps the gradient of one of them.",
     kSumOfWindows, CONVKIT_POOLS(model.overwrites = true), 1, 2},
    {"window_overwrites", "avg_pool2d_backward",
     "Overlapping windows overwrite each other, or only the last window that holds an element is "
     "looked at: it keeps the gradient of one of them.",
     kSumOfWindows, CONVKIT_POOLS(model.overwrites = true), 1, 2},
    {"average_wrong_count", "avg_pool2d_backward",
     "The gradient is divided by the wrong count: kh * kw and the number of elements inside x are "
     "mistaken for one another.",
     kCountHint, CONVKIT_POOLS(model.count_padding = !model.count_padding), 1, 2},
    {"maximum_starts_at_zero", "max_pool2d_backward",
     "The search for a window's largest element begins at 0 (or at a tiny positive number, such as "
     "FLT_MIN): the gradient of a window without a positive element is lost.",
     kStartHint, CONVKIT_STARTS(zero, lost), 1, 2},
    {"maximum_starts_at_zero", "max_pool2d_backward",
     "The search for a window's largest element begins at 0 (or at a tiny positive number, such as "
     "FLT_MIN): a window without a positive element gives its gradient to its first element.",
     kStartHint, CONVKIT_STARTS(zero, first_inside), 1, 2},
    {"maximum_starts_at_zero", "max_pool2d_backward",
     "The search for a window's largest element begins at 0 (or at a tiny positive number, such as "
     "FLT_MIN): of the windows without a positive element only those that hold element 0 of the "
     "plane give their gradient away, to that element.",
     kStartHint, CONVKIT_STARTS(zero, element_0_if_inside), 1, 2},
    {"maximum_starts_at_zero", "max_pool2d_backward",
     "The search for a window's largest element begins at 0 (or at a tiny positive number, such as "
     "FLT_MIN): a window without a positive element gives its gradient to element 0 of the plane.",
     kStartHint, CONVKIT_STARTS(zero, element_0), 1, 2},
    {"maximum_starts_at_element_0", "max_pool2d_backward",
     "The search for a window's largest element begins at element 0 of the plane (of one channel), "
     "which need not lie in the window: where it is larger, the window's gradient is lost.",
     kStartHint, CONVKIT_STARTS(plane, element_0_if_inside), 1, 2},
    {"maximum_starts_at_element_0", "max_pool2d_backward",
     "The search for a window's largest element begins at element 0 of the plane (of one channel), "
     "which need not lie in the window: where it is larger, the window's gradient is lost.",
     kStartHint, CONVKIT_STARTS(plane, lost), 1, 2},
    {"maximum_starts_at_element_0", "max_pool2d_backward",
     "The search for a window's largest element begins at element 0 of the plane (of one channel), "
     "which need not lie in the window: where it is larger, element 0 of the plane gets the "
     "window's gradient.",
     kStartHint, CONVKIT_STARTS(plane, element_0), 1, 2},
    {"maximum_starts_at_element_0", "max_pool2d_backward",
     "The search for a window's largest element begins at element 0 of the image, which need not "
     "lie in the window: where it is larger, the window's gradient is lost.",
     kStartHint, CONVKIT_STARTS(image, element_0_if_inside), 1, 2},
    {"maximum_starts_at_element_0", "max_pool2d_backward",
     "The search for a window's largest element begins at element 0 of the image, which need not "
     "lie in the window: where it is larger, the window's gradient is lost.",
     kStartHint, CONVKIT_STARTS(image, lost), 1, 2},
    {"maximum_starts_at_element_0", "max_pool2d_backward",
     "The search for a window's largest element begins at element 0 of the image, which need not "
     "lie in the window: where it is larger, element 0 of the plane gets the window's gradient.",
     kStartHint, CONVKIT_STARTS(image, element_0), 1, 2},
    {"maximum_starts_at_element_0", "max_pool2d_backward",
     "The search for a window's largest element begins at element 0 of x, which need not lie in "
     "the window: where it is larger, the window's gradient is lost.",
     kStartHint, CONVKIT_STARTS(tensor, element_0_if_inside), 1, 2},
    {"maximum_starts_at_element_0", "max_pool2d_backward",
     "The search for a window's largest element begins at element 0 of x, which need not lie in "
     "the window: where it is larger, the window's gradient is lost.",
     kStartHint, CONVKIT_STARTS(tensor, lost), 1, 2},
    {"maximum_starts_at_element_0", "max_pool2d_backward",
     "The search for a window's largest element begins at element 0 of x, which need not lie in "
     "the window: where it is larger, element 0 of the plane gets the window's gradient.",
     kStartHint, CONVKIT_STARTS(tensor, element_0), 1, 2},
    {"window_overwrites", "*_pool2d_backward",
     "Only the last window that holds an element is looked at, as if windows never overlapped: the "
     "gradients of the other windows are lost.",
     kWindowsHint, CONVKIT_SEES(last, last), 1, 2},
    {"window_overwrites", "*_pool2d_backward",
     "Only the last window that holds an element is looked at for the rows, as if windows never "
     "overlapped: the gradients of the other windows are lost.",
     kWindowsHint, CONVKIT_SEES(last, all), 1, 2},
    {"window_overwrites", "*_pool2d_backward",
     "Only the last window that holds an element is looked at for the columns, as if windows never "
     "overlapped: the gradients of the other windows are lost.",
     kWindowsHint, CONVKIT_SEES(all, last), 1, 2},
    {"window_overwrites", "*_pool2d_backward",
     "Only the last window that holds an element is looked at, as if windows never overlapped: the "
     "gradients of the other windows are lost.",
     kWindowsHint, CONVKIT_SEES(last_that_may_not_exist, last_that_may_not_exist), 1, 2},
    {"window_overwrites", "*_pool2d_backward",
     "Only the last window that holds an element is looked at for the rows, as if windows never "
     "overlapped: the gradients of the other windows are lost.",
     kWindowsHint, CONVKIT_SEES(last_that_may_not_exist, all), 1, 2},
    {"window_overwrites", "*_pool2d_backward",
     "Only the last window that holds an element is looked at for the columns, as if windows never "
     "overlapped: the gradients of the other windows are lost.",
     kWindowsHint, CONVKIT_SEES(all, last_that_may_not_exist), 1, 2},
    {"window_overwrites", "*_pool2d_backward",
     "Only the first window that holds an element is looked at, as if windows never overlapped: "
     "the gradients of the other windows are lost.",
     kWindowsHint, CONVKIT_SEES(first, first), 1, 2},
    {"window_overwrites", "*_pool2d_backward",
     "Only the first window that holds an element is looked at for the rows, as if windows never "
     "overlapped: the gradients of the other windows are lost.",
     kWindowsHint, CONVKIT_SEES(first, all), 1, 2},
    {"window_overwrites", "*_pool2d_backward",
     "Only the first window that holds an element is looked at for the columns, as if windows "
     "never overlapped: the gradients of the other windows are lost.",
     kWindowsHint, CONVKIT_SEES(all, first), 1, 2},
    {"first_window_missed", "*_pool2d_backward",
     "The first window that holds an element is computed by dividing a negative number, which C++ "
     "rounds towards 0 and not down: elements at the top and left border miss window 0.",
     kWindowsHint, CONVKIT_SEES(not_the_first, not_the_first), 1, 2},
    {"first_window_missed", "*_pool2d_backward",
     "The first window that holds an element is computed by dividing a negative number for the "
     "rows, which C++ rounds towards 0 and not down: elements at the top and left border miss "
     "window 0.",
     kWindowsHint, CONVKIT_SEES(not_the_first, all), 1, 2},
    {"first_window_missed", "*_pool2d_backward",
     "The first window that holds an element is computed by dividing a negative number for the "
     "columns, which C++ rounds towards 0 and not down: elements at the top and left border miss "
     "window 0.",
     kWindowsHint, CONVKIT_SEES(all, not_the_first), 1, 2},
    {"windows_beyond_the_last", "*_pool2d_backward",
     "The windows that hold an element are not limited to those that exist: behind the last one dy "
     "is read past its row, its plane or its end.",
     kWindowsHint, CONVKIT_SEES(beyond, beyond), 1, 2},
    {"windows_beyond_the_last", "*_pool2d_backward",
     "The windows that hold an element are not limited to those that exist for the rows: behind "
     "the last one dy is read past its row, its plane or its end.",
     kWindowsHint, CONVKIT_SEES(beyond, all), 1, 2},
    {"windows_beyond_the_last", "*_pool2d_backward",
     "The windows that hold an element are not limited to those that exist for the columns: behind "
     "the last one dy is read past its row, its plane or its end.",
     kWindowsHint, CONVKIT_SEES(all, beyond), 1, 2},
    {"windows_not_holding", "avg_pool2d_backward",
     "Every element gets a part of kernel / stride windows, rounded up, counted back from the last "
     "one that begins at it or before: where the kernel is no multiple of the stride, some of them "
     "end before the element, do not hold it, and add their gradient to it all the same.",
     kWindowsHint, CONVKIT_SEES(as_many, as_many), 1, 2},
    {"windows_not_holding", "avg_pool2d_backward",
     "Every element gets a part of kernel / stride windows, rounded up, counted back from the last "
     "one that begins at its row or before: where kh is no multiple of stride_h, some of them end "
     "before the element, do not hold it, and add their gradient to it all the same.",
     kWindowsHint, CONVKIT_SEES(as_many, all), 1, 2},
    {"windows_not_holding", "avg_pool2d_backward",
     "Every element gets a part of kernel / stride windows, rounded up, counted back from the last "
     "one that begins at its column or before: where kw is no multiple of stride_w, some of them "
     "end before the element, do not hold it, and add their gradient to it all the same.",
     kWindowsHint, CONVKIT_SEES(all, as_many), 1, 2},
    {"negative_order", "max_pool2d_backward",
     "In a window without an element of at least 0 the smallest element gets the gradient: the "
     "order of negative numbers is reversed, as where the bits of floats are compared as integers.",
     kOrderHint, CONVKIT_POOLS(model.order = PoolModel::Order::bits_as_int), 1, 2},
    {"negative_order", "max_pool2d_backward",
     "The element farthest from 0 gets the gradient, also where it is negative: magnitudes are "
     "compared, without the sign.",
     kOrderHint, CONVKIT_POOLS(model.order = PoolModel::Order::magnitude), 1, 2},
    {"average_wrong_count", "avg_pool2d_backward",
     "The elements of a window are counted wrongly: only its rows are cut off at the edge of the "
     "image, and all kw columns count.",
     kCountHint, CONVKIT_POOLS(model.count = PoolModel::Count::rows_clipped), 1, 2},
    {"average_wrong_count", "avg_pool2d_backward",
     "The elements of a window are counted wrongly: only its columns are cut off at the edge of "
     "the image, and all kh rows count.",
     kCountHint, CONVKIT_POOLS(model.count = PoolModel::Count::columns_clipped), 1, 2},
    {"average_wrong_count", "avg_pool2d_backward",
     "The elements of a window are counted wrongly: the padding above and left of the image "
     "counts, and only that below and right is left out.",
     kCountHint, CONVKIT_POOLS(model.count = PoolModel::Count::padding_before), 1, 2},
    {"average_wrong_count", "avg_pool2d_backward",
     "The elements of a window are counted wrongly: its rows inside the image are counted twice, "
     "rows * rows, where rows * columns belongs.",
     kCountHint, CONVKIT_POOLS(model.count = PoolModel::Count::square), 1, 2},
    {"average_wrong_count", "avg_pool2d_backward",
     "dy is divided by the number of windows that hold the element, instead of the number of "
     "elements that its window holds inside x.",
     kCountHint, CONVKIT_POOLS(model.count = PoolModel::Count::windows), 1, 2},
    {"whole_reciprocal", "avg_pool2d_backward",
     "dy is multiplied by 1 / count as a division of integers, which is 0 for every window of more "
     "than one element.",
     "Divide dy by the count, or write 1.0f / count.",
     CONVKIT_POOLS(model.count = PoolModel::Count::whole_reciprocal), 1, 2},
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
