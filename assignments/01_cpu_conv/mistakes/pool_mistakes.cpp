// SPDX-License-Identifier: MIT
// Known mistakes in pooling: one window loop with a switch for each of them.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <utility>

#include "case_reader.h"

namespace convkit::stage_01 {
namespace {

struct PoolModel {
  explicit PoolModel(const Evidence& evidence)
      : n(size_parameter(evidence, "n")),
        c(size_parameter(evidence, "c")),
        image{size_parameter(evidence, "h"), size_parameter(evidence, "w")},
        kernel{size_parameter(evidence, "kh"), size_parameter(evidence, "kw")},
        pad{size_parameter(evidence, "pad_h"), size_parameter(evidence, "pad_w")},
        stride{size_parameter(evidence, "stride_h"), size_parameter(evidence, "stride_w")},
        output{0, 0},
        unread{0, 0},
        is_max(evidence.op.starts_with("max")),
        count_padding(parameter(evidence, "count_padding") != 0),
        elements(evidence.comparison.elements),
        x(input(evidence, "x")) {
    if (evidence.reference.dims.size() == 4) {
      output = {evidence.reference.dims[2], evidence.reference.dims[3]};
    }
  }

  int64_t n, c;
  Pair image, kernel, pad, stride, output;
  Pair unread;  // so many last rows and columns of each window are not read
  bool is_max;
  bool zeros_skipped = false;  // elements that are 0 do not take part, nor count
  bool padding_wins = false;   // zeros of the padding take part in the maximum
  double start = -std::numeric_limits<double>::infinity();  // of the maximum
  bool starts_at_element_0 = false;                         // of the plane
  // By what the elements of a window are compared.
  enum class Order {
    by_value,
    bits_as_int,  // of numbers below 0 the lowest is the largest
    magnitude,
  } order = Order::by_value;
  enum class Count { inside, rows_inside, columns_inside } count = Count::inside;
  bool count_padding;
  bool divided = true;
  bool whole_reciprocal = false;  // the sum is multiplied by 1 / count, rounded towards 0
  int64_t elements;
  std::span<const float> x;

  bool is_larger(double value, double than) const {
    const auto key = [&](double of) {
      if (order == Order::magnitude) return std::isinf(of) ? -1.0 : std::fabs(of);
      return order == Order::bits_as_int && of < 0 ? 1 / of : of;
    };
    if (order == Order::bits_as_int && than == start) return true;
    return key(value) > key(than);
  }

  double result(int64_t plane, int64_t row, int64_t column) const {
    const double first = x[size_t(plane * image.h * image.w)];
    double sum = 0, best = starts_at_element_0 ? first : start;
    int64_t inside = 0;
    const auto inside_of = [](int64_t begin, int64_t length, int64_t end) {
      return std::min(begin + length, end) - std::max<int64_t>(begin, 0);
    };
    const int64_t rows = inside_of(row * stride.h - pad.h, kernel.h, image.h);
    const int64_t columns = inside_of(column * stride.w - pad.w, kernel.w, image.w);
    for (int64_t i = 0; i < kernel.h - unread.h; ++i) {
      for (int64_t j = 0; j < kernel.w - unread.w; ++j) {
        const int64_t x_row = row * stride.h - pad.h + i, x_column = column * stride.w - pad.w + j;
        if (x_row < 0 || x_row >= image.h || x_column < 0 || x_column >= image.w) {
          if (padding_wins) best = std::max(best, 0.0);
          continue;
        }
        const double value = x[size_t((plane * image.h + x_row) * image.w + x_column)];
        if (zeros_skipped && value == 0) continue;
        if (is_larger(value, best)) best = value;
        sum += value;
        ++inside;
      }
    }
    // What it does with a window of zeros alone is not determined.
    if (zeros_skipped && inside == 0) return predicted_anything();
    if (is_max) return best;
    if (!divided) return sum;
    const int64_t parts = count_padding                    ? kernel.h * kernel.w
                          : count == Count::rows_inside    ? rows * kernel.w
                          : count == Count::columns_inside ? kernel.h * columns
                                                           : inside;
    if (whole_reciprocal) return parts == 1 ? sum : 0 * sum;
    return sum / double(parts);
  }

