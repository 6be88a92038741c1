// SPDX-License-Identifier: MIT
// One loop over the elements of the unrolled matrix, with a switch for every known mistake. Unroll
// copies along it, roll adds along it in the other direction.
#pragma once

#include <utility>

#include "matrix_case.h"

namespace convkit::stage_04 {

struct Pair {
  int64_t h, w;
};

// Constructed from a case it does what it should; a model changes one thing.
struct UnrollModel {
  explicit UnrollModel(const Evidence& evidence);

  int64_t n, c;
  Pair image, kernel, output;
  Pair pad, stride, dilation;

  // Which place of the window a row of u belongs to.
  enum class Rows { channel_first, channel_last, kernel_turned } rows = Rows::channel_first;
  enum class Columns { by_rows, by_columns } columns = Columns::by_rows;
  bool turned = false;           // u is stored [column][row]
  bool flipped = false;          // the kernel's last row and column come first
  bool image_missing = false;    // every matrix is that of the first image
  bool channel_missing = false;  // every channel is the first
  // Of roll: each element of x finds the windows of a tap by dividing by the stride, or the tap of
  // a window (of any, or of those that reach over it) by dividing by the dilation, and the
  // remainder does not count.
  enum class RoundedDown { nothing, windows, taps, taps_of_windows };
  RoundedDown rounded_down = RoundedDown::nothing;

  Prediction unroll(const Evidence& evidence) const;
  Prediction roll(const Evidence& evidence) const;

 private:
  bool fits(size_t u_size, size_t x_size) const;
  int64_t u_index(int64_t at_n, int64_t ch, Pair tap, Pair place) const;
  int64_t x_index(int64_t at_n, int64_t ch, Pair tap, Pair place) const;  // -1 in the padding
  // visit(index in u, index in x)
  template <class Visit>
  void each(Visit visit) const;
};

}  // namespace convkit::stage_04
