// SPDX-License-Identifier: MIT
// Known mistakes in a convolution. One line each says what is done differently; of several that
// predict the same output the first is named.
#include <utility>

#include "compare/precision.h"
#include "conv_model.h"

namespace convkit::stage_01 {
namespace {

// A captureless lambda that predicts the output after `change` was made to the correct `model`.
#define CONVKIT_CONV_DOES(change)                                       \
  [](const Evidence& evidence) {                                        \
    return with<ConvModel>(evidence, [](ConvModel& model) { change; }); \
  }

Pair unstrided(const ConvModel& model, const Evidence& evidence) {
  const auto extent = [](int64_t size, int64_t pad, int64_t kernel, int64_t dilation) {
    return size + 2 * pad - dilation * (kernel - 1);
  };
  if (evidence.op == "conv2d_same_forward") return model.image;
  return {extent(model.image.h, model.pad.h, model.kernel.h, model.dilation.h),
          extent(model.image.w, model.pad.w, model.kernel.w, model.dilation.w)};
}

// The input position is strided, but y is indexed as if it had the size of a stride of 1.
Prediction wide_output(const Evidence& evidence) {
  ConvModel model(evidence);
  model.y_extent = unstrided(model, evidence);
  return model.predict();
}

// The same, and the loops run over that size too.
Prediction wide_output_and_loops(const Evidence& evidence) {
  ConvModel model(evidence);
  model.loop = model.y_extent = unstrided(model, evidence);
  return model.predict();
}

// y[i * stride_h][j * stride_w] is written.
Prediction spread_output(const Evidence& evidence) {
  ConvModel model(evidence);
  model.y_step = model.stride;
  return model.predict();
}

// Valid convolution, written densely with its own smaller size.
Prediction valid_output(const Evidence& evidence) {
  ConvModel model(evidence);
  model.pad = {0, 0};
  const auto extent = [](int64_t size, int64_t kernel, int64_t dilation, int64_t stride) {
    return (size - dilation * (kernel - 1) - 1) / stride + 1;
  };
  if (model.stride.h <= 0 || model.stride.w <= 0) return std::nullopt;
  model.loop =
      model.y_extent = {extent(model.image.h, model.kernel.h, model.dilation.h, model.stride.h),
                        extent(model.image.w, model.kernel.w, model.dilation.w, model.stride.w)};
  return model.predict();
}

// Padding as for stride 1, the same on both sides.
Prediction symmetric_padding(const Evidence& evidence) {
  ConvModel model(evidence);
  model.pad = {model.dilation.h * (model.kernel.h - 1) / 2,
               model.dilation.w * (model.kernel.w - 1) / 2};
  return model.predict();
}

// When the total is odd, the extra element goes before.
Prediction extra_before(const Evidence& evidence) {
  ConvModel model(evidence);
  if (model.stride.h <= 0 || model.stride.w <= 0) return std::nullopt;
  model.pad = {
      same_padding_of(model.image.h, model.kernel.h, model.stride.h, model.dilation.h).after,
      same_padding_of(model.image.w, model.kernel.w, model.stride.w, model.dilation.w).after};
  return model.predict();
}

// --- what students read ----------------------------------------------------------------------

constexpr const char* kFlipped =
    "The kernel is flipped: w[kh-1-p][kw-1-q] is used where cross-correlation takes w[p][q].";
constexpr const char* kFlippedHint =
    "Deep learning calls cross-correlation \"convolution\": the "
    "window and the kernel are walked in the same direction.";
constexpr const char* kSwappedHint =
    "Go through every index once and check that rows go with h, kh, "
    "pad_h, stride_h and dilation_h, columns with the w of each.";
constexpr const char* kPadIgnored =
    "The padding is ignored: the window of output (0, 0) "
    "starts at x[0][0] instead of x[-pad_h][-pad_w].";
constexpr const char* kPadHint =
    "The input row is i * stride_h - pad_h + p * dilation_h; "
    "rows and columns outside of x count as 0.";
constexpr const char* kStrideOnInputOnly =
    "The stride is applied to the input only: "
    "y is indexed as if it were as large as with a stride of 1.";
constexpr const char* kStrideOnInputOnlyHint =
    "y has shape->oh() rows of shape->ow() elements; both already take the stride into account.";
constexpr const char* kBiasPerElement =
    "The bias is added inside the sum: b[m] is added with every product instead of once.";
constexpr const char* kBiasPerElementHint = "Start the sum at b[m], or add b[m] after the loops.";
constexpr const char* kChannelsHint =
    "The sum runs over c, kh and kw: start it at 0 before "
    "the loop over c and store it after that loop.";
constexpr const char* kResetHint =
    "Set the sum to b[m] inside the loops over the "
    "output rows and columns, before the loop over c.";
constexpr const char* kMapsHint = "y[n][m][i][j] lies at ((n * m_total + m) * oh + i) * ow + j.";
constexpr double kLongSums = 64;  // rounding of the sums before stays in those after
constexpr const char* kBorder =
    "An off-by-one at the border: the last output rows or columns are not computed.";
constexpr const char* kBorderHint =
    "Compare the bounds of the output loops with shape->oh() and shape->ow(): the index runs while "
    "it is < oh, not < oh - 1.";
constexpr const char* kBorderHintOfKernels =
    "Too few blocks, tiles too far apart, or a test that leaves out the end: compare the grid and "
    "the tests with shape->oh() and shape->ow().";
constexpr const char* kTaps =
    "An off-by-one in the kernel loops: the last row or column of the kernel is not used.";
constexpr const char* kTapsHint = "i runs over 0 ... kh-1 and j over 0 ... kw-1, both included.";
constexpr const char* kEdge =
    "An off-by-one at the border: the first or last row or column of x is treated as padding.";
constexpr const char* kEdgeHint =
    "A row is inside when row >= 0 && row < h: 0 and h - 1 are inside, h is not.";

const MistakeModel kConvMistakes[] = {
    {"flipped_kernel", "conv2d*", kFlipped, kFlippedHint,
     CONVKIT_CONV_DOES(model.flipped_h = model.flipped_w = true)},
    {"flipped_kernel", "conv2d*",
     "The kernel is flipped vertically: w[kh-1-p][q] is used where "
     "cross-correlation takes w[p][q].",
     kFlippedHint, CONVKIT_CONV_DOES(model.flipped_h = true)},
    {"flipped_kernel", "conv2d*",
     "The kernel is flipped horizontally: w[p][kw-1-q] is used where "
     "cross-correlation takes w[p][q].",
     kFlippedHint, CONVKIT_CONV_DOES(model.flipped_w = true)},

    {"swapped_hw", "conv2d*",
     "h and w are swapped: the kernel is read as w[j][i] instead of w[i][j].", kSwappedHint,
     CONVKIT_CONV_DOES(model.weights = ConvModel::Weights::m_c_kw_kh)},
    {"swapped_hw", "conv2d*", "h and w are swapped: pad_w is used for rows and pad_h for columns.",
     kSwappedHint, CONVKIT_CONV_DOES(swap(model.pad))},
    {"swapped_hw", "conv2d*",
     "h and w are swapped: stride_w is used for rows and stride_h for columns.", kSwappedHint,
     CONVKIT_CONV_DOES(swap(model.stride))},
    {"swapped_hw", "conv2d*",
     "h and w are swapped: dilation_w is used for rows and dilation_h for columns.", kSwappedHint,
     CONVKIT_CONV_DOES(swap(model.dilation))},
    {"swapped_hw", "conv2d*",
     "h and w are swapped: pad, stride and dilation of the rows are used "
     "for the columns, and the other way round.",
     kSwappedHint, CONVKIT_CONV_DOES(swap(model.pad); swap(model.stride); swap(model.dilation))},
    {"swapped_hw", "conv2d*",
     "h and w are swapped: x is read as if its columns, not its rows, "
     "followed one another in memory.",
     kSwappedHint, CONVKIT_CONV_DOES(model.layout = ConvModel::Layout::ncwh)},
    {"swapped_hw", "conv2d*",
     "h and w are swapped: the rows of x are taken to be h elements long instead of w.",
     kSwappedHint, CONVKIT_CONV_DOES(model.layout = ConvModel::Layout::rows_of_h)},
    {"swapped_hw", "conv2d*",
     "h and w are swapped: the kernel loops run over kw rows and kh columns.", kSwappedHint,
     CONVKIT_CONV_DOES(swap(model.taps))},
    {"swapped_hw", "conv2d*",
     "h and w are swapped: the kernel loops run over kw rows and kh columns.", kSwappedHint,
     CONVKIT_CONV_DOES(swap(model.taps); swap(model.kernel))},

    {"same_padding_before", "conv2d_same_forward",
     "When the total padding is odd, the extra row or "
     "column is put before the image; TensorFlow puts it after.",
     "before = total / 2, after = total - before.", extra_before},
    {"same_padding_symmetric", "conv2d_same_forward",
     "The padding is dilation * (k - 1) / 2 on both "
     "sides whatever the stride; \"same\" padding depends on size and stride.",
     "The output has ceil(size / stride) elements; pad as much as the last window needs.",
     symmetric_padding},
    {"valid_instead_of_same", "conv2d_same_forward",
     "The convolution is computed without padding "
     "(\"valid\") where \"same\" padding is asked for.",
     "Compute the padding with same_padding and start the first window at -before.",
     CONVKIT_CONV_DOES(model.pad = {})},
    {"valid_instead_of_same", "conv2d_same_forward",
     "The convolution is computed without padding "
     "(\"valid\") where \"same\" padding is asked for.",
     "The output has ceil(h / stride_h) rows and ceil(w / stride_w) columns.", valid_output},

    // Not for conv2d_same_forward, where the same output is called "valid".
    {"pad_ignored", "conv2d_[!s]*", kPadIgnored, kPadHint, CONVKIT_CONV_DOES(model.pad = {})},
    {"pad_ignored", "conv2d*", kPadIgnored, kPadHint,
     CONVKIT_CONV_DOES(model.pad = {}; model.outside = ConvModel::Outside::memory)},
    {"padding_from_memory", "conv2d*",
     "The padding is not zero: where the window leaves x, "
     "neighbouring rows or channels are read instead.",
     "Skip a product when its row or column lies outside of x: test both before reading.",
     CONVKIT_CONV_DOES(model.outside = ConvModel::Outside::memory)},

    {"padding_repeats_edge", "conv2d*",
     "The padding is not zero: outside of x its nearest element is read again.",
     "Skip a product when its row or column lies outside of x; do not clamp them.",
     CONVKIT_CONV_DOES(model.outside = ConvModel::Outside::edge)},

    {"stride_on_input_only", "conv2d*", kStrideOnInputOnly, kStrideOnInputOnlyHint, wide_output},
    {"stride_on_input_only", "conv2d*", kStrideOnInputOnly, kStrideOnInputOnlyHint,
     wide_output_and_loops},
    {"stride_on_output", "conv2d*",
     "The stride is applied to the output: y[i * stride_h][j * "
     "stride_w] is written.",
     "An output index counts outputs: the stride belongs into the input index only.",
     spread_output},
    {"stride_ignored", "conv2d*",
     "The stride is ignored: neighbouring outputs use windows that are 1 apart.",
     "The input row is i * stride_h - pad_h + p * dilation_h.",
     CONVKIT_CONV_DOES(model.stride = (Pair{1, 1}))},
    {"stride_on_padding", "conv2d*",
     "The padding is multiplied by the stride: the window starts at "
     "(i - pad_h) * stride_h.",
     "The input row is i * stride_h - pad_h + p * dilation_h.",
     CONVKIT_CONV_DOES(model.pad.h *= model.stride.h; model.pad.w *= model.stride.w)},
    {"dilation_ignored", "conv2d*",
     "The dilation is ignored: neighbouring kernel elements use "
     "neighbouring elements of x.",
     "The input row is i * stride_h - pad_h + p * dilation_h.",
     CONVKIT_CONV_DOES(model.dilation = (Pair{1, 1}))},

    {"dilation_as_gap", "conv2d*",
     "The dilation is taken for the number of elements left out: "
     "the window is spread by dilation + 1.",
     "A dilation of 1 is an ordinary window: kernel row p lies p * dilation_h rows below kernel "
     "row 0.",
     CONVKIT_CONV_DOES(++model.dilation.h; ++model.dilation.w)},

    {"bias_per_element", "conv2d*", kBiasPerElement, kBiasPerElementHint,
     CONVKIT_CONV_DOES(model.bias = ConvModel::Bias::every_product)},
    {"bias_per_element", "conv2d*", kBiasPerElement, kBiasPerElementHint,
     CONVKIT_CONV_DOES(model.bias = ConvModel::Bias::every_read)},
    {"bias_per_element", "conv2d*",
     "The bias is added inside the sum: b[m] is added for every "
     "channel instead of once.",
     kBiasPerElementHint, CONVKIT_CONV_DOES(model.bias = ConvModel::Bias::every_channel)},
    {"missing_bias", "conv2d*", "The bias is missing: every output is too small by b[m].",
     "Add b[m] once to every output of feature map m.",
     CONVKIT_CONV_DOES(model.bias = ConvModel::Bias::none)},
    {"wrong_bias_index", "conv2d*", "Every feature map uses b[0] instead of its own bias b[m].",
     "There is one bias for each output feature map.",
     CONVKIT_CONV_DOES(model.bias = ConvModel::Bias::of_map_0)},
    {"wrong_bias_index", "conv2d*",
     "Every feature map uses b[c-1]: the bias is indexed by the channel instead of the map.",
     "There is one bias for each output feature map.",
     CONVKIT_CONV_DOES(model.bias = ConvModel::Bias::of_last_channel)},
    {"sum_not_reset", "conv2d*",
     "The sum is not reset: every output of a map also holds the products of those before it.",
     kResetHint, CONVKIT_CONV_DOES(model.reset = ConvModel::Reset::every_map), kLongSums},
    {"sum_not_reset", "conv2d*",
     "The sum is not reset: every output of a row also holds the products of those before it.",
     kResetHint, CONVKIT_CONV_DOES(model.reset = ConvModel::Reset::every_row), kLongSums},

    {"channels_wrong_place", "conv2d*",
     "Only the last input channel counts: each channel overwrites "
     "the sum of those before it.",
     kChannelsHint, CONVKIT_CONV_DOES(model.channels = ConvModel::Channels::only_last)},
    {"channels_wrong_place", "conv2d*",
     "Only the first input channel counts: the sum over the "
     "channels ends too early.",
     kChannelsHint, CONVKIT_CONV_DOES(model.channels = ConvModel::Channels::only_first)},
    {"channels_wrong_place", "conv2d*",
     "Every channel reads channel 0 of x: the channel is missing in the index.",
     "x[n][c][h][w] lies at ((n * c_total + c) * h_total + h) * w_total + w.",
     CONVKIT_CONV_DOES(model.layout = ConvModel::Layout::same_for_every_c)},
    {"channels_wrong_place", "conv2d*",
     "Every channel uses the weights of channel 0: the channel is "
     "missing in the index.",
     "w[m][c][i][j] lies at ((m * c_total + c) * kh + i) * kw + j.",
     CONVKIT_CONV_DOES(model.weights = ConvModel::Weights::same_for_every_c)},
    {"same_filter", "conv2d*",
     "Every feature map uses the weights of map 0: the map is missing in the index.",
     "w[m][c][i][j] lies at ((m * c_total + c) * kh + i) * kw + j.",
     CONVKIT_CONV_DOES(model.weights = ConvModel::Weights::same_for_every_m)},
    {"maps_overwrite", "conv2d*",
     "The maps overwrite one another: the map is missing in the index of y.", kMapsHint,
     CONVKIT_CONV_DOES(model.maps_overwrite = true)},
    {"filters_transposed", "conv2d*",
     "Filters and channels are exchanged: w is read as [c][m][kh][kw] "
     "instead of [m][c][kh][kw].",
     "w[m][c][i][j] lies at ((m * c_total + c) * kh + i) * kw + j.",
     CONVKIT_CONV_DOES(model.weights = ConvModel::Weights::c_m_kh_kw)},
    {"nhwc_as_nchw", "conv2d*", "x is read as [n][h][w][c]; it is stored as [n][c][h][w].",
     "x[n][c][h][w] lies at ((n * c_total + c) * h_total + h) * w_total + w.",
     CONVKIT_CONV_DOES(model.layout = ConvModel::Layout::nhwc)},
    {"only_first_image", "conv2d*", "Every image of the mini-batch reads image 0 of x.",
     "x[n][c][h][w] lies at ((n * c_total + c) * h_total + h) * w_total + w.",
     CONVKIT_CONV_DOES(model.layout = ConvModel::Layout::same_for_every_n)},

    {"off_by_one_border", "conv2d*", kBorder, kBorderHint,
     CONVKIT_CONV_DOES(--model.loop.h; --model.loop.w), 1, 0, false, kBorderHintOfKernels},
    {"off_by_one_border", "conv2d*", kBorder, kBorderHint,
     CONVKIT_CONV_DOES(--model.loop.h; --model.loop.w; model.elsewhere = 0), 1, 0, false,
     kBorderHintOfKernels},
    {"off_by_one_border", "conv2d*", kBorder, kBorderHint, CONVKIT_CONV_DOES(--model.loop.h), 1, 0,
     false, kBorderHintOfKernels},
    {"off_by_one_border", "conv2d*", kBorder, kBorderHint,
     CONVKIT_CONV_DOES(--model.loop.h; model.elsewhere = 0), 1, 0, false, kBorderHintOfKernels},
    {"off_by_one_border", "conv2d*", kBorder, kBorderHint, CONVKIT_CONV_DOES(--model.loop.w), 1, 0,
     false, kBorderHintOfKernels},
    {"off_by_one_border", "conv2d*", kBorder, kBorderHint,
     CONVKIT_CONV_DOES(--model.loop.w; model.elsewhere = 0), 1, 0, false, kBorderHintOfKernels},
    {"off_by_one_taps", "conv2d*", kTaps, kTapsHint,
     CONVKIT_CONV_DOES(model.taps_unread = (Pair{1, 1}))},
    {"off_by_one_taps", "conv2d*", kTaps, kTapsHint,
     CONVKIT_CONV_DOES(model.taps_unread = (Pair{1, 0}))},
    {"off_by_one_taps", "conv2d*", kTaps, kTapsHint,
     CONVKIT_CONV_DOES(model.taps_unread = (Pair{0, 1}))},
    {"off_by_one_edge", "conv2d*", kEdge, kEdgeHint,
     CONVKIT_CONV_DOES(model.first_read = (Pair{1, 1}))},
    {"off_by_one_edge", "conv2d*", kEdge, kEdgeHint,
     CONVKIT_CONV_DOES(model.last_unread = (Pair{1, 1}))},
};

const RegisterMistakes kConvMistakesRegistered(kConvMistakes);

// A correct program, for the formats that inputs may have been rounded to.
Prediction correct_convolution(const Evidence& evidence) {
  return ConvModel(evidence).predict();
}
const ProductSum kConvolutions[] = {{"conv2d*", correct_convolution}};
const RegisterProductSums kConvolutionsRegistered(kConvolutions);

}  // namespace
}  // namespace convkit::stage_01
