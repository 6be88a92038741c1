// SPDX-License-Identifier: MIT
// Products of matrices by a warp: how sums are rounded, and which lane holds what. (What every
// device has in common: tests/conformance/programs/wmma.cu.)
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "catch.h"
#include "simt/half_bits.h"
#include "simt/matrix_layout.h"
#include "simt/matrix_side.h"

namespace convkit::simt {
namespace {

// The first element of a * b + c, where every row of a and every column of b are `a` and `b`.
template <class D, class Factor, class C>
D product(ConvkitMatrixProduct call, const std::vector<Factor>& a, const std::vector<Factor>& b,
          C c) {
  std::vector<std::vector<Factor>> lanes_a, lanes_b;
  std::array<std::array<D, 8>, 32> lanes_d{};
  std::array<C, 8> start;
  start.fill(c);
  const int run = run_of(sizeof(Factor));
  for (int lane = 0; lane < 32; ++lane) {
    lanes_a.emplace_back();
    lanes_b.emplace_back();
    for (int i = 0; i < call.m * call.k / 32; ++i) {
      lanes_a.back().push_back(a[place_by_rows(call.m, run, lane, i).column]);
    }
    for (int i = 0; i < call.k * call.n / 32; ++i) {
      lanes_b.back().push_back(b[place_by_columns(call.k, run, lane, i).row]);
    }
  }
  std::array<ConvkitMatrixProduct, 32> calls;
  std::array<ConvkitWarpOp, 32> ops{};
  std::array<ConvkitWarpOp*, 32> lanes{};
  for (size_t lane = 0; lane < 32; ++lane) {
    calls[lane] = call;
    calls[lane].a = lanes_a[lane].data();
    calls[lane].b = lanes_b[lane].data();
    calls[lane].c = start.data();
    calls[lane].d = lanes_d[lane].data();
    const ConvkitMatrixProduct* const given = &calls[lane];
    std::memcpy(ops[lane].in, &given, sizeof given);
    lanes[lane] = &ops[lane];
  }
  convkit_simt_multiply_matrices(lanes.data(), 0xffffffff);
  return lanes_d[0][0];
}

ConvkitMatrixProduct call_of(int k, ConvkitMatrixType factors, ConvkitMatrixType c,
                             ConvkitMatrixType d) {
  return {nullptr, nullptr, nullptr, nullptr, 16, 16, k, factors, c, d, 0};
}

unsigned short half_of(double value) {
  return half_bits_from_double<Rounding::kNearest>(value);
}

const std::vector<unsigned short> kHalfOnes(16, half_of(1));

}  // namespace

TEST_CASE("products of halves are added in order, each sum rounded to a float") {
  std::vector<unsigned short> a(16, half_of(0x1p-4));  // half of the last digit of 2^20
  const auto call = call_of(16, CONVKIT_MATRIX_HALF, CONVKIT_MATRIX_FLOAT, CONVKIT_MATRIX_FLOAT);
  // Ties go to even: none of the products arrives. Without c they do.
  CHECK(product<float>(call, a, kHalfOnes, 0x1p20f) == 0x1p20f);
  CHECK(product<float>(call, a, kHalfOnes, 0.0f) == 1);
  a[0] = half_of(0.125);  // an odd last digit, so that the next goes up, and then no more
  CHECK(product<float>(call, a, kHalfOnes, 0x1p20f) == 0x1p20f + 0.25f);
}

TEST_CASE("a sum in half is rounded once, at the end") {
  const auto call = call_of(16, CONVKIT_MATRIX_HALF, CONVKIT_MATRIX_HALF, CONVKIT_MATRIX_HALF);
  // The last digit of 2048 is worth 2: rounded each time, the sum would stay there.
  const std::vector<unsigned short> a(16, half_of(0.5));
  CHECK(product<unsigned short>(call, a, kHalfOnes, half_of(2048)) == half_of(2056));
  const std::vector<unsigned short> large(16, half_of(8192));
  CHECK(product<unsigned short>(call, large, kHalfOnes, half_of(0)) == kHalfInfinity);
}

TEST_CASE("a NaN among floats becomes the GPU's own") {
  std::vector<unsigned short> a(16, half_of(1));
  a[3] = 0x7c01;
  const auto call = call_of(16, CONVKIT_MATRIX_HALF, CONVKIT_MATRIX_FLOAT, CONVKIT_MATRIX_FLOAT);
  const float sum = product<float>(call, a, kHalfOnes, 0.0f);
  CHECK(bits_as<unsigned>(sum) == 0x7fffffffu);
}

TEST_CASE("of a TF32 factor the last 13 bits do not count") {
  const auto call = call_of(8, CONVKIT_MATRIX_TF32, CONVKIT_MATRIX_FLOAT, CONVKIT_MATRIX_FLOAT);
  const std::vector<float> a(8, 1 + 0x1.ffep-11f), ones(8, 1.0f);
  CHECK(product<float>(call, a, ones, 0.0f) == 8);
  CHECK(product<float>(call, std::vector<float>(8, 1 + 0x1p-10f), ones, 0.0f) == 8 + 0x1p-7f);
}

TEST_CASE("doubles are added by fused operations") {
  ConvkitMatrixProduct call =
      call_of(4, CONVKIT_MATRIX_DOUBLE, CONVKIT_MATRIX_DOUBLE, CONVKIT_MATRIX_DOUBLE);
  call.m = call.n = 8;
  const double third = 1.0 / 3;
  const std::vector<double> a = {third, 0, 0, 0}, b = {3, 0, 0, 0};
  CHECK(product<double>(call, a, b, -1.0) == std::fma(third, 3.0, -1.0));
  CHECK(product<double>(call, a, b, -1.0) != 0);
}

TEST_CASE("the lanes of a warp hold every element of a matrix once") {
  using Places = std::set<std::pair<int, int>>;
  for (const int rows : {8, 16, 32}) {
    for (const int run : {1, 2, 4}) {
      const int columns = run == 1 ? 8 : 16;
      Places by_rows, by_columns;
      for (int lane = 0; lane < 32; ++lane) {
        for (int i = 0; i < rows * columns / 32; ++i) {
          const MatrixPlace a = place_by_rows(rows, run, lane, i);
          const MatrixPlace b = place_by_columns(columns, run, lane, i);
          by_rows.emplace(a.row, a.column);
          by_columns.emplace(b.column, b.row);
        }
      }
      INFO(rows << " x " << columns << " in runs of " << run);
      CHECK(by_rows.size() == static_cast<size_t>(rows * columns));
      CHECK(by_columns == by_rows);
      CHECK(*by_rows.rbegin() == std::pair(rows - 1, columns - 1));
    }
  }
}

TEST_CASE("accumulators lie as programs for compute capability 8.0 expect") {
  const MatrixPlace place = place_by_rows(16, 2, 13, 6);
  CHECK(place.row == 3 + 8);
  CHECK(place.column == 2 + 8);
}

}  // namespace convkit::simt
