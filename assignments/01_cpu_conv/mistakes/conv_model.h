// SPDX-License-Identifier: MIT
// One convolution loop with a switch for every known mistake.
#pragma once

#include <cstdint>

#include "case_reader.h"

namespace convkit::stage_01 {

// A pair along the two axes of an image.
// A model of an implementation. Constructed from a case it is correct; a model of a mistake changes
// one thing and asks for the prediction. The evidence must outlive it.
struct ConvModel {
  explicit ConvModel(const Evidence& evidence);

  // Sizes of the case.
  int64_t n, c, m;
  Pair image, kernel, output;

  // The place of the window: row = output row * stride - pad + i * dilation.
  Pair pad, stride, dilation;

  enum class Outside {
    zero,    // positions outside the image are skipped
    memory,  // whatever lies at that offset of x is read
    edge,    // the nearest element inside is read
  } outside = Outside::zero;
  Pair first_read = {0, 0};   // rows and columns of x before these are skipped
  Pair last_unread = {0, 0};  // so many last rows and columns of x are skipped

  // Which weight meets which position.
  bool flipped_h = false, flipped_w = false;
  Pair taps_unread = {0, 0};  // so many last rows and columns of the kernel are not used
  Pair taps;                  // extents of the kernel loops
  enum class Weights {
    m_c_kh_kw,
    m_c_kw_kh,         // the kernel read transposed
    c_m_kh_kw,         // filters and channels exchanged
    same_for_every_c,  // the offset of the channel is missing
    same_for_every_m,  // the offset of the filter is missing
  } weights = Weights::m_c_kh_kw;

  enum class Layout {
    nchw,
    nhwc,
    ncwh,              // rows and columns exchanged
    rows_of_h,         // rows are taken to be h elements long
    same_for_every_c,  // the offset of the channel is missing
    same_for_every_n,  // the offset of the image is missing
  } layout = Layout::nchw;

  enum class Channels { all, only_first, only_last } channels = Channels::all;

  enum class Bias {
    once,
    none,
    every_product,  // also those with the padding
    every_read,     // only products with an element of x
    every_channel,
    of_map_0,
    of_last_channel,  // b[c-1] instead of b[m]
  } bias = Bias::once;

  // Where results are stored: the loops' extents and the layout of y they assume.
  Pair loop;                    // rows and columns computed
  Pair y_extent;                // height and width of an output plane in the index
  Pair y_step = {1, 1};         // the factor of the output row and column in the index
  bool maps_overwrite = false;  // the offset of the map is missing
  // The sum goes on from one output of a map, or of a row of it, to the next.
  enum class Reset { every_output, every_row, every_map } reset = Reset::every_output;
  double elsewhere;  // the value of outputs that nothing is stored to

  // Empty if the case is not a convolution or is too large, if no output is stored or all of them
  // are only the bias (many mistakes give that), or if a sample of the outputs already rules out
  // the mistake.
  Prediction predict() const;

 private:
  double read(int64_t image_index, int64_t channel, int64_t row, int64_t column) const;
  double weight(int64_t filter, int64_t channel, int64_t i, int64_t j) const;
  double result(int64_t image_index, int64_t filter, int64_t row, int64_t column) const;

  int64_t index_in_y(int64_t image_index, int64_t filter, int64_t row, int64_t column) const;
  bool possible() const;
  bool holds_bias_alone(const std::vector<double>& y) const;

  const Evidence& evidence_;
  std::span<const float> x_, w_, b_;
  int64_t elements_;
};

// The padding before an axis that TensorFlow's "same" asks for, and after it.
struct SamePadding {
  int64_t before, after;
};
SamePadding same_padding_of(int64_t size, int64_t kernel, int64_t stride, int64_t dilation);

}  // namespace convkit::stage_01
