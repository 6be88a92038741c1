// SPDX-License-Identifier: MIT
// Known mistakes in a matrix product, of one's own or the library's.
#include <cmath>

#include "compare/precision.h"
#include "matrix_case.h"

namespace convkit::stage_04 {
namespace {

// c = alpha a b + beta c0, with a switch for every mistake.
struct ProductModel {
  explicit ProductModel(const Evidence& evidence)
      : rows(parameter(evidence, "rows")),
        inner(parameter(evidence, "inner")),
        cols(parameter(evidence, "cols")),
        alpha(real(evidence, "alpha", 1)),
        beta(real(evidence, "beta", 0)),
        a(input(evidence, "a")),
        b(input(evidence, "b")),
        c0(input(evidence, "c0")) {}

  int64_t rows, inner, cols;
  double alpha, beta;
  std::span<const float> a, b, c0;
  bool a_turned = false, b_turned = false, c_turned = false;
  int64_t a_step = 0, b_step = 0;  // leading dimensions, where they are wrong
  int64_t tile = 0;                // what happens beyond whole tiles of so many terms:
  enum class Edge { zero, left_out, stale, last } edge = Edge::zero;
  double bracket = 1;  // a factor of beta c0

  Prediction predict() const {
    if (int64_t(a.size()) != rows * inner || int64_t(b.size()) != inner * cols || a.empty() ||
        b.empty() || double(rows) * double(cols) * double(inner) > kMostWork) {
      return std::nullopt;
    }
    std::vector<double> c(size_t(rows * cols));
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < cols; ++j) {
        c[size_t(c_turned ? j * rows + i : i * cols + j)] = element(i, j);
      }
    }
    return c;
  }

 private:
  double product(int64_t i, int64_t j, int64_t p) const {
    const int64_t in_a = a_turned ? p * rows + i : i * (a_step ? a_step : inner) + p;
    const int64_t in_b = b_turned ? j * inner + p : p * (b_step ? b_step : cols) + j;
    if (in_a >= int64_t(a.size()) || in_b >= int64_t(b.size())) return NAN;  // outside: unknown
    return double(a[size_t(in_a)]) * double(b[size_t(in_b)]);
  }

  double element(int64_t i, int64_t j) const {
    double sum = 0;
    const int64_t whole = tile ? inner / tile * tile : inner;
    for (int64_t p = 0; p < whole; ++p) sum += product(i, j, p);
    if (edge == Edge::stale) {
      for (int64_t p = whole; p < inner; ++p) sum += product(i, j, p);
      // The rest of the last tile still holds what was there in the tile before.
      for (int64_t p = inner; whole < inner && p < whole + tile; ++p) {
        if (p < tile) return predicted_anything();
        sum += product(i, j, p - tile);
      }
    }
    if (edge == Edge::last) {
      for (int64_t p = whole; p < inner; ++p) sum += product(i, j, p);
      if (whole < inner) sum += double(whole + tile - inner) * product(i, j, inner - 1);
    }
    if (std::isnan(sum)) return predicted_anything();
    const bool has_c0 = !c0.empty() && beta != 0;
    return alpha * sum + (has_c0 ? bracket * beta * double(c0[size_t(i * cols + j)]) : 0);
  }
};

template <class Change>
Prediction with(const Evidence& evidence, Change change) {
  ProductModel model(evidence);
  change(model);
  return model.predict();
}

// With tiles of so many terms. Nobody tells the grader their size: the usual ones are tried.
template <int kTile, ProductModel::Edge kEdge>
Prediction beyond_whole_tiles(const Evidence& evidence) {
  ProductModel model(evidence);
  if (model.inner % kTile == 0) return std::nullopt;
  model.tile = kTile, model.edge = kEdge;
  return model.predict();
}

// 0 times NaN is NaN.
Prediction c_read_with_beta_zero(const Evidence& evidence) {
  const ProductModel model(evidence);
  auto c = model.predict();
  if (!c || model.beta != 0 || model.c0.size() != c->size()) return std::nullopt;
  for (size_t k = 0; k < c->size(); ++k) (*c)[k] += 0 * double(model.c0[k]);
  return c;
}

Prediction as_it_was(const Evidence& evidence) {
  const ProductModel model(evidence);
  if (model.alpha != 0 || model.beta == 0 || model.c0.empty()) return std::nullopt;
  return std::vector<double>(model.c0.begin(), model.c0.end());
}

// (With alpha = 0 it is as_it_was().)
Prediction added_to_c(const Evidence& evidence) {
  if (ProductModel(evidence).alpha == 0) return std::nullopt;
  return with(evidence, [](ProductModel& model) { model.beta = model.beta != 0 ? 1 : 0; });
}

// What c held was never set.
Prediction unset_read_with_beta_zero(const Evidence& evidence) {
  return std::vector<double>(evidence.reference.f64.size(), predicted_from_unwritten());
}

// Only whole tiles of rows and columns are written.
Prediction whole_tiles(const Evidence& evidence) {
  const int64_t rows = parameter(evidence, "rows"), cols = parameter(evidence, "cols");
  const auto& reference = evidence.reference.f64;
  if (int64_t(reference.size()) != rows * cols) return std::nullopt;
  const auto unwritten = [&](int64_t k) {
    return std::isnan(double(evidence.got.f32[size_t(k)])) && !std::isnan(reference[size_t(k)]);
  };
  if (int64_t(evidence.got.f32.size()) != rows * cols) return std::nullopt;
  int64_t written_rows = 0, written_cols = 0;
  while (written_rows < rows && !unwritten(written_rows * cols)) ++written_rows;
  while (written_cols < cols && !unwritten(written_cols)) ++written_cols;
  const auto whole = [](int64_t written, int64_t size) {
    return written == size || (written > 0 && written % 4 == 0);
  };
  if (!whole(written_rows, rows) || !whole(written_cols, cols)) return std::nullopt;
  std::vector<double> c(reference.size());
  for (int64_t k = 0; k < rows * cols; ++k) {
    const bool inside = k / cols < written_rows && k % cols < written_cols;
    c[size_t(k)] = inside ? reference[size_t(k)] : predicted_unwritten();
  }
  return c;
}

