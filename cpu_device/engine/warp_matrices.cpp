// SPDX-License-Identifier: MIT
// Tensor cores (mma.h): what the lane that comes last to a matrix function does for its warp.
//
// An element of d is the element of c, to which the products are added in the order of k. Of
// halves,
// __nv_bfloat16 and TF32 each product is exact in a float, unless it leaves float's range, and each
// sum is a float rounded to nearest; a half of d is rounded once, at the end. (A GPU adds several
// products at once and cuts off what is far below the largest one; how is not documented.) Doubles
// are added by fused operations, as PTX says. Of integers the whole sum is exact; then it wraps or
// is cut to the range.
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/hooks.h"
#include "simt/half_bits.h"
#include "simt/matrix_layout.h"
#include "simt/matrix_side.h"
#include "simt/warp_op.h"

namespace convkit::simt {
namespace {

constexpr int kLanes = 32;
constexpr size_t kMostElements = 512;  // of a matrix: 32 x 16

// The numbers of a type of elements, which lie in fragments as `Bits`.
struct HalfNumbers {
  using Bits = unsigned short;
  static float number(Bits bits) { return float_from_half_bits(bits); }
  static Bits stored(float sum, bool) {
    return half_bits_from_double<Rounding::kNearest>(static_cast<double>(sum));
  }
};
struct Bfloat16Numbers {
  using Bits = unsigned short;
  static float number(Bits bits) { return bits_as<float>(static_cast<unsigned>(bits) << 16); }
};
// The 13 last bits of a float do not count.
struct Tf32Numbers {
  using Bits = unsigned;
  static float number(Bits bits) { return bits_as<float>(bits & 0xffffe000u); }
};
struct FloatNumbers {
  using Bits = float;
  static float number(Bits value) { return value; }
  // All NaNs are the GPU's own.
  static Bits stored(float sum, bool) { return sum != sum ? bits_as<float>(0x7fffffffu) : sum; }
};
struct DoubleNumbers {
  using Bits = double;
  static double number(Bits value) { return value; }
  static Bits stored(double sum, bool) { return sum; }
};
template <class Integer>
struct IntegerNumbers {
  using Bits = Integer;
  static int64_t number(Bits value) { return value; }
  static Bits stored(int64_t sum, bool saturate) {
    constexpr int64_t kLeast = std::numeric_limits<Integer>::min(),
                      kMost = std::numeric_limits<Integer>::max();
    if (saturate) sum = sum < kLeast ? kLeast : sum > kMost ? kMost : sum;
    return static_cast<Integer>(sum);
  }
};

inline double multiply_add(double a, double b, double sum) {
  return __builtin_fma(a, b, sum);
}
inline float multiply_add(float a, float b, float sum) {
  return a * b + sum;  // alike with an FMA, as the product is exact
}
inline int64_t multiply_add(int64_t a, int64_t b, int64_t sum) {
  return a * b + sum;
}

const ConvkitMatrixProduct& product_of(const ConvkitWarpOp& op) {
  const ConvkitMatrixProduct* product;
  std::memcpy(&product, op.in, sizeof product);
  return *product;
}

// One matrix of a product, in rows, put together from the fragments of all lanes.
template <class Numbers, class Place>
auto gathered(Lanes lanes, const void* ConvkitMatrixProduct::*fragment, int rows, int columns,
              const Place& place) {
  using Bits = typename Numbers::Bits;
  std::array<decltype(Numbers::number(Bits{})), kMostElements> matrix;
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto* elements = static_cast<const Bits*>(product_of(*lanes[lane]).*fragment);
    for (int i = 0; i < rows * columns / kLanes; ++i) {
      const MatrixPlace at = place(lane, i);
      matrix[static_cast<size_t>(at.row * columns + at.column)] = Numbers::number(elements[i]);
    }
  }
  return matrix;
}

template <class Factors, class NumbersOfC, class NumbersOfD>
void multiply(Lanes lanes) {
  const ConvkitMatrixProduct& call = product_of(*lanes[0]);
  const int m = call.m, n = call.n, k = call.k, run = run_of(sizeof(typename Factors::Bits));
  const auto place_in_sums = [m](int lane, int i) { return place_by_rows(m, 2, lane, i); };
  const auto a = gathered<Factors>(lanes, &ConvkitMatrixProduct::a, m, k,
                                   [&](int lane, int i) { return place_by_rows(m, run, lane, i); });
  const auto b = gathered<Factors>(lanes, &ConvkitMatrixProduct::b, k, n, [&](int lane, int i) {
    return place_by_columns(k, run, lane, i);
  });
  auto sums = gathered<NumbersOfC>(lanes, &ConvkitMatrixProduct::c, m, n, place_in_sums);
  for (int row = 0; row < m; ++row) {
    auto* const sum = &sums[static_cast<size_t>(row * n)];
    for (int inner = 0; inner < k; ++inner) {
      const auto factor = a[static_cast<size_t>(row * k + inner)];
      const auto* const b_row = &b[static_cast<size_t>(inner * n)];
      for (int column = 0; column < n; ++column) {
        sum[column] = multiply_add(factor, b_row[column], sum[column]);
      }
    }
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    auto* d = static_cast<typename NumbersOfD::Bits*>(product_of(*lanes[lane]).d);
    for (int i = 0; i < m * n / kLanes; ++i) {
      const MatrixPlace at = place_in_sums(lane, i);
      d[i] =
          NumbersOfD::stored(sums[static_cast<size_t>(at.row * n + at.column)], call.saturate != 0);
    }
  }
}

void multiply_as_typed(Lanes lanes) {
  const ConvkitMatrixProduct& call = product_of(*lanes[0]);
  const bool half_c = call.c_type == CONVKIT_MATRIX_HALF;
  const bool half_d = call.d_type == CONVKIT_MATRIX_HALF;
  switch (call.factors) {
    case CONVKIT_MATRIX_HALF:
      if (half_c && half_d) return multiply<HalfNumbers, HalfNumbers, HalfNumbers>(lanes);
      if (half_c) return multiply<HalfNumbers, HalfNumbers, FloatNumbers>(lanes);
      if (half_d) return multiply<HalfNumbers, FloatNumbers, HalfNumbers>(lanes);
      return multiply<HalfNumbers, FloatNumbers, FloatNumbers>(lanes);
    case CONVKIT_MATRIX_BFLOAT16:
      return multiply<Bfloat16Numbers, FloatNumbers, FloatNumbers>(lanes);
    case CONVKIT_MATRIX_TF32:
      return multiply<Tf32Numbers, FloatNumbers, FloatNumbers>(lanes);
    case CONVKIT_MATRIX_SIGNED_CHAR:
      return multiply<IntegerNumbers<signed char>, IntegerNumbers<int>, IntegerNumbers<int>>(lanes);
    case CONVKIT_MATRIX_UNSIGNED_CHAR:
      return multiply<IntegerNumbers<unsigned char>, IntegerNumbers<int>, IntegerNumbers<int>>(
          lanes);
    default:
      return multiply<DoubleNumbers, DoubleNumbers, DoubleNumbers>(lanes);
  }
}

// What must be the same in all lanes, apart from where their fragments are.
bool is_same_call(const ConvkitMatrixProduct& left, const ConvkitMatrixProduct& right) {
  return left.m == right.m && left.n == right.n && left.k == right.k &&
         left.factors == right.factors && left.c_type == right.c_type &&
         left.d_type == right.d_type && left.saturate == right.saturate;
}

[[noreturn]] __attribute__((cold)) void stop_different(const ConvkitWarpOp& op, int other_lane) {
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "shuffle_mask";
  fault.sentence = "the matrix function at " + site_text(op.file, op.line) +
                   " is given other arguments by lane " + std::to_string(other_lane) +
                   " than by lane 0.";
  fault.advice =
      "The lanes of a warp load, store or multiply one matrix together: pointer, stride, layout "
      "and types are the same in all of them. Compute the pointer from the warp's number, not the "
      "thread's.";
  this_runner()->abandon(std::move(fault));
}

}  // namespace
}  // namespace convkit::simt

using namespace convkit::simt;

void convkit_simt_agree_on_matrix(ConvkitWarpOp* const* lanes, unsigned) {
  const ConvkitWarpOp& first = *lanes[0];
  for (int lane = 1; lane < kLanes; ++lane) {
    const ConvkitWarpOp& op = *lanes[lane];
    if (std::memcmp(op.in, first.in, sizeof op.in) != 0 || op.size != first.size ||
        op.detail != first.detail) {
      stop_different(first, lane);
    }
  }
  if (check_hooks) {
    ConvkitMatrixInMemory matrix;
    std::memcpy(&matrix, first.in, sizeof matrix);
    check_hooks->matrix_begins(matrix, first);
  }
}

void convkit_simt_multiply_matrices(ConvkitWarpOp* const* lanes, unsigned) {
  const ConvkitMatrixProduct& first = product_of(*lanes[0]);
  for (int lane = 1; lane < kLanes; ++lane) {
    if (!is_same_call(first, product_of(*lanes[lane]))) stop_different(*lanes[0], lane);
  }
  multiply_as_typed(lanes);
}
