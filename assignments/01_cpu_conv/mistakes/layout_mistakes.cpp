// SPDX-License-Identifier: MIT
// Known mistakes in changing the layout, and in TensorFlow's "same" padding.
#include <algorithm>
#include <array>

#include "case_reader.h"

namespace convkit::stage_01 {
namespace {

// x copied with its dimensions permuted: y[d[p0]][d[p1]][d[p2]][d[p3]] over x's dims d.
Prediction permuted(const Evidence& evidence, const std::array<int64_t, 4>& dims,
                    const std::array<int, 4>& order) {
  const auto x = input(evidence, "x");
  const int64_t elements = dims[0] * dims[1] * dims[2] * dims[3];
  if (int64_t(x.size()) != elements || evidence.comparison.elements != elements) {
    return std::nullopt;
  }
  const std::array<int64_t, 4> step = {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
  const auto extent = [&](int axis) { return dims[size_t(order[size_t(axis)])]; };
  const auto stride = [&](int axis) { return step[size_t(order[size_t(axis)])]; };
  std::vector<double> y;
  y.reserve(x.size());
  for (int64_t a = 0; a < extent(0); ++a) {
    for (int64_t b = 0; b < extent(1); ++b) {
      for (int64_t c = 0; c < extent(2); ++c) {
        for (int64_t d = 0; d < extent(3); ++d) {
          y.push_back(x[size_t(a * stride(0) + b * stride(1) + c * stride(2) + d * stride(3))]);
        }
      }
    }
  }
  return y;
}

std::array<int64_t, 4> nchw(const Evidence& evidence) {
  return {size_parameter(evidence, "n"), size_parameter(evidence, "c"),
          size_parameter(evidence, "h"), size_parameter(evidence, "w")};
}

std::array<int64_t, 4> nhwc(const Evidence& evidence) {
  return {size_parameter(evidence, "n"), size_parameter(evidence, "h"),
          size_parameter(evidence, "w"), size_parameter(evidence, "c")};
}

Prediction copied(const Evidence& evidence) {
  return permuted(evidence, nchw(evidence), {0, 1, 2, 3});
}

// The permutation of the opposite function, applied to the same bytes.
Prediction inverse_for_nhwc(const Evidence& evidence) {
  return permuted(evidence, nhwc(evidence), {0, 3, 1, 2});
}
Prediction inverse_for_nchw(const Evidence& evidence) {
  return permuted(evidence, nchw(evidence), {0, 2, 3, 1});
}
Prediction rows_and_columns_to_nhwc(const Evidence& evidence) {
  return permuted(evidence, nchw(evidence), {0, 3, 2, 1});
}
Prediction rows_and_columns_to_nchw(const Evidence& evidence) {
  return permuted(evidence, nhwc(evidence), {0, 3, 2, 1});
}

// --- same padding ----------------------------------------------------------------------------

int64_t total_padding(const Evidence& evidence, int64_t stride, int64_t dilation) {
  const int64_t size = size_parameter(evidence, "size"),
                kernel = size_parameter(evidence, "kernel");
  if (stride < 1) return 0;
  const int64_t outputs = (size + stride - 1) / stride;
  return (outputs - 1) * stride + dilation * (kernel - 1) + 1 - size;
}

Prediction halves(int64_t total) {
  return std::vector<double>{double(total / 2), double(total - total / 2)};
}

Prediction halves_swapped(const Evidence& evidence) {
  const int64_t total =
      std::max<int64_t>(0, total_padding(evidence, size_parameter(evidence, "stride"),
                                         size_parameter(evidence, "dilation")));
  return std::vector<double>{double(total - total / 2), double(total / 2)};
}

Prediction negative_total(const Evidence& evidence) {
  return halves(total_padding(evidence, size_parameter(evidence, "stride"),
                              size_parameter(evidence, "dilation")));
}

Prediction without_stride(const Evidence& evidence) {
  return halves(
      std::max<int64_t>(0, total_padding(evidence, 1, size_parameter(evidence, "dilation"))));
}

Prediction without_dilation(const Evidence& evidence) {
  return halves(
      std::max<int64_t>(0, total_padding(evidence, size_parameter(evidence, "stride"), 1)));
}

// size / stride rounded down, where the output has ceil(size / stride) elements.
Prediction rounded_down(const Evidence& evidence) {
  const int64_t size = size_parameter(evidence, "size"),
                stride = size_parameter(evidence, "stride");
  if (stride < 1) return std::nullopt;
  const int64_t reach =
      size_parameter(evidence, "dilation") * (size_parameter(evidence, "kernel") - 1) + 1;
  return halves(std::max<int64_t>(0, (size / stride - 1) * stride + reach - size));
}

// A kernel that reaches over another number of elements than dilation * (kernel - 1) + 1.
template <class Reach>
Prediction with_reach(const Evidence& evidence, Reach reach_of) {
  const int64_t dilation = size_parameter(evidence, "dilation"),
                kernel = size_parameter(evidence, "kernel");
  const int64_t without = total_padding(evidence, size_parameter(evidence, "stride"), 0) - 1;
  return halves(std::max<int64_t>(0, without + reach_of(kernel, dilation)));
}

// The total has another form where the stride divides the size than where it does not.
Prediction total_of_whole_strides(const Evidence& evidence) {
  const int64_t reach =
      size_parameter(evidence, "dilation") * (size_parameter(evidence, "kernel") - 1) + 1;
  return halves(std::max<int64_t>(0, reach - size_parameter(evidence, "stride")));
}
Prediction total_of_remainder(const Evidence& evidence) {
  const int64_t stride = size_parameter(evidence, "stride");
  if (stride < 1) return std::nullopt;
  const int64_t reach =
      size_parameter(evidence, "dilation") * (size_parameter(evidence, "kernel") - 1) + 1;
  return halves(std::max<int64_t>(0, reach - size_parameter(evidence, "size") % stride));
}

Prediction reach_of_product(const Evidence& evidence) {
  return with_reach(evidence, [](int64_t kernel, int64_t dilation) { return dilation * kernel; });
}
Prediction reach_of_sum(const Evidence& evidence) {
  return with_reach(evidence,
                    [](int64_t kernel, int64_t dilation) { return kernel + dilation - 1; });
}
Prediction reach_one_too_small(const Evidence& evidence) {
  return with_reach(evidence,
                    [](int64_t kernel, int64_t dilation) { return dilation * (kernel - 1); });
}

Prediction remainder_lost(const Evidence& evidence) {
  const int64_t total =
      std::max<int64_t>(0, total_padding(evidence, size_parameter(evidence, "stride"),
                                         size_parameter(evidence, "dilation")));
  return std::vector<double>{double(total / 2), double(total / 2)};
}

constexpr const char* kNhwcHint =
    "x[n][c][h][w] goes to y[n][h][w][c], which lies at ((n "
    "* h_total + h) * w_total + w) * c_total + c.";
constexpr const char* kNchwHint =
    "x[n][h][w][c] goes to y[n][c][h][w], which lies at ((n "
    "* c_total + c) * h_total + h) * w_total + w.";
constexpr const char* kSameHint =
    "total = max((ceil(size / stride) - 1) * stride + dilation * (kernel - 1) + 1 - size, 0); "
    "before = total / 2, after = total - before.";

constexpr const char* kReachOfProduct =
    "The kernel is taken to reach over dilation * kernel elements instead of dilation * (kernel - "
    "1) + 1.";
constexpr const char* kReachOfSum =
    "The kernel is taken to reach over kernel + dilation - 1 elements instead of dilation * "
    "(kernel - 1) + 1.";
constexpr const char* kReachTooSmall =
    "The kernel is taken to reach over dilation * (kernel - 1) elements, one too few: the first "
    "tap counts, too.";
constexpr const char* kReachHint =
    "From the first tap to the last there are (kernel - 1) steps of dilation elements: with the "
    "first tap dilation * (kernel - 1) + 1.";

const MistakeModel kLayoutMistakes[] = {
    {"nhwc_as_nchw", "nchw_to_nhwc", "The layout is unchanged: x is copied as it is.", kNhwcHint,
     copied},
    {"nhwc_as_nchw", "nhwc_to_nchw", "The layout is unchanged: x is copied as it is.", kNchwHint,
     copied},
    {"nhwc_as_nchw", "nchw_to_nhwc",
     "The opposite permutation is applied: x is read as if it were [n][h][w][c].", kNhwcHint,
     inverse_for_nhwc},
    {"nhwc_as_nchw", "nhwc_to_nchw",
     "The opposite permutation is applied: x is read as if it were [n][c][h][w].", kNchwHint,
     inverse_for_nchw},
    {"swapped_hw", "nchw_to_nhwc", "h and w are swapped: y is written as [n][w][h][c].", kNhwcHint,
     rows_and_columns_to_nhwc},
    {"swapped_hw", "nhwc_to_nchw", "h and w are swapped: y is written as [n][c][w][h].", kNchwHint,
     rows_and_columns_to_nchw},
    {"same_padding_before", "same_padding",
     "When the total padding is odd, the extra element is put before; TensorFlow puts it after.",
     kSameHint, halves_swapped},
    {"same_padding_remainder", "same_padding",
     "`after` is 1 too small: the total is, or, where it is odd, after is not total - before.",
     kSameHint, remainder_lost},
    {"same_padding_negative", "same_padding",
     "The padding is negative where the stride skips more than the kernel needs; it must be 0.",
     kSameHint, negative_total},
    {"same_padding_floor", "same_padding",
     "size / stride is rounded down: the output has ceil(size / stride) elements.",
     "In integers ceil(size / stride) is (size + stride - 1) / stride.", rounded_down},
    {"same_padding_reach", "same_padding", kReachOfProduct, kReachHint, reach_of_product},
    {"same_padding_reach", "same_padding", kReachOfSum, kReachHint, reach_of_sum},
    {"same_padding_remainder", "same_padding", kReachTooSmall, kReachHint, reach_one_too_small},
    {"same_padding_total", "same_padding",
     "The total is the kernel's reach less the stride for every size: that holds only where the "
     "stride divides the size, and else the remainder of the size stands for the stride.",
     kSameHint, total_of_whole_strides},
    {"same_padding_total", "same_padding",
     "The total is the kernel's reach less the remainder of the size by the stride: where the "
     "stride divides the size it is the reach less the stride.",
     kSameHint, total_of_remainder},
    {"stride_ignored", "same_padding", "The stride is ignored.", kSameHint, without_stride},
    {"dilation_ignored", "same_padding", "The dilation is ignored.", kSameHint, without_dilation},
};

const RegisterMistakes kLayoutMistakesRegistered(kLayoutMistakes);

}  // namespace
}  // namespace convkit::stage_01