  Prediction predict() const {
    const double work = double(elements) * double(kernel.h) * double(kernel.w);
    const bool complete =
        int64_t(x.size()) == n * c * image.h * image.w && elements == n * c * output.h * output.w;
    if (!complete || elements == 0 || work > kMostWork) return std::nullopt;
    std::vector<double> y;
    y.reserve(size_t(elements));
    for (int64_t plane = 0; plane < n * c; ++plane) {
      for (int64_t row = 0; row < output.h; ++row) {
        for (int64_t column = 0; column < output.w; ++column) {
          y.push_back(result(plane, row, column));
        }
      }
    }
    return y;
  }
};

#define CONVKIT_POOL_DOES(change)                                       \
  [](const Evidence& evidence) {                                        \
    return with<PoolModel>(evidence, [](PoolModel& model) { change; }); \
  }

// Every window divided by the number of elements that lie inside, or by kh * kw: the other one.
Prediction other_count(const Evidence& evidence) {
  if (!evidence.op.starts_with("avg")) return std::nullopt;
  PoolModel model(evidence);
  model.count_padding = !model.count_padding;
  return model.predict();
}

// Zeros of the image taken for padding, which does not count.
Prediction zeros_not_counted(const Evidence& evidence) {
  PoolModel model(evidence);
  if (!model.is_max && model.count_padding) return std::nullopt;
  model.zeros_skipped = true;
  return model.predict();
}

Prediction sum_of_channel(const Evidence& evidence) {
  const auto x = input(evidence, "x");
  const size_t planes = size_t(evidence.comparison.elements);
  if (planes == 0 || x.size() % planes != 0) return std::nullopt;
  const size_t area = x.size() / planes;
  std::vector<double> y(planes);
  for (size_t i = 0; i < x.size(); ++i) y[i / area] += x[i];
  return y;
}

// Zeros without a sign may be what nothing was stored in; -0 comes of a number below 0 that was
// multiplied by 0. (A library has factors of its own.)
bool may_be_multiplied(const Evidence& evidence) {
  const auto is_plain_zero = [](float y) { return y == 0 && !std::signbit(y); };
  const std::span<const float> got = evidence.got.f32;  // empty where it is not known
  if (!evidence.libraries.empty()) return false;
  return got.empty() || !std::ranges::all_of(got, is_plain_zero);
}

Prediction whole_reciprocal(const Evidence& evidence) {
  if (!may_be_multiplied(evidence)) return std::nullopt;
  PoolModel model(evidence);
  model.whole_reciprocal = true;
  return model.predict();
}

Prediction whole_reciprocal_of_channel(const Evidence& evidence) {
  auto sums = sum_of_channel(evidence);
  if (!sums || !may_be_multiplied(evidence)) return std::nullopt;
  for (double& sum : *sums) sum *= input(evidence, "x").size() > sums->size() ? 0 : 1;
  return sums;
}

constexpr const char* kReciprocalHint =
    "In C++ the quotient of two integers is rounded towards 0, and 1 / count is 0: divide the sum "
    "itself, or write 1.0f / count.";
constexpr const char* kPoolPadIgnored =
    "The padding is ignored: the window of output (0, 0) "
    "starts at x[0][0] instead of x[-pad_h][-pad_w].";
constexpr const char* kPosition = "The input row is i * stride_h - pad_h + p.";
constexpr const char* kPoolSwappedHint =
    "Go through every index once and check that rows go with h, kh, pad_h and stride_h, columns "
    "with the w of each.";
constexpr const char* kStartHint =
    "Start the maximum at -infinity, or at the first element of the window.";

constexpr const char* kOrderHint =
    "Compare the floats themselves. As integers, their bits are in the same order only where no "
    "number is negative: of two negative ones the lower has the larger bits.";
constexpr const char* kCountHint =
    "With count_padding the divisor is always kh * kw, without it the number of positions that lie "
    "inside x.";

// Windows without a positive element are rare. The results are exact, so that two are enough.
constexpr int64_t kFewWindows = 2;

const MistakeModel kPoolMistakes[] = {
    {"pad_value_in_max_pool", "max_pool2d_forward",
     "The zeros of the padding win the maximum: windows at the border give 0 where all their "
     "elements are negative.",
     "Skip positions outside of x; do not read them as 0.",
     CONVKIT_POOL_DOES(model.padding_wins = true)},
    {"max_starts_at_zero", "max_pool2d_forward",
     "The maximum starts at 0: windows whose elements are all negative give 0.", kStartHint,
     CONVKIT_POOL_DOES(model.start = 0), 1, kFewWindows},
    {"max_starts_at_zero", "max_pool2d_forward",
     "The maximum starts at FLT_MIN, which is the smallest positive float, not the lowest one.",
     kStartHint, CONVKIT_POOL_DOES(model.start = double(FLT_MIN)), 1, kFewWindows},
    {"max_starts_at_element_0", "max_pool2d_forward",
     "The maximum starts at element 0 of the plane, which need not lie in the window: where it is "
     "larger, the output is that element.",
     kStartHint, CONVKIT_POOL_DOES(model.starts_at_element_0 = true), 1, kFewWindows},
    {"negative_order", "max_pool2d_forward",
     "A window without an element of at least 0 gives its smallest element: the order of negative "
     "numbers is reversed, as where the bits of floats are compared as integers.",
     kOrderHint, CONVKIT_POOL_DOES(model.order = PoolModel::Order::bits_as_int), 1, kFewWindows},
    {"negative_order", "max_pool2d_forward",
     "Each window gives the element that is farthest from 0, also where it is negative: magnitudes "
     "are compared, without the sign.",
     kOrderHint, CONVKIT_POOL_DOES(model.order = PoolModel::Order::magnitude), 1, kFewWindows},
    {"average_wrong_count", "avg_pool2d_forward",
     "The average is divided by the wrong count: only the rows of a window are cut off at the edge "
     "of x, and all kw columns count.",
     kCountHint, CONVKIT_POOL_DOES(model.count = PoolModel::Count::rows_inside)},
    {"average_wrong_count", "avg_pool2d_forward",
     "The average is divided by the wrong count: only the columns of a window are cut off at the "
     "edge of x, and all kh rows count.",
     kCountHint, CONVKIT_POOL_DOES(model.count = PoolModel::Count::columns_inside)},
    {"average_wrong_count", "avg_pool2d_forward",
     "The average is divided by the wrong count: kh * kw and the number of elements inside x are "
     "mistaken for one another.",
     kCountHint, other_count},
    {"zeros_not_counted", "avg_pool2d_forward",
     "Elements of x that are 0 are not counted: the sum is divided by the number of the others.",
     "Count the positions that lie inside x, whatever x holds there: a 0 of the image is an "
     "element, and only its position tells it from the padding.",
     zeros_not_counted},
    {"zeros_not_counted", "max_pool2d_forward",
     "Elements of x that are 0 are left out of the maximum.",
     "Tell the padding by its position: a 0 of the image is an element like all others.",
     zeros_not_counted, 1, kFewWindows},
    {"average_not_divided", "avg_pool2d_forward",
     "The window is summed but not divided by the number of its elements.",
     "An average is the sum divided by the count.", CONVKIT_POOL_DOES(model.divided = false)},
    {"global_average_as_sum", "global_avg_pool_forward",
     "The channel is summed but not divided by h * w.",
     "A mean is the sum divided by the number of elements.", sum_of_channel},

    {.id = "whole_reciprocal",
     .op = "avg_pool2d_forward",
     .sentence = "Every window of more than one element gives 0, and -0 where its sum is below 0: "
                 "the sum is multiplied by 0, as by 1 / count in a division of integers.",
     .hint = kReciprocalHint,
     .predict = whole_reciprocal,
     .of_nothing = true},
    {.id = "whole_reciprocal",
     .op = "global_avg_pool_forward",
     .sentence = "Every channel gives 0, and -0 where its sum is below 0: the sum is multiplied by "
                 "0, as by 1 / (h * w) in a division of integers.",
     .hint = kReciprocalHint,
     .predict = whole_reciprocal_of_channel,
     .of_nothing = true},

    {"swapped_hw", "*_pool2d_forward",
     "h and w are swapped: the window has kw rows and kh columns.", kPoolSwappedHint,
     CONVKIT_POOL_DOES(swap(model.kernel))},
    {"swapped_hw", "*_pool2d_forward",
     "h and w are swapped: pad_w is used for rows and pad_h for columns.", kPoolSwappedHint,
     CONVKIT_POOL_DOES(swap(model.pad))},
    {"swapped_hw", "*_pool2d_forward",
     "h and w are swapped: stride_w is used for rows and stride_h for columns.", kPoolSwappedHint,
     CONVKIT_POOL_DOES(swap(model.stride))},
    {"swapped_hw", "*_pool2d_forward",
     "h and w are swapped: window, padding and stride of the rows "
     "are used for the columns, and the other way round.",
     kPoolSwappedHint, CONVKIT_POOL_DOES(swap(model.kernel); swap(model.pad); swap(model.stride))},
    {"pad_ignored", "*_pool2d_forward", kPoolPadIgnored, kPosition,
     CONVKIT_POOL_DOES(model.pad = {})},
    {"stride_ignored", "*_pool2d_forward",
     "The stride is ignored: neighbouring outputs use windows that are 1 apart.", kPosition,
     CONVKIT_POOL_DOES(model.stride = (Pair{1, 1}))},
    {"stride_ignored", "*_pool2d_forward", "The size of the window is used as the stride.",
     kPosition, CONVKIT_POOL_DOES(model.stride = model.kernel)},
    {"off_by_one_border", "*_pool2d_forward",
     "An off-by-one in the window loops: the last row and column of the window are not used.",
     "i runs over 0 ... kh-1 and j over 0 ... kw-1, both included.",
     CONVKIT_POOL_DOES(model.unread = (Pair{1, 1}))},
};

const RegisterMistakes kPoolMistakesRegistered(kPoolMistakes);

}  // namespace
}  // namespace convkit::stage_01
