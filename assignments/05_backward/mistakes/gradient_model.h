// SPDX-License-Identifier: MIT
// One gradient of a convolution, with a switch for every known mistake: every product of the
// forward pass is walked back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compare/diagnose.h"

namespace convkit::stage_05 {

using Prediction = std::optional<std::vector<double>>;

// Products computed for one prediction at most; larger cases are not modelled.
inline constexpr double kMostWork = 2e7;

// A parameter of the case; 0 where the case has none of that name.
int64_t parameter(const Evidence& evidence, const char* name);
// Empty if the case has no such input.
std::span<const float> input(const Evidence& evidence, const char* name);
// What the output held before the call: input "dw0" of output "dw".
std::span<const float> initial(const Evidence& evidence);

struct Pair {
  int64_t h, w;
};

// Constructed from a case it is correct; a model changes one thing and asks for the prediction. The
// evidence must outlive it.
struct GradientModel {
  explicit GradientModel(const Evidence& evidence);

  int64_t n, c, m;
  Pair image, kernel, output;  // of the case
  Pair pad, stride, dilation;  // where output (i, j) reads: row = i * stride - pad + p * dilation

  enum class Of { x, w, b } of = Of::x;

  // Products whose element of x is in the padding.
  enum class Outside {
    skipped,
    edge,    // the nearest element inside takes part
    memory,  // whatever lies at that offset of the tensor does
  } outside = Outside::skipped;

  enum class Weights {
    as_they_are,  // w[m][c][p][q] where the forward pass used it
    turned,       // w[m][c][kh-1-p][kw-1-q]
    c_m_kh_kw,    // filters and channels exchanged
  } weights = Weights::as_they_are;
  bool gradient_turned = false;  // dy read from its last row and column to its first

  int64_t first_image = 0, last_image = 0;  // the images that count: first <= n < last
  // Behind a tap that is in the padding above or left, no other of its window counts.
  bool ends_above = false, ends_left = false;
  bool skips_last_row = false;   // the last row and column of dy do not count
  bool ignores_initial = false;  // accumulate = 1 is not looked at
  bool maps_outermost = false;   // dy is taken to be [m][n][oh][ow]
  bool by_image = false;         // db[k] sums image k instead of map k
  double divisor = 1;
  // A thread takes so many neighbours of dy in memory, and all of them are taken to lie in the row
  // of the first one.
  int64_t neighbours = 1;
  // Of every so many elements of dy in memory, those at the end that belong to one map are lost.
  int64_t share = 0;
  // Of the kernel, from its first row and column on: the others do not count.
  Pair taps = kernel;

  // Empty if the case is not a gradient or is too large, or if the mistake reads outside of it.
  Prediction predict() const;

 private:
  std::optional<std::vector<double>> walk() const;
  double bias_sum(int64_t map) const;
  bool is_lost(int64_t at) const;
  std::optional<int64_t> place_in_x(int64_t image_index, int64_t channel, int64_t row,
                                    int64_t column) const;
  int64_t place_in_w(int64_t map, int64_t channel, int64_t p, int64_t q) const;
  int64_t place_in_y(int64_t image_index, int64_t map, int64_t i, int64_t j) const;

  std::span<const float> x_, w_, dy_, initial_;
  int64_t elements_;
};

}  // namespace convkit::stage_05
