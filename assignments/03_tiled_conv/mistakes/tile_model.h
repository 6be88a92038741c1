// SPDX-License-Identifier: MIT
// A failed convolution, ready to be held against mistakes that depend on the size of a tile. Nobody
// tells the grader that size: the usual ones are tried.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compare/closeness.h"
#include "compare/diagnose.h"

namespace convkit::stage_03 {

using Prediction = std::optional<std::vector<double>>;

struct Pair {
  int64_t h, w;
};

// An element of the output.
struct Place {
  int64_t n, m, i, j;
};

// The evidence must outlive it.
class TileModel {
 public:
  explicit TileModel(const Evidence& evidence);

  // Whether this is a complete convolution, and small enough to be computed a few times.
  bool usable() const { return usable_; }

  int64_t n, c, m;
  Pair image, kernel, output;
  Pair pad, stride, dilation;

  double x(int64_t image_index, int64_t channel, int64_t row, int64_t column) const;  // 0 outside
  double bias(int64_t map) const { return b_[size_t(map)]; }
  // Of a map's filter [c][kh][kw]; 0 behind its end.
  double weight(int64_t map, int64_t element) const {
    const int64_t filter = c * kernel.h * kernel.w;
    return element < filter ? double(w_[size_t(map * filter + element)]) : 0;
  }
  double reference(const Place& at) const { return evidence_.reference.f64[index(at)]; }
  // Whether there is an output to hold against; the tests of the models ask for predictions alone.
  bool has_output() const { return !evidence_.got.f32.empty(); }
  double got(const Place& at) const { return double(evidence_.got.f32[index(at)]); }
  bool unwritten(const Place& at) const;
  bool wrong(const Place& at) const;

  // Rows and columns of x that a tile of outputs reads.
  Pair input_of(Pair tile) const {
    return {(tile.h - 1) * stride.h + (kernel.h - 1) * dilation.h + 1,
            (tile.w - 1) * stride.w + (kernel.w - 1) * dilation.w + 1};
  }

  // b[m] + the sum of w * element(c, p, q).
  template <class Element>
  double sum(const Place& at, Element element) const {
    double result = b_[size_t(at.m)];
    const float* weight = w_.data() + at.m * c * kernel.h * kernel.w;
    for (int64_t channel = 0; channel < c; ++channel) {
      for (int64_t p = 0; p < kernel.h; ++p) {
        for (int64_t q = 0; q < kernel.w; ++q) result += *weight++ * element(channel, p, q);
      }
    }
    return result;
  }

  // value(place) for every output. Stops and returns nothing at the first output that differs from
  // the program's, so that trying a wrong tile costs little.
  template <class Value>
  Prediction predict(Value value) const {
    std::vector<double> y(evidence_.reference.f64.size());
    for (size_t k = 0; k < y.size(); ++k) {
      const Place at = place(int64_t(k));
      y[k] = value(at);
      if (has_output() && !fits(at, y[k])) return std::nullopt;
    }
    return y;
  }

  // attempt(tile) for the first size that gives a prediction. Only sizes that divide the output
  // into more than one tile are tried.
  template <class Attempt>
  Prediction any_tile(Attempt attempt) const {
    if (!usable_) return std::nullopt;
    for (const int64_t tile_h : sizes(kernel.h)) {
      for (const int64_t tile_w : sizes(kernel.w)) {
        if (tile_h >= output.h && tile_w >= output.w) continue;
        if (auto y = attempt(Pair{tile_h, tile_w})) return y;
      }
    }
    return std::nullopt;
  }

 private:
  size_t index(const Place& at) const {
    return size_t(((at.n * m + at.m) * output.h + at.i) * output.w + at.j);
  }
  Place place(int64_t index) const;
  bool fits(const Place& at, double predicted) const;
  static std::vector<int64_t> sizes(int64_t kernel);

  const Evidence& evidence_;
  std::span<const float> x_, w_, b_;
  Closeness closeness_;
  bool usable_;
};

}  // namespace convkit::stage_03
