// SPDX-License-Identifier: MIT
// The sizes of a product among the arguments of a call: whether cuBLAS would take them, and which
// memory the three matrices take.
#pragma once

#include <algorithm>
#include <optional>

#include "cpu_device/blas/arguments.h"
#include "cpu_device/blas/handle.h"
#include "cpu_device/blas/product.h"
#include "cpu_device/blas/refusal.h"

namespace convkit::simt::blas {

struct GemmShape {
  cublasOperation_t transa, transb;
  int m, n, k;
  int lda, ldb, ldc;

  // As gemm counts its parameters; the other products count theirs in the same way.
  bool is_illegal(Refusal& refusal, const char* routine, int batches) const {
    const int of_a = std::max(1, rows_of_a()), of_b = std::max(1, rows_of_b()),
              of_c = std::max(1, m);
    return any_illegal(refusal, routine,
                       {{1, is_operation(transa), "transa", transa, kOperations},
                        {2, is_operation(transb), "transb", transb, kOperations},
                        {3, m >= 0, "m", m, kNotNegative},
                        {4, n >= 0, "n", n, kNotNegative},
                        {5, k >= 0, "k", k, kNotNegative},
                        {8, lda >= of_a, "lda", lda,
                         at_least(of_a, transpose_a() ? "the rows of A (k, as transa is not N)"
                                                      : "the rows of A (m, as transa is N)")},
                        {10, ldb >= of_b, "ldb", ldb,
                         at_least(of_b, transpose_b() ? "the rows of B (n, as transb is not N)"
                                                      : "the rows of B (k, as transb is N)")},
                        {13, ldc >= of_c, "ldc", ldc, at_least(of_c, "the rows of C (m)")},
                        {14, batches >= 0, "batchCount", batches, kNotNegative}});
  }
  bool is_empty() const { return m == 0 || n == 0; }

  bool transpose_a() const { return transa != CUBLAS_OP_N; }
  bool transpose_b() const { return transb != CUBLAS_OP_N; }
  // As they are stored.
  int rows_of_a() const { return transpose_a() ? k : m; }
  int columns_of_a() const { return transpose_a() ? m : k; }
  int rows_of_b() const { return transpose_b() ? n : k; }
  int columns_of_b() const { return transpose_b() ? k : n; }

  template <class T>
  Operand a(const T* begin) const {
    return matrix("A", begin, rows_of_a(), columns_of_a(), lda, Use::read);
  }
  template <class T>
  Operand b(const T* begin) const {
    return matrix("B", begin, rows_of_b(), columns_of_b(), ldb, Use::read);
  }
  template <class T>
  Operand c(const T* begin, bool reads) const {
    return matrix("C", begin, m, n, ldc, reads ? Use::update : Use::write);
  }
  template <class T>
  Product<T> product(T alpha, const T* a, const T* b, T beta, T* c) const {
    return {transpose_a(), transpose_b(), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc};
  }
};

// What a call with these arguments returns without a product: an error, or success where there is
// nothing to do.
template <class T>
std::optional<cublasStatus_t> without_product(const Names& names, cublasHandle_t handle,
                                              const GemmShape& shape, int batches, const T* alpha,
                                              const T* beta) {
  Refusal refusal(names.call);
  if (refusal.no_handle(handle) || shape.is_illegal(refusal, names.routine, batches) ||
      refusal.null({{"alpha", alpha}, {"beta", beta}})) {
    return refusal.status();
  }
  if (shape.is_empty() || batches == 0) return CUBLAS_STATUS_SUCCESS;
  return std::nullopt;
}

// How many matrices, and how far from each other.
struct Batches {
  int count = 1;
  int64_t a = 0, b = 0, c = 0;

  Operand of(Operand operand, int64_t stride) const {
    operand.batches = count;
    operand.batch_stride = stride;
    return operand;
  }
};

}  // namespace convkit::simt::blas