constexpr const char* kProducts = "gemm_[tbf]*";
constexpr const char* kScaled = "gemm_fast_scaled";
constexpr const char* kStepHint =
    "Element (i, j) of a row-major matrix lies at i * columns + j: a has k columns, b and c n.";
constexpr const char* kTermHint =
    "The number of steps is the quotient rounded up; "
    "what lies beyond the last term is zero in both tiles.";

#define CONVKIT_WITH(change) \
  [](const Evidence& evidence) { return with(evidence, [](ProductModel& model) { change; }); }

#define CONVKIT_LEFT_OUT(tile)                                                                    \
  {                                                                                               \
    "terms_left_out", kProducts,                                                                  \
        "The last terms of the sums are missing: only whole tiles of them are added.", kTermHint, \
        beyond_whole_tiles<tile, ProductModel::Edge::left_out>                                    \
  }
#define CONVKIT_STALE(tile)                                                                     \
  {                                                                                             \
    "stale_edge", kProducts,                                                                    \
        "The last step multiplies what the step before has left in the tiles: elements beyond " \
        "the "                                                                                  \
        "edge are skipped instead of set to zero.",                                             \
        kTermHint, beyond_whole_tiles<tile, ProductModel::Edge::stale>                          \
  }

#define CONVKIT_LAST(tile)                                                                     \
  {                                                                                            \
    "last_term_again", kProducts,                                                              \
        "The last product of the sum is added again for each one that is missing in the last " \
        "tile: its index ends at k - 1 where there should be zeros.",                          \
        kTermHint, beyond_whole_tiles<tile, ProductModel::Edge::last>                          \
  }

const MistakeModel kProductMistakes[] = {
    {"transposed_product", kProducts, "b is read transposed: b[col][p] instead of b[p][col].",
     kStepHint, CONVKIT_WITH(model.b_turned = true)},
    {"transposed_product", kProducts, "a is read transposed: a[p][row] instead of a[row][p].",
     kStepHint, CONVKIT_WITH(model.a_turned = true)},
    {"transposed_product", kProducts, "c is written transposed: c[col][row].", kStepHint,
     CONVKIT_WITH(model.c_turned = true)},
    {"leading_dimension", kProducts, "The rows of b are taken to be k elements long instead of n.",
     kStepHint, CONVKIT_WITH(model.b_step = model.inner)},
    {"leading_dimension", kProducts, "The rows of a are taken to be n elements long instead of k.",
     kStepHint, CONVKIT_WITH(model.a_step = model.cols)},
    {"leading_dimension", kProducts, "The rows of a are taken to be m elements long instead of k.",
     kStepHint, CONVKIT_WITH(model.a_step = model.rows)},
    CONVKIT_LEFT_OUT(4),
    CONVKIT_LEFT_OUT(8),
    CONVKIT_LEFT_OUT(16),
    CONVKIT_LEFT_OUT(32),
    CONVKIT_LEFT_OUT(64),
    CONVKIT_STALE(4),
    CONVKIT_STALE(8),
    CONVKIT_STALE(16),
    CONVKIT_STALE(32),
    CONVKIT_STALE(64),
    CONVKIT_LAST(4),
    CONVKIT_LAST(8),
    CONVKIT_LAST(16),
    CONVKIT_LAST(32),
    CONVKIT_LAST(64),
    {"product_truncated", kProducts,
     "Only whole tiles are written: the last rows or columns are missing.",
     "The number of blocks is the quotient rounded up, (n + tile - 1) / tile.", whole_tiles},
    {"alpha_ignored", kScaled, "alpha is not used.", "c = alpha a b + beta c.",
     CONVKIT_WITH(model.alpha = 1)},
    {"beta_ignored", kScaled, "beta is not used: what c held is gone.", "c = alpha a b + beta c.",
     CONVKIT_WITH(model.beta = 0)},
    {"beta_ignored", kScaled, "beta is not used: the product is added to c as it is.",
     "c = alpha a b + beta c.", added_to_c},
    {"nothing_for_alpha_zero", kScaled,
     "c is left as it was, but alpha = 0 leaves beta c to be computed.", "c = alpha a b + beta c.",
     as_it_was},
    {"c_read_with_beta_zero", kScaled,
     "c was read although beta is 0: where it held NaN, the result is NaN.",
     "0 times NaN is NaN. Where beta is 0, c is only written.", c_read_with_beta_zero, 1, 1},
    {"c_read_with_beta_zero", "gemm_fast",
     "c was read although beta is 0: it was never set, and 0 times NaN is NaN.",
     "Where beta is 0, c is only written.", unset_read_with_beta_zero, 1, 1},
    {"alpha_on_both", kScaled, "alpha multiplies c as well.", "c = alpha a b + beta c.",
     CONVKIT_WITH(model.bracket = model.alpha)},
};

const RegisterMistakes kProductMistakesRegistered(kProductMistakes);

Prediction correct_product(const Evidence& evidence) {
  return ProductModel(evidence).predict();
}
const ProductSum kProductSums[] = {{"gemm_*", correct_product}};
const RegisterProductSums kProductSumsRegistered(kProductSums);

}  // namespace
}  // namespace convkit::stage_04
