// SPDX-License-Identifier: MIT
// Level 2: a matrix and vectors. gemv, ger; and what is made of matrices of which a triangle is
// stored, level 3 included: symmetric and triangular ones, whole, packed or as bands.
#include <algorithm>
#include <complex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cpu_device/blas/arguments.h"
#include "cpu_device/blas/refusal.h"
#include "cpu_device/blas/scalar.h"
#include "simt/cublas_matrix.h"

namespace convkit::simt::blas {
namespace {

template <class T>
T conjugated(T value, bool conjugate) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    return conjugate ? std::conj(value) : value;
  }
}

template <class T>
struct Gemv {
  bool transpose, conjugate;
  int m, n;
  Scalar<T> alpha, beta;
  const T* a;
  int64_t lda;
  const T* x;
  int incx;
  T* y;
  int incy;

  int size_of_x() const { return transpose ? m : n; }
  int size_of_y() const { return transpose ? n : m; }

  void run(const LibraryCall& call) const {
    T factor, kept;
    if (!alpha.read(call, factor) || !beta.read(call, kept)) return;
    const bool multiplies = factor != T{};
    if (multiplies && (!may_use(call, matrix("A", a, m, n, lda, Use::read)) ||
                       !may_use(call, vector("x", x, size_of_x(), incx, Use::read)))) {
      return;
    }
    const Use use = kept == T{} ? Use::write : Use::update;
    const Operand result = vector("y", y, size_of_y(), incy, use);
    if (!may_use(call, result)) return;
    if (multiplies) {
      expect_apart(call, {result, matrix("A", a, m, n, lda, Use::read),
                          vector("x", x, size_of_x(), incx, Use::read)});
    }
    const Strided to(y, size_of_y(), incy);
    for (int i = 0; i < size_of_y(); ++i) to[i] = kept == T{} ? T{} : kept * to[i];
    if (!multiplies) return;
    const Strided from(x, size_of_x(), incx);
    for (int j = 0; j < n; ++j) {
      const T* column = a + j * lda;
      if (transpose) {
        T sum{};
        for (int i = 0; i < m; ++i) sum += conjugated(column[i], conjugate) * from[i];
        to[j] += factor * sum;
      } else {
        const T scaled = factor * from[j];
        for (int i = 0; i < m; ++i) to[i] += column[i] * scaled;
      }
    }
  }
};

struct WrongArgument {
  const char* name;
  int value;
  const char* rule;
};

std::optional<WrongArgument> wrong_argument(cublasOperation_t trans, int m, int n, int lda,
                                            int incx, int incy) {
  const std::pair<bool, WrongArgument> checks[] = {
      {is_operation(trans),
       {"trans", static_cast<int>(trans), "must be CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C"}},
      {m >= 0, {"m", m, "must not be negative"}},
      {n >= 0, {"n", n, "must not be negative"}},
      {lda >= m, {"lda", lda, "must be at least m"}},
      {incx != 0, {"incx", incx, "must not be 0"}},
      {incy != 0, {"incy", incy, "must not be 0"}},
  };
  for (const auto& [is_right, wrong] : checks) {
    if (!is_right) return wrong;
  }
  return std::nullopt;
}

