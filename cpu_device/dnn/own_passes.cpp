// SPDX-License-Identifier: MIT
// The passes without oneDNN: products of unrolled matrices, some rows of results at a time, so that
// the matrix stays in the caches. The product is that of the CPU device's cuBLAS without OpenBLAS.
#include <algorithm>
#include <vector>

#include "cpu_device/blas/product.h"
#include "cpu_device/dnn/convolution.h"

namespace convkit::simt::dnn {
namespace {

// The input of a convolution as a matrix: a row for each element of the window in each channel, a
// column for each result. The convolution is then a product of matrices, and so are its gradients.

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

int ceil_div(int a, int b) {
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
  segment.begin = std::clamp(ceil_div(-first, stride), 0, out);
  segment.end = std::clamp(ceil_div(conv.in[2] - first, stride), segment.begin, out);
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

// C[rows][columns] = A * B + beta * C, matrices by rows; `turned` ones lie as [columns][rows].
struct Matrix {
  const float* data;
  int64_t row_length;
  bool turned = false;
};

void multiply(const Matrix& a, const Matrix& b, int64_t rows, int64_t depth, int64_t columns,
              float beta, float* c) {
  // By columns, as the product has it, it is the turned C = turned B * turned A.
  blas::Product<float> product;
  product.transpose_a = b.turned;
  product.transpose_b = a.turned;
  product.m = static_cast<int>(columns);
  product.n = static_cast<int>(rows);
  product.k = static_cast<int>(depth);
  product.alpha = 1;
  product.a = b.data;
  product.lda = b.row_length;
  product.b = a.data;
  product.ldb = a.row_length;
  product.beta = beta;
  product.c = c;
  product.ldc = columns;
  blas::multiply_plainly(product);
}

class OwnPass {
 public:
  OwnPass(const Convolution& conv, Factors factors)
      : conv_(conv), factors_(factors), unrolled_(conv) {
    constexpr int64_t kCachedFloats = 1 << 17;
    const int64_t row = unrolled_.height() * conv.out[2];
    const int64_t most = int64_t{conv.out[0]} * conv.out[1];
    rows_at_once_ = static_cast<int>(std::clamp<int64_t>(kCachedFloats / row, 1, most));
    const auto width = static_cast<size_t>(int64_t{rows_at_once_} * conv.out[2]);
    matrix_.resize(static_cast<size_t>(unrolled_.height()) * width);
    results_.resize(static_cast<size_t>(conv.filters) * width);
    filters_.resize(static_cast<size_t>(conv.filters) * static_cast<size_t>(unrolled_.height()));
  }

  void forward(const float* x, const float* w, float* y) {
    for (int group = 0; group < conv_.groups; ++group) {
      unrolled_.take_filters(w, group, filters_.data());
      for (int image = 0; image < conv_.images; ++image) {
        for_each_part(image, group, [&](const ResultRows& rows, int64_t width) {
          unrolled_.take(x, rows, matrix_.data());
          multiply({filters_.data(), unrolled_.height()}, {matrix_.data(), width}, conv_.filters,
                   unrolled_.height(), width, 0, results_.data());
          unrolled_.give_results(results_.data(), rows, factors_, y);
        });
      }
    }
  }

  void to_data(const float* w, const float* dy, float* dx) {
    std::vector<float> planes(static_cast<size_t>(conv_.channels * conv_.in_volume()));
    for (int group = 0; group < conv_.groups; ++group) {
      unrolled_.take_filters(w, group, filters_.data());
      for (int image = 0; image < conv_.images; ++image) {
        std::fill(planes.begin(), planes.end(), 0.0f);
        for_each_part(image, group, [&](const ResultRows& rows, int64_t width) {
          unrolled_.take_results(dy, rows, results_.data());
          multiply({filters_.data(), unrolled_.height(), true}, {results_.data(), width},
                   unrolled_.height(), conv_.filters, width, 0, matrix_.data());
          unrolled_.fold(matrix_.data(), rows, planes.data());
        });
        give_planes(planes.data(),
                    dx + image * conv_.x.outer + int64_t{group} * conv_.channels * conv_.x.channel);
      }
    }
  }

  void to_filter(const float* x, const float* dy, float* dw) {
    for (int group = 0; group < conv_.groups; ++group) {
      std::fill(filters_.begin(), filters_.end(), 0.0f);
      for (int image = 0; image < conv_.images; ++image) {
        for_each_part(image, group, [&](const ResultRows& rows, int64_t width) {
          unrolled_.take(x, rows, matrix_.data());
          unrolled_.take_results(dy, rows, results_.data());
          multiply({results_.data(), width}, {matrix_.data(), width, true}, conv_.filters, width,
                   unrolled_.height(), 1, filters_.data());
        });
      }
      unrolled_.give_filters(filters_.data(), group, factors_, dw);
    }
  }

 private:
  template <class Visit>
  void for_each_part(int image, int group, const Visit& visit) {
    const int all = conv_.out[0] * conv_.out[1];
    for (int begin = 0; begin < all; begin += rows_at_once_) {
      const ResultRows rows{image, group, begin, std::min(begin + rows_at_once_, all)};
      visit(rows, unrolled_.width(rows));
    }
  }

  void give_planes(const float* planes, float* dx) const {
    for (int c = 0; c < conv_.channels; ++c) {
      for (int d = 0; d < conv_.in[0]; ++d) {
        for (int h = 0; h < conv_.in[1]; ++h) {
          float* row = dx + c * conv_.x.channel + d * conv_.x.space[0] + h * conv_.x.space[1];
          for (int w = 0; w < conv_.in[2]; ++w) {
            blend(factors_.alpha, *planes++, factors_.beta, row[w * conv_.x.space[2]]);
          }
        }
      }
    }
  }

  const Convolution& conv_;
  Factors factors_;
  Unrolled unrolled_;
  int rows_at_once_;
  std::vector<float> matrix_, results_, filters_;
};

}  // namespace

void compute_plainly(Pass pass, const Convolution& conv, Factors factors, const float* one,
                     const float* other, float* result) {
  OwnPass own(conv, factors);
  if (pass == Pass::forward) own.forward(one, other, result);
  if (pass == Pass::data) own.to_data(one, other, result);
  if (pass == Pass::filter) own.to_filter(one, other, result);
}

}  // namespace convkit::simt::dnn
