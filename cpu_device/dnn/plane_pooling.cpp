// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "cpu_device/dnn/pooling.h"

namespace convkit::simt::dnn {
namespace {

constexpr int kAxes = Plane::kAxes;

int divide_up(int a, int b) {
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

void spread(const int* from, int count, int missing, int (&to)[kAxes]) {
  for (int i = 0; i < kAxes; ++i) to[i] = i < kAxes - count ? missing : from[i - kAxes + count];
}

// Calls run(step) with the distance of two elements of x that follow each other; those of usual
// poolings are known to the compiler.
template <class Run>
void with_step(int64_t step, const Run& run) {
  if (step == 1) {
    run(std::integral_constant<int64_t, 1>{});
  } else if (step == 2) {
    run(std::integral_constant<int64_t, 2>{});
  } else {
    run(step);
  }
}

// Rows of results, and the row of x that lends them an element: its distance, and the place of its
// first element in a plane without gaps, whose elements follow each other `stride` apart.
struct Taken {
  const float* x;
  int place, stride, count;
};

// The result is NaN as long as there is none. Written so that vectors do it.
template <class Step>
void take_larger(const Taken& from, Step step, float* __restrict__ values,
                 int* __restrict__ chosen) {
  const float* x = from.x;
  for (int w = 0; w < from.count; ++w) {
    const float candidate = x[w * step], known = values[w];
    const bool better = (candidate > known) | (known != known);
    values[w] = better ? candidate : known;
    chosen[w] = better ? from.place + w * from.stride : chosen[w];
  }
}

template <class Step>
void take_larger_or_nan(const Taken& from, Step step, float* values, int* chosen) {
  for (int w = 0; w < from.count; ++w) {
    const float candidate = from.x[w * step], known = values[w];
    if (chosen[w] < 0 || (!std::isnan(known) && !(candidate <= known))) {
      values[w] = candidate;
      chosen[w] = from.place + w * from.stride;
    }
  }
}

template <class Step>
void add(const Taken& from, Step step, float* __restrict__ values) {
  const float* x = from.x;
  for (int w = 0; w < from.count; ++w) values[w] += x[w * step];
}

}  // namespace

Plane plane_of(const cudnnTensorStruct& tensor) {
  Plane plane;
  for (int axis = 2; axis < tensor.dims; ++axis) {
    plane.size[axis - tensor.dims + kAxes] = tensor.size[axis];
    plane.step[axis - tensor.dims + kAxes] = tensor.stride[axis];
  }
  return plane;
}

PlanePooling::PlanePooling(const cudnnPoolingStruct& pooling, const Plane& x, const Plane& y)
    : pooling_(pooling), x_(x), y_(y) {
  spread(pooling.window, pooling.dims, 1, window_);
  spread(pooling.pad, pooling.dims, 0, pad_);
  spread(pooling.stride, pooling.dims, 1, stride_);
  for (int i = 0; i < window_[2]; ++i) {
    const int offset = i - pad_[2], stride = stride_[2], out = y.size[2];
    const int begin = std::clamp(divide_up(-offset, stride), 0, out);
    columns_.push_back(
        {offset, begin, std::clamp(divide_up(x.size[2] - offset, stride), begin, out)});
  }
  values_.resize(static_cast<size_t>(y.size[2]));
  chosen_.resize(static_cast<size_t>(y.size[2]));
  sums_.resize(static_cast<size_t>(x.size[0]) * static_cast<size_t>(x.size[1]) *
               static_cast<size_t>(x.size[2]));
}

bool PlanePooling::is_maximum() const {
  return pooling_.mode == CUDNN_POOLING_MAX || pooling_.mode == CUDNN_POOLING_MAX_DETERMINISTIC;
}

PlanePooling::Range PlanePooling::range(int axis, int at) const {
  const int start = at * stride_[axis] - pad_[axis];
  const int begin = std::clamp(start, 0, x_.size[axis]);
  return {begin, std::clamp(start + window_[axis], begin, x_.size[axis])};
}

float PlanePooling::divisor(int d, int h, int w) const {
  if (pooling_.mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING) {
    return static_cast<float>(window_[0] * window_[1] * window_[2]);
  }
  return static_cast<float>(range(0, d).count() * range(1, h).count() * range(2, w).count());
}

template <class Visit>
void PlanePooling::for_each_column(int d, int h, const Visit& visit) const {
  const Range depth = range(0, d), height = range(1, h);
  for (int i = depth.begin; i < depth.end; ++i) {
    for (int j = height.begin; j < height.end; ++j) {
      for (const Column& column : columns_) {
        visit(x_.place(i, j), (i * x_.size[1] + j) * x_.size[2], column);
      }
    }
  }
}

// The maxima of a row and their first places. A NaN is a maximum only if NaN is to be propagated,
// or if there is nothing else.
void PlanePooling::choose_row(const float* x, int d, int h) {
  std::fill(values_.begin(), values_.end(), std::numeric_limits<float>::quiet_NaN());
  std::fill(chosen_.begin(), chosen_.end(), -1);
  const bool hands_on = pooling_.nan == CUDNN_PROPAGATE_NAN;
  with_step(stride_[2] * x_.step[2], [&](auto step) {
    for_each_column(d, h, [&](int64_t row, int packed_row, const Column& column) {
      const int first = column.begin * stride_[2] + column.offset;
      const Taken from{x + row + first * x_.step[2], packed_row + first, stride_[2],
                       column.end - column.begin};
      float* values = values_.data() + column.begin;
      int* chosen = chosen_.data() + column.begin;
      if (hands_on) {
        take_larger_or_nan(from, step, values, chosen);
      } else {
        take_larger(from, step, values, chosen);
      }
    });
  });
}

// Nobody says what a window without an element has: here it is a NaN, which is seen.
void PlanePooling::pool_row(const float* x, int d, int h) {
  if (is_maximum()) {
    choose_row(x, d, h);
    return;
  }
  std::fill(values_.begin(), values_.end(), 0.0f);
  with_step(stride_[2] * x_.step[2], [&](auto step) {
    for_each_column(d, h, [&](int64_t row, int, const Column& column) {
      const int first = column.begin * stride_[2] + column.offset;
      add({x + row + first * x_.step[2], 0, 0, column.end - column.begin}, step,
          values_.data() + column.begin);
    });
  });
  const int covered = range(0, d).count() * range(1, h).count();
  for (int w = 0; w < y_.size[2]; ++w) {
    float& value = values_[static_cast<size_t>(w)];
    value = covered * range(2, w).count() == 0 ? std::numeric_limits<float>::quiet_NaN()
                                               : value / divisor(d, h, w);
  }
}

void PlanePooling::spread_row(const float* x, int d, int h, const float* dy, int64_t step) {
  if (is_maximum()) {
    choose_row(x, d, h);
    for (int w = 0; w < y_.size[2]; ++w) {
      const int place = chosen_[static_cast<size_t>(w)];
      if (place >= 0) sums_[static_cast<size_t>(place)] += dy[w * step];
    }
    return;
  }
  for (int w = 0; w < y_.size[2]; ++w) {
    values_[static_cast<size_t>(w)] = dy[w * step] / divisor(d, h, w);
  }
  for_each_column(d, h, [&](int64_t, int packed_row, const Column& column) {
    for (int w = column.begin; w < column.end; ++w) {
      sums_[static_cast<size_t>(packed_row + w * stride_[2] + column.offset)] +=
          values_[static_cast<size_t>(w)];
    }
  });
}

}  // namespace convkit::simt::dnn
