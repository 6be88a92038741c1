// SPDX-License-Identifier: MIT
// An output seen as images, channels, rows and columns, with the state of each element.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compare/diagnose.h"
#include "compare/judge.h"

namespace convkit {

struct Cell {
  int64_t image, channel, row, column;
};

// Holds a reference to the evidence, which must outlive it. One byte of memory an element.
class Field {
 public:
  explicit Field(const Evidence& evidence);

  // Extents. A tensor [n][f] has f channels of one element, a tensor [k] one row of k columns.
  int64_t images() const { return extent_[0]; }
  int64_t channels() const { return extent_[1]; }
  int64_t rows() const { return extent_[2]; }
  int64_t columns() const { return extent_[3]; }
  int64_t size() const { return int64_t(states_.size()); }

  int64_t index(const Cell& cell) const;  // in memory order
  Cell cell(int64_t index) const;

  ElementState state(int64_t index) const { return states_[size_t(index)]; }
  ElementState state(const Cell& at) const { return state(index(at)); }
  bool bad(int64_t index) const { return state(index) != ElementState::right; }
  double got(int64_t index) const;
  double expected(int64_t index) const;
  double allowed(int64_t index) const;
  bool is_int() const { return !evidence_.got.i32.empty(); }

  // Whether windows of this op can reach outside of the image.
  bool is_padded() const;

  // "y[0,0,61,0]": the tensor's own dimensions.
  std::string name(int64_t index) const;
  // "expected 0.41270, got 0.00000", or "expected cudaSuccess, got 77" where values have names.
  std::string expected_and_got(int64_t index) const;
  const Evidence& evidence() const { return evidence_; }

 private:
  const Evidence& evidence_;
  std::array<int64_t, 4> extent_;
  std::array<int64_t, 4> step_;  // in memory, of image, channel, row, column
  std::vector<ElementState> states_;
  bool exact_;
  double scale_ = 0, floor_ = 0;
};

}  // namespace convkit
