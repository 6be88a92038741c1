// SPDX-License-Identifier: MIT
// A wrong output that came from a grid of threads. Such mistakes mostly compute the right value and
// put it at the wrong place or nowhere, so predictions are made by moving the expected values.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/diagnose.h"
#include "compare/judge.h"

namespace convkit::stage_02 {

using Prediction = std::optional<std::vector<double>>;

// Threads along one axis of a block, as students choose them.
inline constexpr int64_t kBlockSizes[] = {4, 8, 16, 32, 64, 128, 256, 512, 1024};

inline int64_t blocks_for(int64_t count, int64_t block) {
  return (count + block - 1) / block;
}

// The expected output as [images][maps][rows][cols]; a matrix is one map, a vector one row of it.
class ExpectedOutput {
 public:
  explicit ExpectedOutput(const Evidence& evidence)
      : values(evidence.reference.f64), got_(evidence.got.f32) {
    const std::vector<int64_t>& dims = evidence.reference.dims;
    int64_t* const extents[] = {&images, &maps, &rows, &cols};
    if (dims.size() > 4) return;
    for (size_t i = 0; i < dims.size(); ++i) *extents[4 - dims.size() + i] = dims[i];
    usable = !values.empty() && got_.size() == values.size() &&
             images * maps * rows * cols == int64_t(values.size());
    zeros_are_stored_ = std::ranges::any_of(got_, [](float value) { return std::isnan(value); });
  }

  int64_t index(int64_t n, int64_t m, int64_t i, int64_t j) const {
    return ((n * maps + m) * rows + i) * cols + j;
  }

  // Whether a thread seems to have stored something there. If none did, the earlier content is
  // still there: the sentinel, or, in memory that the submission allocated, NaN (on the CPU device)
  // or, where no NaN is, zeros (often, on a GPU).
  bool written(size_t at) const {
    const float value = got_[at];
    return !std::isnan(value) && (value != 0 || zeros_are_stored_);
  }

  // Right where `covered` says so for (n, m, i, j), and elsewhere not written.
  template <class Covered>
  std::vector<double> where(Covered covered) const {
    std::vector<double> y(values.size());
    for (int64_t n = 0; n < images; ++n) {
      for (int64_t m = 0; m < maps; ++m) {
        for (int64_t i = 0; i < rows; ++i) {
          for (int64_t j = 0; j < cols; ++j) {
            const auto at = size_t(index(n, m, i, j));
            y[at] = covered(n, m, i, j) ? values[at] : unwritten_like(got_[at]);
          }
        }
      }
    }
    return y;
  }

  std::span<const double> values;
  int64_t images = 1, maps = 1, rows = 1, cols = 1;
  bool usable = false;

 private:
  static double unwritten_like(float got) {
    if (is_unwritten(std::bit_cast<uint32_t>(got))) return predicted_unwritten();
    return std::isnan(got) ? std::numeric_limits<double>::quiet_NaN() : 0;
  }

  std::span<const float> got_;
  bool zeros_are_stored_ = false;
};

// How many rows and columns, from the first one on, hold anything that was written.
struct WrittenCorner {
  explicit WrittenCorner(const ExpectedOutput& expected) {
    if (!expected.usable) return;
    for (size_t at = 0; at < expected.values.size(); ++at) {
      if (!expected.written(at)) continue;
      const auto j = int64_t(at) % expected.cols, i = int64_t(at) / expected.cols % expected.rows;
      rows = std::max(rows, i + 1);
      cols = std::max(cols, j + 1);
    }
  }
  int64_t rows = 0, cols = 0;
};

// Empty if the case has no such input.
inline std::span<const float> input(const Evidence& evidence, const char* name) {
  for (const CaseTensor& tensor : evidence.inputs) {
    if (tensor.name == name) return tensor.f32;
  }
  return {};
}

// A parameter of the case; 0 where the case has none of that name.
inline int64_t parameter(const Evidence& evidence, const char* name) {
  const auto found = evidence.params.find(name);
  return found == evidence.params.end() ? 0 : int64_t(found->second);
}

}  // namespace convkit::stage_02
