// SPDX-License-Identifier: MIT
// Poolings of one plane of floats: a row of results at a time.
#pragma once

#include <vector>

#include "cpu_device/dnn/descriptors.h"

namespace convkit::simt::dnn {

// A plane of a tensor: depth, height and width, the depth of a picture being 1.
struct Plane {
  static constexpr int kAxes = 3;
  int size[kAxes] = {1, 1, 1};
  int64_t step[kAxes] = {};

  int64_t place(int d, int h) const { return d * step[0] + h * step[1]; }
};

Plane plane_of(const cudnnTensorStruct& tensor);

class PlanePooling {
 public:
  PlanePooling(const cudnnPoolingStruct& pooling, const Plane& x, const Plane& y);

  // visit(d, h, values): a row of results, which lie together.
  template <class Visit>
  void forward(const float* x, const Visit& visit) {
    for_each_row([&](int d, int h) {
      pool_row(x, d, h);
      visit(d, h, values_.data());
    });
  }

  // dx of a plane, whose elements lie together: overlapping windows add to one.
  const std::vector<float>& backward(const float* x, const float* dy, const Plane& dy_plane) {
    sums_.assign(sums_.size(), 0.0f);
    for_each_row(
        [&](int d, int h) { spread_row(x, d, h, dy + dy_plane.place(d, h), dy_plane.step[2]); });
    return sums_;
  }

 private:
  // Positions of x under the window of a result.
  struct Range {
    int begin, end;
    int count() const { return end - begin; }
  };
  // Results to which one column of the window lends an element: begin <= w < end.
  struct Column {
    int offset, begin, end;
  };

  template <class Visit>
  void for_each_row(const Visit& visit) {
    for (int d = 0; d < y_.size[0]; ++d) {
      for (int h = 0; h < y_.size[1]; ++h) visit(d, h);
    }
  }
  // Calls visit(row of x, its first place in a plane without gaps, column) in the window's order.
  template <class Visit>
  void for_each_column(int d, int h, const Visit& visit) const;
  Range range(int axis, int at) const;
  bool is_maximum() const;
  // The divisors of the averages of a row.
  float divisor(int d, int h, int w) const;
  void choose_row(const float* x, int d, int h);
  void pool_row(const float* x, int d, int h);
  void spread_row(const float* x, int d, int h, const float* dy, int64_t step);

  cudnnPoolingStruct pooling_;
  Plane x_, y_;
  int window_[Plane::kAxes], pad_[Plane::kAxes], stride_[Plane::kAxes];
  std::vector<Column> columns_;
  std::vector<float> values_;  // of a row of results
  std::vector<int> chosen_;    // the maxima's places in a plane without gaps; -1: none yet
  std::vector<float> sums_;
};

}  // namespace convkit::simt::dnn
