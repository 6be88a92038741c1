// SPDX-License-Identifier: MIT
// Known mistakes in the product of two matrices, and in what becomes of an error.
#include "compare/precision.h"
#include "device_output.h"

namespace convkit::stage_02 {
namespace {

// The product with an index of one of the matrices exchanged.
struct ProductModel {
  explicit ProductModel(const Evidence& evidence)
      : rows(parameter(evidence, "rows")),
        inner(parameter(evidence, "inner")),
        cols(parameter(evidence, "cols")),
        a(input(evidence, "a")),
        b(input(evidence, "b")) {}

  int64_t rows, inner, cols;
  std::span<const float> a, b;
  bool a_transposed = false, b_transposed = false, c_transposed = false;

  Prediction predict() const {
    constexpr int64_t kMostWork = 50'000'000;
    if (int64_t(a.size()) != rows * inner || int64_t(b.size()) != inner * cols) return std::nullopt;
    if (a.empty() || rows * cols > kMostWork / inner) return std::nullopt;
    std::vector<double> c(size_t(rows * cols));
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < cols; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < inner; ++k) {
          sum += double(a[size_t(a_transposed ? k * rows + i : i * inner + k)]) *
                 double(b[size_t(b_transposed ? j * inner + k : k * cols + j)]);
        }
        c[size_t(c_transposed ? j * rows + i : i * cols + j)] = sum;
      }
    }
    return c;
  }
};

Prediction a_transposed(const Evidence& evidence) {
  ProductModel model(evidence);
  model.a_transposed = true;
  return model.predict();
}
Prediction b_transposed(const Evidence& evidence) {
  ProductModel model(evidence);
  model.b_transposed = true;
  return model.predict();
}
Prediction c_transposed(const Evidence& evidence) {
  ProductModel model(evidence);
  model.c_transposed = true;
  return model.predict();
}

constexpr int32_t kSuccess = 0, kOutOfMemory = 2;  // cudaErrorMemoryAllocation

Prediction success(const Evidence&) {
  return std::vector<double>{kSuccess};
}
Prediction another_error(const Evidence& evidence) {
  if (evidence.got.i32.size() != 1) return std::nullopt;
  const int32_t error = evidence.got.i32.front();
  if (error == kSuccess || error == kOutOfMemory) return std::nullopt;
  return std::vector<double>{double(error)};
}

// Of two facts or one: those that are wrong are `value`.
template <int32_t kValue>
Prediction all_wrong_are(const Evidence& evidence) {
  std::vector<double> facts(evidence.reference.i32.begin(), evidence.reference.i32.end());
  const auto got = evidence.got.i32;
  if (facts.empty() || got.size() != facts.size()) return std::nullopt;
  for (size_t i = 0; i < facts.size(); ++i) {
    if (got[i] != facts[i]) facts[i] = kValue;
  }
  return facts;
}
template <int32_t kValue>
Prediction of_again(const Evidence& evidence) {
  return evidence.got.name == "again" ? all_wrong_are<kValue>(evidence) : std::nullopt;
}
template <int32_t kValue>
Prediction of_error(const Evidence& evidence) {
  return evidence.got.name == "error" ? all_wrong_are<kValue>(evidence) : std::nullopt;
}

constexpr const char* kCheckHint =
    "Put every CUDA call into a macro that returns its error at once, "
    "and after every launch cudaGetLastError().";

const MistakeModel kWarmUpMistakes[] = {
    {"transposed_matrix", "matrix_product", "b is read transposed: b[col][k] instead of b[k][col].",
     "b[k][col] lies at k * cols + col.", b_transposed},
    {"transposed_matrix", "matrix_product", "a is read transposed: a[k][row] instead of a[row][k].",
     "a[row][k] lies at row * inner + k.", a_transposed},
    {"transposed_matrix", "matrix_product",
     "c is written transposed: c[col][row] instead of c[row][col].",
     "c[row][col] lies at row * cols + col.", c_transposed},
    {"error_ignored", "vector_add_too_large",
     "An error is ignored: cudaMalloc returned cudaErrorMemoryAllocation, "
     "and vector_add returned cudaSuccess.",
     kCheckHint, success},
    {"called_twice", "*_failing",
     "The call that failed is made a second time: by a macro that evaluates its argument twice, or "
     "by code that tries again (with less memory, say).",
     "Let CUDA_CHECK store the value of the call in a variable, compare that, and return that. The "
     "error of a call is returned; nothing is tried again.",
     of_again<1>, 1, 1},
    {"goes_on_after_error", "*_failing",
     "After the call that failed others are made: its error is not looked at, or not at once.",
     kCheckHint, of_again<2>, 1, 1},
    {"error_ignored", "*_failing", "An error is lost: the function returned cudaSuccess.",
     "Put every CUDA call into a macro that returns its error at once, and after every launch "
     "cudaGetLastError(). It gives an error back only once: a macro stores the value of its "
     "argument and uses that. One that evaluates its argument twice, or that asks "
     "cudaGetLastError() itself, then sees cudaSuccess.",
     of_error<0>, 1, 1},
    {"later_error", "vector_add_too_large",
     "The error is not cudaErrorMemoryAllocation (2): either cudaMalloc returned that and "
     "vector_add "
     "went on to a later error, or cudaMalloc was asked for fewer bytes than n floats have.",
     "Return the error of every CUDA call at once, and after every launch cudaGetLastError(). And "
     "does a size_t hold n * sizeof(float), from its first factor on?",
     another_error},
};

const RegisterMistakes kWarmUpMistakesRegistered(kWarmUpMistakes);

// A correct program, for the formats that inputs may have been rounded to.
Prediction correct_product(const Evidence& evidence) {
  return ProductModel(evidence).predict();
}
const ProductSum kProducts[] = {{"matrix_product", correct_product}};
const RegisterProductSums kProductsRegistered(kProducts);

}  // namespace
}  // namespace convkit::stage_02