template <class T>
cublasStatus_t gemv(const char* name, cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                    const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
  Refusal refusal(name);
  if (refusal.no_handle(handle) || refusal.null({{"alpha", alpha}, {"beta", beta}})) {
    return refusal.status();
  }
  if (std::min(m, n) == 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(name);
  if (const auto wrong = wrong_argument(trans, m, n, lda, incx, incy)) {
    // cuBLAS 13.0 looks at the arguments in double precision only.
    if constexpr (!std::is_same_v<T, float>) {
      refusal.invalid(said(wrong->name, " is ", wrong->value, "; it ", wrong->rule));
      return refusal.status();
    }
    tell_ignored(call, wrong->name, std::to_string(wrong->value) + " and " + wrong->rule,
                 "cuBLAS 13.0 does not report it: its status is CUBLAS_STATUS_SUCCESS.");
    return CUBLAS_STATUS_SUCCESS;
  }
  Gemv<T> gemv{trans != CUBLAS_OP_N, trans == CUBLAS_OP_C, m, n, {}, {}, a, lda, x, incx, y, incy};
  if (!gemv.alpha.take(call, *handle, "alpha", alpha) ||
      !gemv.beta.take(call, *handle, "beta", beta)) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return status_of(call, enqueue(handle->stream, [=] { gemv.run(call); }));
}

template <class T>
cublasStatus_t ger(const Names& names, cublasHandle_t handle, int m, int n, const T* alpha,
                   const T* x, int incx, const T* y, int incy, T* a, int lda,
                   bool conjugate = false) {
  constexpr const char* kNotZero = "it must not be 0";
  const int rows = std::max(1, m);
  Refusal refusal(names.call);
  if (refusal.no_handle(handle) ||
      any_illegal(refusal, names.routine,
                  {{1, m >= 0, "m", m, kNotNegative},
                   {2, n >= 0, "n", n, kNotNegative},
                   {5, incx != 0, "incx", incx, kNotZero},
                   {7, incy != 0, "incy", incy, kNotZero},
                   {9, lda >= rows, "lda", lda, at_least(rows, "the rows of A (m)")}}) ||
      refusal.null({{"alpha", alpha}})) {
    return refusal.status();
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(names.call);
  Scalar<T> factor;
  if (!factor.take(call, *handle, "alpha", alpha)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return status_of(call, enqueue(handle->stream, [=] {
                     T scale;
                     if (!factor.read(call, scale) || scale == T{} ||
                         !may_use(call, vector("x", x, m, incx, Use::read)) ||
                         !may_use(call, vector("y", y, n, incy, Use::read)) ||
                         !may_use(call, matrix("A", a, m, n, lda, Use::update))) {
                       return;
                     }
                     const Strided left(x, m, incx), right(y, n, incy);
                     for (int j = 0; j < n; ++j) {
                       const T scaled = scale * conjugated(right[j], conjugate);
                       T* column = a + int64_t{j} * lda;
                       for (int i = 0; i < m; ++i) column[i] += left[i] * scaled;
                     }
                   }));
}

// A square matrix of which only one triangle is stored and read.
enum class Layout { whole, packed, band };

template <class T>
struct Triangle {
  T* begin = nullptr;
  int n = 0;
  bool upper = false;
  Layout layout = Layout::whole;
  int64_t ld = 1;  // of a packed one it does not matter
  int band = 0;    // diagonals beside the main one, of a band

  int first(int column) const {
    return upper ? (layout == Layout::band ? std::max(0, column - band) : 0) : column;
  }
  int last(int column) const {
    if (upper) return column;
    return layout == Layout::band ? std::min(n - 1, column + band) : n - 1;
  }
  bool has(int i, int j) const { return i >= first(j) && i <= last(j); }
  T* at(int i, int j) const {
    const int64_t row = i, column = j, size = n;
    switch (layout) {
      case Layout::packed:
        return begin + row +
               (upper ? column * (column + 1) / 2 : column * (2 * size - column - 1) / 2);
      case Layout::band:
        return begin + (upper ? band + row - column : row - column) + column * ld;
      default:
        return begin + row + column * ld;
    }
  }
  bool may_be_used(const LibraryCall& call, const char* name, Use use) const {
    for (int j = 0; j < n; ++j) {
      const int rows = last(j) - first(j) + 1;
      if (!may_use(call, matrix(name, at(first(j), j), rows, 1, rows, use))) return false;
    }
    return true;
  }
  T symmetric(int i, int j) const { return has(i, j) ? *at(i, j) : has(j, i) ? *at(j, i) : T{}; }
};

template <class T>
Triangle<T> whole(T* a, int n, cublasFillMode_t uplo, int lda) {
  return {a, n, uplo == CUBLAS_FILL_MODE_UPPER, Layout::whole, lda};
}
template <class T>
Triangle<T> band(T* a, int n, cublasFillMode_t uplo, int k, int lda) {
  return {a, n, uplo == CUBLAS_FILL_MODE_UPPER, Layout::band, lda, k};
}
template <class T>
Triangle<T> packed(T* a, int n, cublasFillMode_t uplo) {
  return {a, n, uplo == CUBLAS_FILL_MODE_UPPER, Layout::packed};
}

// A triangular matrix, or its transpose.
template <class T>
struct Triangular {
  Triangle<T> stored;
  bool transpose = false, unit = false;

  bool lower() const { return stored.upper == transpose; }
  T operator()(int i, int j) const {
    if (unit && i == j) return T{1};
    if (transpose) std::swap(i, j);
    return stored.has(i, j) ? *stored.at(i, j) : T{};
  }
  // x becomes the product with x,
  void multiply(const Strided<T>& x) const {
    const int n = stored.n;
    std::vector<T> product(n);
    for (int i = 0; i < n; ++i) {
      const int from = lower() ? 0 : i, to = lower() ? i : n - 1;
      for (int j = from; j <= to; ++j) product[i] += (*this)(i, j) * x[j];
    }
    for (int i = 0; i < n; ++i) x[i] = product[i];
  }
  // or what gives x as the product.
  void solve(const Strided<T>& x) const {
    const int n = stored.n;
    for (int step = 0; step < n; ++step) {
      const int i = lower() ? step : n - 1 - step;
      T rest = x[i];
      const int from = lower() ? 0 : i + 1, to = lower() ? i - 1 : n - 1;
      for (int j = from; j <= to; ++j) rest -= (*this)(i, j) * x[j];
      x[i] = rest / (*this)(i, i);
    }
  }
};

struct Wrong {
  bool is_right;
  const char* argument;
  int64_t value;
  const char* rule;
};

// Whether the call goes no further: with the status that it returns.
inline std::optional<cublasStatus_t> refused(const char* name, cublasHandle_t handle,
                                             std::initializer_list<Wrong> checks,
                                             std::initializer_list<NamedPointer> pointers = {}) {
  Refusal refusal(name);
  if (refusal.no_handle(handle)) return refusal.status();
  for (const Wrong& check : checks) {
    if (check.is_right) continue;
    refusal.invalid(said(check.argument, " is ", check.value, "; it ", check.rule));
    return refusal.status();
  }
  if (refusal.null(pointers)) return refusal.status();
  return std::nullopt;
}

constexpr const char* kNonNegative = "must not be negative";
constexpr const char* kAnyDistance = "must not be 0";
constexpr const char* kEnough = "is less than the rows of its matrix";
constexpr const char* kFill = "must be CUBLAS_FILL_MODE_LOWER or CUBLAS_FILL_MODE_UPPER";

inline Wrong fill(cublasFillMode_t uplo) {
  return {uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER, "uplo", uplo, kFill};
}
inline Wrong operation(cublasOperation_t trans) {
  return {is_operation(trans), "trans", trans, "must be CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C"};
}
inline Wrong size(const char* name, int value) {
  return {value >= 0, name, value, kNonNegative};
}
inline Wrong distance(const char* name, int value) {
  return {value != 0, name, value, kAnyDistance};
}
inline Wrong rows(const char* name, int ld, int least) {
  return {ld >= std::max(1, least), name, ld, kEnough};
}

// Reads both factors and runs the body as an operation of the handle's stream.
template <class T, class Body>
cublasStatus_t with_factors(const char* name, cublasHandle_t handle, const T* alpha, const T* beta,
                            const Body& body) {
  const LibraryCall call = library_call(name);
  Scalar<T> first, second;
  if (!first.take(call, *handle, "alpha", alpha) ||
      (beta && !second.take(call, *handle, "beta", beta))) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return status_of(call, enqueue(handle->stream, [=] {
                     T one, other{};
                     if (first.read(call, one) && (!beta || second.read(call, other))) {
                       body(call, one, other);
                     }
                   }));
}

// y = alpha * A * x + beta * y
template <class T>
cublasStatus_t symv(const char* name, cublasHandle_t handle, cublasFillMode_t uplo,
                    const Triangle<const T>& a, const T* alpha, const T* x, int incx, const T* beta,
                    T* y, int incy) {
  const int n = a.n;
  const auto status = refused(name, handle,
                              {fill(uplo), size("n", n), size("k", a.band),
                               rows("lda", static_cast<int>(a.ld),
                                    a.layout == Layout::whole  ? n
                                    : a.layout == Layout::band ? a.band + 1
                                                               : 1),
                               distance("incx", incx), distance("incy", incy)},
                              {{"alpha", alpha}, {"beta", beta}});
  if (status) return *status;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return with_factors(name, handle, alpha, beta, [=](const LibraryCall& call, T factor, T kept) {
    const Use use = kept == T{} ? Use::write : Use::update;
    if (!a.may_be_used(call, "A", Use::read) ||
        !may_use(call, vector("x", x, n, incx, Use::read)) ||
        !may_use(call, vector("y", y, n, incy, use))) {
      return;
    }
    const Strided from(x, n, incx);
    const Strided to(y, n, incy);
    for (int i = 0; i < n; ++i) {
      T sum{};
      for (int j = 0; j < n; ++j) sum += a.symmetric(i, j) * from[j];
      to[i] = kept == T{} ? factor * sum : factor * sum + kept * to[i];
    }
  });
}

// A += alpha * (x * y' + y * x'), of x and y the same only once.
template <class T>
cublasStatus_t syr(const char* name, cublasHandle_t handle, cublasFillMode_t uplo,
                   const Triangle<T>& a, const T* alpha, const T* x, int incx, const T* y,
                   int incy) {
  const int n = a.n;
  const auto status =
      refused(name, handle,
              {fill(uplo), size("n", n), distance("incx", incx), distance("incy", incy),
               rows("lda", static_cast<int>(a.ld), a.layout == Layout::whole ? n : 1)},
              {{"alpha", alpha}});
  if (status) return *status;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const T* none = nullptr;
  return with_factors(name, handle, alpha, none, [=](const LibraryCall& call, T factor, T) {
    if (factor == T{} || !may_use(call, vector("x", x, n, incx, Use::read)) ||
        (y && !may_use(call, vector("y", y, n, incy, Use::read))) ||
        !a.may_be_used(call, "A", Use::update)) {
      return;
    }
    const Strided left(x, n, incx), right(y ? y : x, n, y ? incy : incx);
    for (int j = 0; j < n; ++j) {
      for (int i = a.first(j); i <= a.last(j); ++i) {
        const T product = left[i] * right[j];
        *a.at(i, j) += factor * (y ? product + right[i] * left[j] : product);
      }
    }
  });
}

// x = op(A) * x, or the x for which op(A) * x is what x was.
template <class T>
cublasStatus_t trmv(const char* name, cublasHandle_t handle, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, const Triangle<const T>& a,
                    T* x, int incx, bool solves) {
  const int n = a.n;
  const auto status = refused(name, handle,
                              {fill(uplo), operation(trans), size("n", n), size("k", a.band),
                               rows("lda", static_cast<int>(a.ld),
                                    a.layout == Layout::whole  ? n
                                    : a.layout == Layout::band ? a.band + 1
                                                               : 1),
                               distance("incx", incx)});
  if (status) return *status;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const LibraryCall call = library_call(name);
  return status_of(
      call, enqueue(handle->stream, [=] {
        if (!a.may_be_used(call, "A", Use::read) ||
            !may_use(call, vector("x", x, n, incx, Use::update))) {
          return;
        }
        const Triangle<T> stored{const_cast<T*>(a.begin), n, a.upper, a.layout, a.ld, a.band};
        const Triangular<T> whole{stored, trans != CUBLAS_OP_N, diag == CUBLAS_DIAG_UNIT};
        const Strided values(x, n, incx);
        solves ? whole.solve(values) : whole.multiply(values);
      }));
}

// Level 3.

// C = alpha * A * B + beta * C with the symmetric A, or with B * A.
template <class T>
cublasStatus_t symm(const char* name, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, int m, int n, const T* alpha, const T* a, int lda,
                    const T* b, int ldb, const T* beta, T* c, int ldc) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int order = left ? m : n;
  const auto status = refused(name, handle,
                              {fill(uplo), size("m", m), size("n", n), rows("lda", lda, order),
                               rows("ldb", ldb, m), rows("ldc", ldc, m)},
                              {{"alpha", alpha}, {"beta", beta}});
  if (status) return *status;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return with_factors(name, handle, alpha, beta, [=](const LibraryCall& call, T factor, T kept) {
    const Triangle<const T> stored = whole(a, order, uplo, lda);
    if (!stored.may_be_used(call, "A", Use::read) ||
        !may_use(call, matrix("B", b, m, n, ldb, Use::read)) ||
        !may_use(call, matrix("C", c, m, n, ldc, kept == T{} ? Use::write : Use::update))) {
      return;
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        T sum{};
        for (int p = 0; p < order; ++p) {
          sum += left ? stored.symmetric(i, p) * b[p + int64_t{j} * ldb]
                      : b[i + int64_t{p} * ldb] * stored.symmetric(p, j);
        }
        T& result = c[i + int64_t{j} * ldc];
        result = kept == T{} ? factor * sum : factor * sum + kept * result;
      }
    }
  });
}

// A triangle of C = alpha * op(A) * op(B)' + beta * C; syr2k adds the transpose of the product.
template <class T>
cublasStatus_t syrk(const char* name, cublasHandle_t handle, cublasFillMode_t uplo,
                    cublasOperation_t trans, int n, int k, const T* alpha, const T* a, int lda,
                    const T* b, int ldb, const T* beta, T* c, int ldc, bool twice) {
  const bool transpose = trans != CUBLAS_OP_N;
  const int height = transpose ? k : n, width = transpose ? n : k;
  const auto status =
      refused(name, handle,
              {fill(uplo), operation(trans), size("n", n), size("k", k), rows("lda", lda, height),
               rows("ldb", ldb, height), rows("ldc", ldc, n)},
              {{"alpha", alpha}, {"beta", beta}});
  if (status) return *status;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return with_factors(name, handle, alpha, beta, [=](const LibraryCall& call, T factor, T kept) {
    const Triangle<T> result = whole(c, n, uplo, ldc);
    if (!may_use(call, matrix("A", a, height, width, lda, Use::read)) ||
        (b != a && !may_use(call, matrix("B", b, height, width, ldb, Use::read))) ||
        !result.may_be_used(call, "C", kept == T{} ? Use::write : Use::update)) {
      return;
    }
    const auto of = [&](const T* from, int64_t ld, int i, int p) {
      return transpose ? from[p + i * ld] : from[i + p * ld];
    };
    for (int j = 0; j < n; ++j) {
      for (int i = result.first(j); i <= result.last(j); ++i) {
        T sum{};
        for (int p = 0; p < k; ++p) {
          sum += of(a, lda, i, p) * of(b, ldb, j, p);
          if (twice) sum += of(b, ldb, i, p) * of(a, lda, j, p);
        }
        T& element = *result.at(i, j);
        element = kept == T{} ? factor * sum : factor * sum + kept * element;
      }
    }
  });
}

// C = alpha * op(A) * B with the triangular A, or B * op(A); or what times op(A) gives alpha * B.
template <class T>
cublasStatus_t trmm(const char* name, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m,
                    int n, const T* alpha, const T* a, int lda, const T* b, int ldb, T* c, int ldc,
                    bool solves) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int order = left ? m : n;
  const auto status = refused(name, handle,
                              {fill(uplo), operation(trans), size("m", m), size("n", n),
                               rows("lda", lda, order), rows("ldb", ldb, m), rows("ldc", ldc, m)},
                              {{"alpha", alpha}});
  if (status) return *status;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const T* none = nullptr;
  return with_factors(name, handle, alpha, none, [=](const LibraryCall& call, T factor, T) {
    const Triangle<T> stored = whole(const_cast<T*>(a), order, uplo, lda);
    if (!stored.may_be_used(call, "A", Use::read) ||
        !may_use(call, matrix("B", b, m, n, ldb, Use::read)) ||
        !may_use(call, matrix("C", c, m, n, ldc, Use::write))) {
      return;
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) c[i + int64_t{j} * ldc] = factor * b[i + int64_t{j} * ldb];
    }
    // From the right, each row of B is a vector, and the matrix its transpose.
    const Triangular<T> whole{stored, (trans != CUBLAS_OP_N) == left, diag == CUBLAS_DIAG_UNIT};
    for (int line = 0; line < (left ? n : m); ++line) {
      const Strided<T> values(left ? c + int64_t{line} * ldc : c + line, order, left ? 1 : ldc);
      solves ? whole.solve(values) : whole.multiply(values);
    }
  });
}

