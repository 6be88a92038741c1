// SPDX-License-Identifier: MIT
// The passes as plain loops. Each takes one element of the filter at a time and goes through the
// rows that it joins: results of a row at once, so that compilers make vectors of them.
#include <algorithm>
#include <vector>

#include "simt/dnn/convolution.h"

namespace convkit::simt::dnn {
namespace {

// Positions `o` of the result, begin <= o < end, for which o * stride + offset lies in the input.
struct Span {
  int begin = 0, end = 0;
};

int divide_up(int a, int b) {
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

Span span_inside(int offset, int stride, int in, int out) {
  Span span;
  span.begin = std::clamp(divide_up(-offset, stride), 0, out);
  span.end = std::clamp(divide_up(in - offset, stride), span.begin, out);
  return span;
}

// The rows of input and result that one element of the window joins: `count` pairs.
struct RowPair {
  int in[kSpace];   // of the first pair
  int out[kSpace];  // likewise
  int count;
};

template <class Visit>
void for_each_row(const Convolution& conv, const int (&element)[kSpace], const Visit& visit) {
  int offset[kSpace];
  Span span[kSpace];
  for (int axis = 0; axis < kSpace; ++axis) {
    offset[axis] = element[axis] * conv.dilation[axis] - conv.pad[axis];
    span[axis] = span_inside(offset[axis], conv.stride[axis], conv.in[axis], conv.out[axis]);
  }
  const int count = span[2].end - span[2].begin;
  if (count <= 0) return;
  const auto in = [&](int axis, int o) { return o * conv.stride[axis] + offset[axis]; };
  for (int d = span[0].begin; d < span[0].end; ++d) {
    for (int h = span[1].begin; h < span[1].end; ++h) {
      visit(RowPair{{in(0, d), in(1, h), in(2, span[2].begin)}, {d, h, span[2].begin}, count});
    }
  }
}

int64_t at(const Distances& distances, const int (&position)[kSpace]) {
  return position[0] * distances.space[0] + position[1] * distances.space[1] +
         position[2] * distances.space[2];
}

// Calls visit(element, place of the filter's value) for each element of the window.
template <class Visit>
void for_each_element(const Convolution& conv, const Visit& visit) {
  for (int d = 0; d < conv.window[0]; ++d) {
    for (int h = 0; h < conv.window[1]; ++h) {
      for (int w = 0; w < conv.window[2]; ++w) {
        const int element[kSpace] = {d, h, w};
        const int mirrored[kSpace] = {conv.window[0] - 1 - d, conv.window[1] - 1 - h,
                                      conv.window[2] - 1 - w};
        visit(element, at(conv.w, conv.flipped ? mirrored : element));
      }
    }
  }
}

void add_row(float factor, const float* from, int64_t from_step, float* to, int64_t to_step,
             int count) {
  if (from_step == 1 && to_step == 1) {
    for (int i = 0; i < count; ++i) to[i] += factor * from[i];
  } else {
    for (int i = 0; i < count; ++i) to[i * to_step] += factor * from[i * from_step];
  }
}

float row_product(const float* a, int64_t a_step, const float* b, int64_t b_step, int count) {
  constexpr int kLanes = 8;
  float lane[kLanes] = {};
  int i = 0;
  if (a_step == 1 && b_step == 1) {
    for (; i + kLanes <= count; i += kLanes) {
      for (int j = 0; j < kLanes; ++j) lane[j] += a[i + j] * b[i + j];
    }
  }
  for (; i < count; ++i) lane[0] += a[i * a_step] * b[i * b_step];
  float sum = 0;
  for (const float part : lane) sum += part;
  return sum;
}

// A plane of sums becomes a plane of the result.
void put(const std::vector<float>& sums, const int (&size)[kSpace], Factors factors,
         const Distances& distances, float* result) {
  const float* sum = sums.data();
  for (int d = 0; d < size[0]; ++d) {
    for (int h = 0; h < size[1]; ++h) {
      float* row = result + d * distances.space[0] + h * distances.space[1];
      for (int w = 0; w < size[2]; ++w) {
        blend(factors.alpha, *sum++, factors.beta, row[w * distances.space[2]]);
      }
    }
  }
}

void convolve(const Convolution& conv, Factors factors, const float* x, const float* w, float* y) {
  std::vector<float> sums(static_cast<size_t>(conv.out_volume()));
  const int64_t step = conv.stride[2] * conv.x.space[2];
  for (int n = 0; n < conv.images; ++n) {
    for (int k = 0; k < conv.groups * conv.filters; ++k) {
      std::fill(sums.begin(), sums.end(), 0.0f);
      const int first_channel = k / conv.filters * conv.channels;
      for (int c = 0; c < conv.channels; ++c) {
        const float* plane = x + n * conv.x.outer + (first_channel + c) * conv.x.channel;
        const float* window = w + k * conv.w.outer + c * conv.w.channel;
        for_each_element(conv, [&](const int(&element)[kSpace], int64_t place) {
          for_each_row(conv, element, [&](const RowPair& row) {
            float* to = sums.data() +
                        (int64_t{row.out[0]} * conv.out[1] + row.out[1]) * conv.out[2] + row.out[2];
            add_row(window[place], plane + at(conv.x, row.in), step, to, 1, row.count);
          });
        });
      }
      put(sums, conv.out, factors, conv.y, y + n * conv.y.outer + k * conv.y.channel);
    }
  }
}

void convolve_back_to_data(const Convolution& conv, Factors factors, const float* w,
                           const float* dy, float* dx) {
  std::vector<float> sums(static_cast<size_t>(conv.in_volume()));
  for (int n = 0; n < conv.images; ++n) {
    for (int c = 0; c < conv.groups * conv.channels; ++c) {
      std::fill(sums.begin(), sums.end(), 0.0f);
      const int first_filter = c / conv.channels * conv.filters;
      for (int k = first_filter; k < first_filter + conv.filters; ++k) {
        const float* plane = dy + n * conv.y.outer + k * conv.y.channel;
        const float* window = w + k * conv.w.outer + c % conv.channels * conv.w.channel;
        for_each_element(conv, [&](const int(&element)[kSpace], int64_t place) {
          for_each_row(conv, element, [&](const RowPair& row) {
            float* to = sums.data() + (int64_t{row.in[0]} * conv.in[1] + row.in[1]) * conv.in[2] +
                        row.in[2];
            add_row(window[place], plane + at(conv.y, row.out), conv.y.space[2], to, conv.stride[2],
                    row.count);
          });
        });
      }
      put(sums, conv.in, factors, conv.x, dx + n * conv.x.outer + c * conv.x.channel);
    }
  }
}

void convolve_back_to_filter(const Convolution& conv, Factors factors, const float* x,
                             const float* dy, float* dw) {
  const int64_t step = conv.stride[2] * conv.x.space[2];
  for (int k = 0; k < conv.groups * conv.filters; ++k) {
    const int first_channel = k / conv.filters * conv.channels;
    for (int c = 0; c < conv.channels; ++c) {
      float* window = dw + k * conv.w.outer + c * conv.w.channel;
      for_each_element(conv, [&](const int(&element)[kSpace], int64_t place) {
        double sum = 0;
        for (int n = 0; n < conv.images; ++n) {
          const float* from = x + n * conv.x.outer + (first_channel + c) * conv.x.channel;
          const float* plane = dy + n * conv.y.outer + k * conv.y.channel;
          for_each_row(conv, element, [&](const RowPair& row) {
            sum += row_product(from + at(conv.x, row.in), step, plane + at(conv.y, row.out),
                               conv.y.space[2], row.count);
          });
        }
        blend(factors.alpha, static_cast<float>(sum), factors.beta, window[place]);
      });
    }
  }
}

}  // namespace

void compute_plainly(Pass pass, const Convolution& conv, Factors factors, const float* one,
                     const float* other, float* result) {
  if (pass == Pass::forward) convolve(conv, factors, one, other, result);
  if (pass == Pass::data) convolve_back_to_data(conv, factors, one, other, result);
  if (pass == Pass::filter) convolve_back_to_filter(conv, factors, one, other, result);
}

}  // namespace convkit::simt::dnn
