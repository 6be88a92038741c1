// SPDX-License-Identifier: MIT
// The passes without oneDNN: products of unrolled matrices, some rows of results at a time, so that
// the matrix stays in the caches. The product is that of the CPU device's cuBLAS without OpenBLAS.
#include <algorithm>
#include <vector>

#include "cpu_device/blas/product.h"
#include "cpu_device/dnn/unrolled.h"

namespace convkit::simt::dnn {
namespace {

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
