// SPDX-License-Identifier: MIT
// The input of a convolution as a matrix: a row for each element of the window in each channel, a
// column for each result. The convolution is then a product of matrices, and so are its gradients.
#pragma once

#include "cpu_device/dnn/convolution.h"

namespace convkit::simt::dnn {

// Some rows of results of one group in one image: begin <= depth * out[1] + height < end.
struct ResultRows {
  int image, group, begin, end;
};

class Unrolled {
 public:
  explicit Unrolled(const Convolution& convolution) : conv_(convolution) {}

  int64_t height() const { return conv_.channels * conv_.window_volume(); }
  int64_t width(const ResultRows& rows) const {
    return int64_t{rows.end - rows.begin} * conv_.out[2];
  }

  // matrix[height][width] = what the windows of these results see of x; padding is 0.
  void take(const float* x, const ResultRows& rows, float* matrix) const;
  // Adds the matrix to planes[channel][in] where it comes from.
  void fold(const float* matrix, const ResultRows& rows, float* planes) const;

  // results[filter][width] from y, and back.
  void take_results(const float* y, const ResultRows& rows, float* results) const;
  void give_results(const float* results, const ResultRows& rows, Factors factors, float* y) const;

  // filters[filter][height] of a group from w, and back.
  void take_filters(const float* w, int group, float* filters) const;
  void give_filters(const float* filters, int group, Factors factors, float* w) const;

 private:
  const Convolution& conv_;
};

}  // namespace convkit::simt::dnn