// Rows or columns of A, each times an element of x.
template <class T>
cublasStatus_t dgmm(const char* name, cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                    const T* a, int lda, const T* x, int incx, T* c, int ldc) {
  const auto status = refused(name, handle,
                              {size("m", m), size("n", n), rows("lda", lda, m), rows("ldc", ldc, m),
                               distance("incx", incx)});
  if (status) return *status;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const LibraryCall call = library_call(name);
  return status_of(call, enqueue(handle->stream, [=] {
                     if (!may_use(call, matrix("A", a, m, n, lda, Use::read)) ||
                         !may_use(call, vector("x", x, left ? m : n, incx, Use::read)) ||
                         !may_use(call, matrix("C", c, m, n, ldc, Use::write))) {
                       return;
                     }
                     const Strided factors(x, left ? m : n, incx);
                     for (int j = 0; j < n; ++j) {
                       for (int i = 0; i < m; ++i) {
                         c[i + int64_t{j} * ldc] = a[i + int64_t{j} * lda] * factors[left ? i : j];
                       }
                     }
                   }));
}

}  // namespace
}  // namespace convkit::simt::blas

namespace blas = convkit::simt::blas;

extern "C" {

cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const float* alpha, const float* A, int lda, const float* x, int incx,
                           const float* beta, float* y, int incy) {
  return blas::gemv("cublasSgemv", handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const double* alpha, const double* A, int lda, const double* x, int incx,
                           const double* beta, double* y, int incy) {
  return blas::gemv("cublasDgemv", handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float* alpha, const float* x,
                          int incx, const float* y, int incy, float* A, int lda) {
  return blas::ger({"cublasSger", "SGER"}, handle, m, n, alpha, x, incx, y, incy, A, lda);
}
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double* alpha, const double* x,
                          int incx, const double* y, int incy, double* A, int lda) {
  return blas::ger({"cublasDger", "DGER"}, handle, m, n, alpha, x, incx, y, incy, A, lda);
}

cublasStatus_t cublasSsymv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha,
                           const float* A, int lda, const float* x, int incx, const float* beta,
                           float* y, int incy) {
  return blas::symv<float>("cublasSsymv", handle, uplo, blas::whole(A, n, uplo, lda), alpha, x,
                           incx, beta, y, incy);
}
cublasStatus_t cublasSsbmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k,
                           const float* alpha, const float* A, int lda, const float* x, int incx,
                           const float* beta, float* y, int incy) {
  return blas::symv<float>("cublasSsbmv", handle, uplo, blas::band(A, n, uplo, k, lda), alpha, x,
                           incx, beta, y, incy);
}
cublasStatus_t cublasSspmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha,
                           const float* AP, const float* x, int incx, const float* beta, float* y,
                           int incy) {
  return blas::symv<float>("cublasSspmv", handle, uplo, blas::packed(AP, n, uplo), alpha, x, incx,
                           beta, y, incy);
}
cublasStatus_t cublasSsyr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha,
                          const float* x, int incx, float* A, int lda) {
  return blas::syr<float>("cublasSsyr", handle, uplo, blas::whole(A, n, uplo, lda), alpha, x, incx,
                          nullptr, 1);
}
cublasStatus_t cublasSsyr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha,
                           const float* x, int incx, const float* y, int incy, float* A, int lda) {
  return blas::syr<float>("cublasSsyr2", handle, uplo, blas::whole(A, n, uplo, lda), alpha, x, incx,
                          y, incy);
}
cublasStatus_t cublasSspr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha,
                          const float* x, int incx, float* AP) {
  return blas::syr<float>("cublasSspr", handle, uplo, blas::packed(AP, n, uplo), alpha, x, incx,
                          nullptr, 1);
}
cublasStatus_t cublasSspr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha,
                           const float* x, int incx, const float* y, int incy, float* AP) {
  return blas::syr<float>("cublasSspr2", handle, uplo, blas::packed(AP, n, uplo), alpha, x, incx, y,
                          incy);
}
cublasStatus_t cublasStrmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, const float* A, int lda, float* x,
                           int incx) {
  return blas::trmv<float>("cublasStrmv", handle, uplo, trans, diag, blas::whole(A, n, uplo, lda),
                           x, incx, false);
}
cublasStatus_t cublasStbmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, int k, const float* A, int lda, float* x,
                           int incx) {
  return blas::trmv<float>("cublasStbmv", handle, uplo, trans, diag, blas::band(A, n, uplo, k, lda),
                           x, incx, false);
}
cublasStatus_t cublasStpmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, const float* AP, float* x, int incx) {
  return blas::trmv<float>("cublasStpmv", handle, uplo, trans, diag, blas::packed(AP, n, uplo), x,
                           incx, false);
}
cublasStatus_t cublasStrsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, const float* A, int lda, float* x,
                           int incx) {
  return blas::trmv<float>("cublasStrsv", handle, uplo, trans, diag, blas::whole(A, n, uplo, lda),
                           x, incx, true);
}
cublasStatus_t cublasStbsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, int k, const float* A, int lda, float* x,
                           int incx) {
  return blas::trmv<float>("cublasStbsv", handle, uplo, trans, diag, blas::band(A, n, uplo, k, lda),
                           x, incx, true);
}
cublasStatus_t cublasStpsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, const float* AP, float* x, int incx) {
  return blas::trmv<float>("cublasStpsv", handle, uplo, trans, diag, blas::packed(AP, n, uplo), x,
                           incx, true);
}
cublasStatus_t cublasSsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           int m, int n, const float* alpha, const float* A, int lda,
                           const float* B, int ldb, const float* beta, float* C, int ldc) {
  return blas::symm("cublasSsymm", handle, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);
}
cublasStatus_t cublasSsyrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           int n, int k, const float* alpha, const float* A, int lda,
                           const float* beta, float* C, int ldc) {
  return blas::syrk("cublasSsyrk", handle, uplo, trans, n, k, alpha, A, lda, A, lda, beta, C, ldc,
                    false);
}
cublasStatus_t cublasSsyr2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                            int n, int k, const float* alpha, const float* A, int lda,
                            const float* B, int ldb, const float* beta, float* C, int ldc) {
  return blas::syrk("cublasSsyr2k", handle, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                    true);
}
cublasStatus_t cublasSsyrkx(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                            int n, int k, const float* alpha, const float* A, int lda,
                            const float* B, int ldb, const float* beta, float* C, int ldc) {
  return blas::syrk("cublasSsyrkx", handle, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                    false);
}
cublasStatus_t cublasStrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                           const float* alpha, const float* A, int lda, const float* B, int ldb,
                           float* C, int ldc) {
  return blas::trmm("cublasStrmm", handle, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, C,
                    ldc, false);
}
cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                           const float* alpha, const float* A, int lda, float* B, int ldb) {
  return blas::trmm<float>("cublasStrsm", handle, side, uplo, trans, diag, m, n, alpha, A, lda, B,
                           ldb, B, ldb, true);
}
cublasStatus_t cublasSdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                           const float* A, int lda, const float* x, int incx, float* C, int ldc) {
  return blas::dgmm("cublasSdgmm", handle, side, m, n, A, lda, x, incx, C, ldc);
}
cublasStatus_t cublasDsymv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha,
                           const double* A, int lda, const double* x, int incx, const double* beta,
                           double* y, int incy) {
  return blas::symv<double>("cublasDsymv", handle, uplo, blas::whole(A, n, uplo, lda), alpha, x,
                            incx, beta, y, incy);
}
cublasStatus_t cublasDsbmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k,
                           const double* alpha, const double* A, int lda, const double* x, int incx,
                           const double* beta, double* y, int incy) {
  return blas::symv<double>("cublasDsbmv", handle, uplo, blas::band(A, n, uplo, k, lda), alpha, x,
                            incx, beta, y, incy);
}
cublasStatus_t cublasDspmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha,
                           const double* AP, const double* x, int incx, const double* beta,
                           double* y, int incy) {
  return blas::symv<double>("cublasDspmv", handle, uplo, blas::packed(AP, n, uplo), alpha, x, incx,
                            beta, y, incy);
}
cublasStatus_t cublasDsyr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha,
                          const double* x, int incx, double* A, int lda) {
  return blas::syr<double>("cublasDsyr", handle, uplo, blas::whole(A, n, uplo, lda), alpha, x, incx,
                           nullptr, 1);
}
cublasStatus_t cublasDsyr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha,
                           const double* x, int incx, const double* y, int incy, double* A,
                           int lda) {
  return blas::syr<double>("cublasDsyr2", handle, uplo, blas::whole(A, n, uplo, lda), alpha, x,
                           incx, y, incy);
}
cublasStatus_t cublasDspr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha,
                          const double* x, int incx, double* AP) {
  return blas::syr<double>("cublasDspr", handle, uplo, blas::packed(AP, n, uplo), alpha, x, incx,
                           nullptr, 1);
}
cublasStatus_t cublasDspr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha,
                           const double* x, int incx, const double* y, int incy, double* AP) {
  return blas::syr<double>("cublasDspr2", handle, uplo, blas::packed(AP, n, uplo), alpha, x, incx,
                           y, incy);
}
cublasStatus_t cublasDtrmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, const double* A, int lda, double* x,
                           int incx) {
  return blas::trmv<double>("cublasDtrmv", handle, uplo, trans, diag, blas::whole(A, n, uplo, lda),
                            x, incx, false);
}
cublasStatus_t cublasDtbmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, int k, const double* A, int lda, double* x,
                           int incx) {
  return blas::trmv<double>("cublasDtbmv", handle, uplo, trans, diag,
                            blas::band(A, n, uplo, k, lda), x, incx, false);
}
cublasStatus_t cublasDtpmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, const double* AP, double* x, int incx) {
  return blas::trmv<double>("cublasDtpmv", handle, uplo, trans, diag, blas::packed(AP, n, uplo), x,
                            incx, false);
}
cublasStatus_t cublasDtrsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, const double* A, int lda, double* x,
                           int incx) {
  return blas::trmv<double>("cublasDtrsv", handle, uplo, trans, diag, blas::whole(A, n, uplo, lda),
                            x, incx, true);
}
cublasStatus_t cublasDtbsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, int k, const double* A, int lda, double* x,
                           int incx) {
  return blas::trmv<double>("cublasDtbsv", handle, uplo, trans, diag,
                            blas::band(A, n, uplo, k, lda), x, incx, true);
}
cublasStatus_t cublasDtpsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int n, const double* AP, double* x, int incx) {
  return blas::trmv<double>("cublasDtpsv", handle, uplo, trans, diag, blas::packed(AP, n, uplo), x,
                            incx, true);
}
cublasStatus_t cublasDsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           int m, int n, const double* alpha, const double* A, int lda,
                           const double* B, int ldb, const double* beta, double* C, int ldc) {
  return blas::symm("cublasDsymm", handle, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);
}
cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                           int n, int k, const double* alpha, const double* A, int lda,
                           const double* beta, double* C, int ldc) {
  return blas::syrk("cublasDsyrk", handle, uplo, trans, n, k, alpha, A, lda, A, lda, beta, C, ldc,
                    false);
}
cublasStatus_t cublasDsyr2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                            int n, int k, const double* alpha, const double* A, int lda,
                            const double* B, int ldb, const double* beta, double* C, int ldc) {
  return blas::syrk("cublasDsyr2k", handle, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                    true);
}
cublasStatus_t cublasDsyrkx(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                            int n, int k, const double* alpha, const double* A, int lda,
                            const double* B, int ldb, const double* beta, double* C, int ldc) {
  return blas::syrk("cublasDsyrkx", handle, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                    false);
}
cublasStatus_t cublasDtrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                           const double* alpha, const double* A, int lda, const double* B, int ldb,
                           double* C, int ldc) {
  return blas::trmm("cublasDtrmm", handle, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, C,
                    ldc, false);
}
cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                           const double* alpha, const double* A, int lda, double* B, int ldb) {
  return blas::trmm<double>("cublasDtrsm", handle, side, uplo, trans, diag, m, n, alpha, A, lda, B,
                            ldb, B, ldb, true);
}
cublasStatus_t cublasDdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                           const double* A, int lda, const double* x, int incx, double* C,
                           int ldc) {
  return blas::dgmm("cublasDdgmm", handle, side, m, n, A, lda, x, incx, C, ldc);
}
cublasStatus_t cublasCgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* x,
                           int incx, const cuComplex* beta, cuComplex* y, int incy) {
  return blas::gemv("cublasCgemv", handle, trans, m, n, blas::complex(alpha), blas::complex(A), lda,
                    blas::complex(x), incx, blas::complex(beta), blas::complex(y), incy);
}
cublasStatus_t cublasCgeru(cublasHandle_t handle, int m, int n, const cuComplex* alpha,
                           const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* A,
                           int lda) {
  return blas::ger({"cublasCgeru", "CGERU"}, handle, m, n, blas::complex(alpha), blas::complex(x),
                   incx, blas::complex(y), incy, blas::complex(A), lda, false);
}
cublasStatus_t cublasCgerc(cublasHandle_t handle, int m, int n, const cuComplex* alpha,
                           const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* A,
                           int lda) {
  return blas::ger({"cublasCgerc", "CGERC"}, handle, m, n, blas::complex(alpha), blas::complex(x),
                   incx, blas::complex(y), incy, blas::complex(A), lda, true);
}
cublasStatus_t cublasZgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* beta,
                           cuDoubleComplex* y, int incy) {
  return blas::gemv("cublasZgemv", handle, trans, m, n, blas::complex(alpha), blas::complex(A), lda,
                    blas::complex(x), incx, blas::complex(beta), blas::complex(y), incy);
}
cublasStatus_t cublasZgeru(cublasHandle_t handle, int m, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy,
                           cuDoubleComplex* A, int lda) {
  return blas::ger({"cublasZgeru", "ZGERU"}, handle, m, n, blas::complex(alpha), blas::complex(x),
                   incx, blas::complex(y), incy, blas::complex(A), lda, false);
}
cublasStatus_t cublasZgerc(cublasHandle_t handle, int m, int n, const cuDoubleComplex* alpha,
                           const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy,
                           cuDoubleComplex* A, int lda) {
  return blas::ger({"cublasZgerc", "ZGERC"}, handle, m, n, blas::complex(alpha), blas::complex(x),
                   incx, blas::complex(y), incy, blas::complex(A), lda, true);
}

}  // extern "C"
