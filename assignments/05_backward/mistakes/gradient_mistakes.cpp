// SPDX-License-Identifier: MIT
// Known mistakes in the gradients of a convolution.
#include <algorithm>
#include <cmath>
#include <utility>

#include "compare/precision.h"
#include "gradient_model.h"

namespace convkit::stage_05 {
namespace {

template <class Change>
Prediction with(const Evidence& evidence, Change change) {
  GradientModel model(evidence);
  change(model);
  return model.predict();
}

#define CONVKIT_DOES(change) \
  [](const Evidence& evidence) { return with(evidence, [](GradientModel& model) { change; }); }

// Only where there are several images does it differ from the right result.
Prediction one_image(const Evidence& evidence, bool last) {
  GradientModel model(evidence);
  if (model.n < 2) return std::nullopt;
  model.first_image = last ? model.n - 1 : 0;
  model.last_image = model.first_image + 1;
  return model.predict();
}

Prediction initial_ignored(const Evidence& evidence) {
  if (initial(evidence).empty()) return std::nullopt;
  return with(evidence, [](GradientModel& model) { model.ignores_initial = true; });
}

Prediction divided(const Evidence& evidence, bool by_outputs) {
  GradientModel model(evidence);
  model.divisor = double(model.n) * (by_outputs ? double(model.output.h * model.output.w) : 1.0);
  return model.divisor > 1 ? model.predict() : std::nullopt;
}

// With a stride an element meets every stride-th tap only. Where their number is rounded down, the
// last tap of some elements is missing.
Prediction taps_rounded_down(const Evidence& evidence, bool rows, bool columns) {
  GradientModel model(evidence);
  const bool is_plain = model.dilation.h == 1 && model.dilation.w == 1;
  if (!is_plain || model.stride.h < 1 || model.stride.w < 1) return std::nullopt;
  if (rows) model.taps.h -= model.kernel.h % model.stride.h;
  if (columns) model.taps.w -= model.kernel.w % model.stride.w;
  const bool differs = model.taps.h < model.kernel.h || model.taps.w < model.kernel.w;
  return differs ? model.predict() : std::nullopt;
}

// One axis of a convolution, and what an element of dx (with the padding, at `position`) takes part
// in: a tap of an output.
struct Axis {
  int64_t stride, dilation, taps, outputs;
};
struct Meeting {
  int64_t tap, output;
};
using Meetings = std::vector<Meeting> (*)(int64_t position, const Axis& axis);

// Every stride-th tap, as without a dilation, and the outputs at the taps' dilated distances.
std::vector<Meeting> every_stride_th_tap(int64_t position, const Axis& axis) {
  std::vector<Meeting> meetings;
  for (int64_t tap = position % axis.stride; tap < axis.taps; tap += axis.stride) {
    const int64_t down = position - tap * axis.dilation, output = down / axis.stride;
    if (down >= 0 && output < axis.outputs) meetings.push_back({tap, output});
  }
  return meetings;
}
// Of each output whose window reaches over the element (or has a tap of that number) the tap that a
// division by the dilation gives, whatever it leaves.
template <bool kInReach>
std::vector<Meeting> tap_by_division(int64_t position, const Axis& axis) {
  std::vector<Meeting> meetings;
  for (int64_t output = 0; output < axis.outputs; ++output) {
    const int64_t down = position - output * axis.stride, tap = down / axis.dilation;
    if (down < 0 || tap >= axis.taps) continue;
    if (kInReach && down > (axis.taps - 1) * axis.dilation) continue;
    meetings.push_back({tap, output});
  }
  return meetings;
}

Prediction gathered(const Evidence& evidence, Meetings meetings) {
  const GradientModel model(evidence);
  const auto dy = input(evidence, "dy"), w = input(evidence, "w");
  const auto [h, width] = model.image;
  const auto [oh, ow] = model.output;
  const auto [kh, kw] = model.kernel;
  const bool is_dilated = model.dilation.h > 1 || model.dilation.w > 1;
  const int64_t elements = model.n * model.c * h * width;
  if (!is_dilated || oh < 1 || ow < 1 || evidence.comparison.elements != elements ||
      int64_t(dy.size()) != model.n * model.m * oh * ow ||
      int64_t(w.size()) != model.m * model.c * kh * kw ||
      double(elements) * double(model.m * kh * kw) > kMostWork) {
    return std::nullopt;
  }
  const Axis down{model.stride.h, model.dilation.h, kh, oh};
  const Axis across{model.stride.w, model.dilation.w, kw, ow};
  std::vector<double> dx(size_t(elements), 0);
  for (int64_t at = 0; at < elements; ++at) {
    const int64_t channel = at / width / h % model.c, image = at / width / h / model.c;
    const auto columns = meetings(at % width + model.pad.w, across);
    for (const auto [p, i] : meetings(at / width % h + model.pad.h, down)) {
      for (const auto [q, j] : columns) {
        for (int64_t map = 0; map < model.m; ++map) {
          dx[size_t(at)] += double(dy[size_t(((image * model.m + map) * oh + i) * ow + j)]) *
                            double(w[size_t(((map * model.c + channel) * kh + p) * kw + q)]);
        }
      }
    }
  }
  const auto before = initial(evidence);
  for (size_t at = 0; at < std::min(dx.size(), before.size()); ++at) dx[at] += before[at];
  return dx;
}

// The output's old content was not asked about, and the gradient comes out once more.
Prediction added_twice(const Evidence& evidence) {
  return with(evidence, [](GradientModel& model) { model.divisor = 0.5; });
}

// All elements of dw together are right, and they are no others in another order: then sums of
// parts have come to the wrong elements, and what each holds depends on the parts.
Prediction parts_mixed(const Evidence& evidence) {
  const std::span<const float> got = evidence.got.f32;
  const std::span<const double> right = evidence.reference.f64;
  if (got.size() != right.size() || evidence.magnitude.size() != got.size()) return std::nullopt;
  double sum = 0, errors = 0, allowed = 0;
  int64_t wrong = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = double(got[i]) - right[i];
    const double bound = evidence.tolerance.allowed(evidence.magnitude[i]);
    sum += error, errors += std::fabs(error), allowed += bound;
    wrong += std::fabs(error) > bound;
  }
  constexpr double kClearly = 50;
  const bool nearly_all = 4 * wrong >= 3 * std::ssize(got) && wrong >= 4;
  if (!nearly_all || !(std::fabs(sum) <= allowed) || !(errors > kClearly * allowed)) {
    return std::nullopt;
  }
  std::vector<double> values(got.begin(), got.end()), in_order(right.begin(), right.end());
  std::ranges::sort(values);
  std::ranges::sort(in_order);
  double apart = 0;
  for (size_t i = 0; i < values.size(); ++i) apart += std::fabs(values[i] - in_order[i]);
  if (apart <= 2 * allowed) return std::nullopt;
  return std::vector<double>(got.begin(), got.end());
}

// The return values of the calls with bad arguments if one of them is not refused.
template <size_t kCall>
Prediction accepted(const Evidence& evidence) {
  std::vector<double> status(evidence.reference.i32.begin(), evidence.reference.i32.end());
  if (kCall >= status.size()) return std::nullopt;
  status[kCall] = 0;
  return status;
}

constexpr const char* kScatter = "conv2d_[xw]grad_scatter";
constexpr const char* kOneRow =
    "Several neighbouring elements of dy are taken together, and row, map and image are computed "
    "for the first of them only: those behind the end of its row are taken to lie further right in "
    "the same row, and not at the beginning of the next.";
constexpr const char* kOneRowHint =
    "Compute the place of each element, or let a thread take elements of one row only: where ow is "
    "no multiple of their number, the last ones belong to the next row, map or image.";
constexpr const char* kLastMap =
    "Of each share of neighbouring elements of dy the sums of the last map are missing: what is "
    "summed up for one map is added to the output when the next map begins, and behind the loop "
    "nobody adds what has been summed up last.";
constexpr const char* kLastMapHint =
    "Add the sums that are left to the output once more behind the loop: the last map has no next "
    "one that would do it.";
constexpr const char* kBetweenTaps =
    "Elements between the taps of a window get a gradient, too: the tap is found by a division by "
    "the dilation whose remainder is not looked at.";
constexpr const char* kBetweenTapsHint =
    "Only if (row + pad_h - i * stride_h) % dilation_h is 0 does one of the taps of output i lie "
    "on "
    "this row; the same holds for columns.";
constexpr const char* kPhaseHint =
    "From tap p0 = (row + pad) % stride on, the taps p0, p0 + stride, ... below the kernel's size "
    "count: (kernel - p0 + stride - 1) / stride of them, one more for small p0 than for large.";
constexpr const char* kGradient = "conv2d_[xw]grad*";
constexpr const char* kXgrad = "conv2d_xgrad*";
constexpr const char* kWgrad = "conv2d_wgrad*";
constexpr const char* kBgrad = "conv2d_bgrad";

constexpr const char* kWays =
    "Output (i, j) reads row i * stride - pad + p * dilation through tap (p, q). Every gradient "
    "follows from that line; for the gather, solve it for i: the rest of the division must be 0.";
constexpr const char* kOutsideHint =
    "The padding is not in memory: products with it are zero in the forward pass, and their "
    "gradient is dropped. Test 0 <= row < h and 0 <= col < w before you read or add.";
constexpr const char* kRefuses = "conv2d_backward_refuses";
constexpr const char* kRefuseHint =
    "Before the first launch: check_arguments() of arguments.cuh, and the size of the workspace; "
    "return cudaErrorInvalidValue and touch nothing.";
constexpr const char* kSwapHint =
    "Go through every index once: rows go with h, kh, pad_h, "
    "stride_h and dilation_h, columns with the w of each.";

const MistakeModel kGradientMistakes[] = {
    {"filter_turned", kXgrad,
     "The filter is turned by 180 degrees where it should not be: w[kh-1-p][kw-1-q] meets the "
     "element that w[p][q] was multiplied with.",
     "dy[i] reaches row r = i * stride - pad + p * dilation with weight w[p], the same p. When "
     "p grows, i falls: this is the whole turn, and turning the filter as well undoes it.",
     CONVKIT_DOES(model.weights = GradientModel::Weights::turned)},
    {"gradient_turned", kWgrad,
     "dy is turned by 180 degrees: the gradient of the filters flips nothing.",
     "dw[p][q] is the sum of x[i + p][j + q] * dy[i][j]: a plain correlation of x with dy.",
     CONVKIT_DOES(model.gradient_turned = true)},
    {"filter_turned", kWgrad,
     "dw comes out turned by 180 degrees: "
     "what belongs to tap (p, q) is stored at (kh-1-p, kw-1-q).",
     "dw[p][q] is the sum of x[i + p][j + q] * dy[i][j]: nothing is flipped.",
     CONVKIT_DOES(model.weights = GradientModel::Weights::turned)},
    {"stride_not_spread", kGradient,
     "The stride is forgotten in the backward pass: neighbouring elements of dy are taken to have "
     "read windows that are 1 apart.",
     kWays, CONVKIT_DOES(model.stride = (Pair{1, 1}))},
    {"dilation_forgotten", kGradient,
     "The dilation is forgotten in the backward pass: the taps are taken to be next to each other.",
     kWays, CONVKIT_DOES(model.dilation = (Pair{1, 1}))},
    {"pad_forgotten", kGradient,
     "The padding is forgotten in the backward pass: "
     "output (0, 0) is taken to have read from x[0][0] on.",
     kWays, CONVKIT_DOES(model.pad = {})},
    {"padding_counted", kGradient,
     "The padding takes part: rows and columns outside of x are taken for the nearest ones inside.",
     kOutsideHint, CONVKIT_DOES(model.outside = GradientModel::Outside::edge)},
    {"padding_counted", kGradient,
     "The padding takes part: rows and columns outside of x are taken for what lies at that place "
     "in memory, the neighbouring row.",
     kOutsideHint, CONVKIT_DOES(model.outside = GradientModel::Outside::memory)},
    {"last_image_only", "conv2d_[wb]grad*",
     "Only the last image counts: each image overwrites what the ones before have left.",
     "A sum over the batch: set the sum to zero once, before the loop over the images.",
     [](const Evidence& evidence) { return one_image(evidence, true); }},
    {"first_image_only", "conv2d_[wbx]grad*", "Only the first image counts.",
     "The sum goes over all n images of the mini-batch.",
     [](const Evidence& evidence) { return one_image(evidence, false); }},
    {"taps_without_dilation", "conv2d_xgrad_[gs]*",
     "The taps that an element meets are found as if there were no dilation: every stride-th tap "
     "from (row + pad) % stride on. With a dilation it is p * dilation, not p, that has to leave "
     "this remainder, and other taps do.",
     "Test (row + pad - p * dilation) % stride == 0 for each tap p, and take output (row + pad - p "
     "* dilation) / stride where it holds.",
     [](const Evidence& evidence) { return gathered(evidence, every_stride_th_tap); }},
    {"tap_by_division", "conv2d_xgrad*", kBetweenTaps, kBetweenTapsHint,
     [](const Evidence& evidence) { return gathered(evidence, tap_by_division<true>); }},
    {"tap_by_division", "conv2d_xgrad*", kBetweenTaps, kBetweenTapsHint,
     [](const Evidence& evidence) { return gathered(evidence, tap_by_division<false>); }},
    {"taps_rounded_down", "conv2d_xgrad*",
     "The last tap of some elements is missing: with a stride an element of dx meets every "
     "stride-th tap only, and their number is kernel / stride rounded down. Where the kernel is no "
     "multiple of the stride, some elements have one tap more.",
     kPhaseHint, [](const Evidence& evidence) { return taps_rounded_down(evidence, true, true); }},
    {"taps_rounded_down", "conv2d_xgrad*",
     "The last row of taps of some elements is missing: with a stride an element of dx meets every "
     "stride_h-th row only, and their number is kh / stride_h rounded down. Where kh is no "
     "multiple of stride_h, some elements have one more.",
     kPhaseHint, [](const Evidence& evidence) { return taps_rounded_down(evidence, true, false); }},
    {"taps_rounded_down", "conv2d_xgrad*",
     "The last column of taps of some elements is missing: with a stride an element of dx meets "
     "every stride_w-th column only, and their number is kw / stride_w rounded down. Where kw is "
     "no multiple of stride_w, some elements have one more.",
     kPhaseHint, [](const Evidence& evidence) { return taps_rounded_down(evidence, false, true); }},
    {"last_row_skipped", "conv2d_[wbx]grad*",
     "The last row and the last column of dy do not count.",
     "The loops run over 0 ... oh-1 and 0 ... ow-1, both included. (A printed version of this "
     "algorithm has h < H - 1: docs/errata.md.)",
     CONVKIT_DOES(model.skips_last_row = true)},
    {"initial_ignored", "conv2d_[wbx]grad*",
     "accumulate is ignored: the gradient is right, but what the output held before is lost.",
     "With accumulate = 1 the gradient is added to what is there; only with 0 it is overwritten.",
     initial_ignored, 1, 1},
    {"filters_transposed", kGradient,
     "Filters and channels are exchanged: w[m][c][kh][kw] is taken for [c][m][kh][kw].",
     "Element (m, c, p, q) lies at ((m * c_total + c) * kh + p) * kw + q.",
     CONVKIT_DOES(model.weights = GradientModel::Weights::c_m_kh_kw)},
    {"maps_before_images", "conv2d_[wbx]grad*",
     "dy is read as [m][n][oh][ow]: maps and images are exchanged.",
     "Element (n, m, i, j) lies at ((n * m_total + m) * oh + i) * ow + j.",
     CONVKIT_DOES(model.maps_outermost = true), 1, 2},
    {"wrong_axis", kBgrad,
     "The sum goes over the wrong axis: db[k] is the sum of image k instead of map k.",
     "db[m] sums over n, i and j; m is the index that stays.", CONVKIT_DOES(model.by_image = true),
     1, 2},
    {"averaged", "conv2d_[wbx]grad*", "The gradient is divided by the number of images.",
     "E is given: its gradient is a sum over the batch. A "
     "mean is part of E, and then already in dy.",
     [](const Evidence& evidence) { return divided(evidence, false); }, 1, 2},
    {"averaged", "conv2d_[wb]grad*", "The gradient is divided by n * oh * ow: a mean, not a sum.",
     "b[m] was added to every output of the map, so its gradient is the sum of theirs.",
     [](const Evidence& evidence) { return divided(evidence, true); }, 1, 2},
    {"added_twice", "conv2d_[wbx]grad*", "The gradient comes out twice.",
     "Is it added to an output that already holds it?", added_twice, 1, 2},
    {"swapped_hw", kGradient,
     "h and w are swapped: stride_w is used for rows, stride_h for columns.", kSwapHint,
     CONVKIT_DOES(std::swap(model.stride.h, model.stride.w))},
    {"swapped_hw", kGradient,
     "h and w are swapped: dilation_w is used for rows, dilation_h for columns.", kSwapHint,
     CONVKIT_DOES(std::swap(model.dilation.h, model.dilation.w))},
    {"swapped_hw", kGradient, "h and w are swapped: pad_w is used for rows, pad_h for columns.",
     kSwapHint, CONVKIT_DOES(std::swap(model.pad.h, model.pad.w))},
    {"tap_ends_window", "conv2d_[xw]grad_scatter",
     "Where a tap lies in the padding left of the image, the taps to its right are lost: the loop "
     "over the columns of the kernel ends there (break) instead of going on (continue).",
     kOutsideHint, CONVKIT_DOES(model.ends_left = true)},
    {"tap_ends_window", "conv2d_[xw]grad_scatter",
     "Where a tap lies in the padding above the image, the taps below it are lost: the loop over "
     "the rows of the kernel ends there (break) instead of going on (continue).",
     kOutsideHint, CONVKIT_DOES(model.ends_above = true)},
    {"tap_ends_window", "conv2d_[xw]grad_scatter",
     "Where a tap lies in the padding above or left of the image, the taps behind it are lost: the "
     "loops over the kernel end there (break or return) instead of going on (continue).",
     kOutsideHint, CONVKIT_DOES(model.ends_above = model.ends_left = true)},
    {"neighbours_in_one_row", kScatter, kOneRow, kOneRowHint, CONVKIT_DOES(model.neighbours = 2)},
    {"neighbours_in_one_row", kScatter, kOneRow, kOneRowHint, CONVKIT_DOES(model.neighbours = 4)},
    {"neighbours_in_one_row", kScatter, kOneRow, kOneRowHint, CONVKIT_DOES(model.neighbours = 8)},
    {"last_map_of_share", "conv2d_wgrad_scatter", kLastMap, kLastMapHint,
     CONVKIT_DOES(model.share = 32)},
    {"last_map_of_share", "conv2d_wgrad_scatter", kLastMap, kLastMapHint,
     CONVKIT_DOES(model.share = 64)},
    {"last_map_of_share", "conv2d_wgrad_scatter", kLastMap, kLastMapHint,
     CONVKIT_DOES(model.share = 128)},
    {"last_map_of_share", "conv2d_wgrad_scatter", kLastMap, kLastMapHint,
     CONVKIT_DOES(model.share = 256)},
    {"parts_mixed", "conv2d_wgrad*",
     "All elements of dw together have the right sum, but one by one they are wrong: sums of parts "
     "have come to other taps, as they do where they are stored as [part][tap] and read as "
     "[tap][part].",
     "The sum of part `part` for tap `tap` lies at the same place of the workspace for the kernel "
     "that writes it and for the kernel that reads it.",
     parts_mixed},
    {"null_accepted", kRefuses, "conv2d_xgrad_gather accepts a null pointer for dy.", kRefuseHint,
     accepted<0>},
    {"alias_accepted", kRefuses, "conv2d_xgrad_gather accepts dx in the memory of dy.", kRefuseHint,
     accepted<1>},
    {"groups_accepted", kRefuses, "conv2d_xgrad_gather accepts groups that do not divide c and m.",
     kRefuseHint, accepted<2>},
    {"kernel_accepted", kRefuses, "conv2d_bgrad accepts a kernel larger than the padded input.",
     kRefuseHint, accepted<3>},
    {"workspace_accepted", kRefuses, "conv2d_wgrad accepts a workspace that is too small.",
     kRefuseHint, accepted<4>},
};

const RegisterMistakes kGradientMistakesRegistered(kGradientMistakes);

// A correct program, for the formats that inputs may have been rounded to. With `beta` (stage 06)
// what the output held is multiplied by it, not added.
Prediction correct_gradient(const Evidence& evidence) {
  const auto value = [&](const char* name, double otherwise) {
    const auto found = evidence.params.find(name);
    return found == evidence.params.end() ? otherwise : found->second;
  };
  const double beta = value("beta", 1);
  if (value("alpha", 1) != 1 || (beta != 0 && beta != 1)) return std::nullopt;
  GradientModel model(evidence);
  model.ignores_initial = beta == 0;
  return model.predict();
}
const ProductSum kGradients[] = {{"conv2d_[xw]grad*", correct_gradient}};
const RegisterProductSums kGradientsRegistered(kGradients);

}  // namespace
}  // namespace convkit::stage_05
