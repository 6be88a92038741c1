// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/unrolled.h"

#include <algorithm>

namespace convkit::simt::dnn {
namespace {

int divide_up(int a, int b) {
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

// One row of results and what one column of the window sees for it: input elements from `in` on,
// for the results begin <= w < end; the others lie in the padding, all of them where `inside` is
// false.
struct Segment {
  bool inside;
  int in[kSpace];
  int begin, end;
};

Segment segment_of(const Convolution& conv, const int (&element)[kSpace], int depth, int height) {
  const auto offset = [&](int axis) {
    return element[axis] * conv.dilation[axis] - conv.pad[axis];
  };
  Segment segment{
      true, {depth * conv.stride[0] + offset(0), height * conv.stride[1] + offset(1), 0}, 0, 0};
  const auto is_inside = [&](int axis) {
    return segment.in[axis] >= 0 && segment.in[axis] < conv.in[axis];
  };
  const int first = offset(2), stride = conv.stride[2], out = conv.out[2];
  segment.begin = std::clamp(divide_up(-first, stride), 0, out);
  segment.end = std::clamp(divide_up(conv.in[2] - first, stride), segment.begin, out);
  segment.in[2] = segment.begin * stride + first;
  segment.inside = is_inside(0) && is_inside(1) && segment.begin < segment.end;
  return segment;
}

// visit(channel, segment, place in the matrix) for each row of results in each row of the matrix.
template <class Visit>
void for_each_segment(const Convolution& conv, const ResultRows& rows, const Visit& visit) {
  int64_t place = 0;
  for (int c = 0; c < conv.channels; ++c) {
    for (int i = 0; i < conv.window[0]; ++i) {
      for (int j = 0; j < conv.window[1]; ++j) {
        for (int k = 0; k < conv.window[2]; ++k) {
          for (int row = rows.begin; row < rows.end; ++row, place += conv.out[2]) {
            visit(c, segment_of(conv, {i, j, k}, row / conv.out[1], row % conv.out[1]), place);
          }
        }
      }
    }
  }
}

// visit(row of y, place in results) for each filter and row.
template <class Visit>
void for_each_result_row(const Convolution& conv, const ResultRows& rows, const Visit& visit) {
  int64_t place = 0;
  for (int f = 0; f < conv.filters; ++f) {
    const int64_t plane =
        rows.image * conv.y.outer + (int64_t{rows.group} * conv.filters + f) * conv.y.channel;
    for (int row = rows.begin; row < rows.end; ++row, place += conv.out[2]) {
      visit(plane + row / conv.out[1] * conv.y.space[0] + row % conv.out[1] * conv.y.space[1],
            place);
    }
  }
}

// visit(element of w, place in filters), mirrored where the convolution is.
template <class Visit>
void for_each_weight(const Convolution& conv, int group, const Visit& visit) {
  int64_t place = 0;
  for (int f = 0; f < conv.filters; ++f) {
    for (int c = 0; c < conv.channels; ++c) {
      const int64_t window =
          (int64_t{group} * conv.filters + f) * conv.w.outer + c * conv.w.channel;
      for (int i = 0; i < conv.window[0]; ++i) {
        for (int j = 0; j < conv.window[1]; ++j) {
          for (int k = 0; k < conv.window[2]; ++k) {
            const int element[kSpace] = {i, j, k};
            int64_t at = window;
            for (int axis = 0; axis < kSpace; ++axis) {
              const int mirrored = conv.window[axis] - 1 - element[axis];
              at += (conv.flipped ? mirrored : element[axis]) * conv.w.space[axis];
            }
            visit(at, place++);
          }
        }
      }
    }
  }
}

}  // namespace

void Unrolled::take(const float* x, const ResultRows& rows, float* matrix) const {
  const float* image =
      x + rows.image * conv_.x.outer + int64_t{rows.group} * conv_.channels * conv_.x.channel;
  const int64_t step = conv_.stride[2] * conv_.x.space[2];
  for_each_segment(conv_, rows, [&](int c, const Segment& segment, int64_t place) {
    float* to = matrix + place;
    if (!segment.inside) {
      std::fill_n(to, conv_.out[2], 0.0f);
      return;
    }
    const float* from = image + c * conv_.x.channel + segment.in[0] * conv_.x.space[0] +
                        segment.in[1] * conv_.x.space[1] + segment.in[2] * conv_.x.space[2];
    std::fill_n(to, segment.begin, 0.0f);
    const int count = segment.end - segment.begin;
    if (step == 1) {
      std::copy_n(from, count, to + segment.begin);
    } else {
      for (int i = 0; i < count; ++i) to[segment.begin + i] = from[i * step];
    }
    std::fill(to + segment.end, to + conv_.out[2], 0.0f);
  });
}

void Unrolled::fold(const float* matrix, const ResultRows& rows, float* planes) const {
  const int stride = conv_.stride[2];
  for_each_segment(conv_, rows, [&](int c, const Segment& segment, int64_t place) {
    if (!segment.inside) return;
    const int64_t row = (int64_t{c} * conv_.in[0] + segment.in[0]) * conv_.in[1] + segment.in[1];
    float* to = planes + row * conv_.in[2] + segment.in[2];
    const float* from = matrix + place + segment.begin;
    const int count = segment.end - segment.begin;
    if (stride == 1) {
      for (int i = 0; i < count; ++i) to[i] += from[i];
    } else {
      for (int i = 0; i < count; ++i) to[i * stride] += from[i];
    }
  });
}

void Unrolled::take_results(const float* y, const ResultRows& rows, float* results) const {
  const int64_t step = conv_.y.space[2];
  for_each_result_row(conv_, rows, [&](int64_t row, int64_t place) {
    for (int i = 0; i < conv_.out[2]; ++i) results[place + i] = y[row + i * step];
  });
}

void Unrolled::give_results(const float* results, const ResultRows& rows, Factors factors,
                            float* y) const {
  const int64_t step = conv_.y.space[2];
  for_each_result_row(conv_, rows, [&](int64_t row, int64_t place) {
    for (int i = 0; i < conv_.out[2]; ++i) {
      blend(factors.alpha, results[place + i], factors.beta, y[row + i * step]);
    }
  });
}

void Unrolled::take_filters(const float* w, int group, float* filters) const {
  for_each_weight(conv_, group, [&](int64_t at, int64_t place) { filters[place] = w[at]; });
}

void Unrolled::give_filters(const float* filters, int group, Factors factors, float* w) const {
  for_each_weight(conv_, group, [&](int64_t at, int64_t place) {
    blend(factors.alpha, filters[place], factors.beta, w[at]);
  });
}

}  // namespace convkit::simt::dnn
