// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/reduction.h"

#include <cmath>
#include <limits>
#include <vector>

#include "cpu_device/dnn/rows.h"

namespace convkit::simt::dnn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Sum {
  static constexpr double kStart = 0;
  static double of(double x) { return x; }
  static double join(double a, double b) { return a + b; }
};
struct AbsoluteSum : Sum {
  static double of(double x) { return std::abs(x); }
};
struct SquareSum : Sum {
  static double of(double x) { return x * x; }
};
struct Product {
  static constexpr double kStart = 1;
  static double of(double x) { return x; }
  static double join(double a, double b) { return a * b; }
};
struct ProductWithoutZeros : Product {
  static double of(double x) { return x == 0 ? 1 : x; }
};

// A NaN is the result where it is to be handed on, and passed over elsewhere.
template <bool kHandsOn>
struct Least {
  static constexpr double kStart = kInfinity;
  static double of(double x) { return x; }
  static double join(double a, double b) {
    if (std::isnan(b)) return kHandsOn ? b : a;
    return b < a ? b : a;
  }
};
template <bool kHandsOn>
struct Greatest {
  static constexpr double kStart = -kInfinity;
  static double of(double x) { return x; }
  static double join(double a, double b) {
    if (std::isnan(b)) return kHandsOn ? b : a;
    return b > a ? b : a;
  }
};
template <bool kHandsOn>
struct GreatestAbsolute : Greatest<kHandsOn> {
  static double of(double x) { return std::abs(x); }
};

// A row that becomes one number: several at a time, as one after another each waits for the last.
template <class Op>
double reduced_row(const float* a, int64_t step, int64_t count) {
  constexpr int64_t kLanes = 8;
  double lane[kLanes];
  std::fill_n(lane, kLanes, Op::kStart);
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int64_t j = 0; j < kLanes; ++j) {
      lane[j] = Op::join(lane[j], Op::of(double{a[(i + j) * step]}));
    }
  }
  for (; i < count; ++i) lane[0] = Op::join(lane[0], Op::of(double{a[i * step]}));
  double result = lane[0];
  for (int64_t j = 1; j < kLanes; ++j) result = Op::join(result, lane[j]);
  return result;
}

template <class Op>
std::vector<double> reduced(const float* a, const cudnnTensorStruct& a_tensor,
                            const cudnnTensorStruct& c_tensor) {
  std::vector<double> result(static_cast<size_t>(extent(c_tensor)), Op::kStart);
  rows_of(a_tensor, c_tensor).visit([&](const auto& begin, const auto& step, int64_t count) {
    double* to = result.data() + begin[1];
    const float* from = a + begin[0];
    if (step[1] == 0) {
      *to = Op::join(*to, reduced_row<Op>(from, step[0], count));
    } else {
      for (int64_t i = 0; i < count; ++i) {
        to[i * step[1]] = Op::join(to[i * step[1]], Op::of(double{from[i * step[0]]}));
      }
    }
  });
  return result;
}

using Reduced = std::vector<double> (*)(const float*, const cudnnTensorStruct&,
                                        const cudnnTensorStruct&);

Reduced by(cudnnReduceTensorOp_t operation, bool hands_on) {
  switch (operation) {
    case CUDNN_REDUCE_TENSOR_MUL:
      return reduced<Product>;
    case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS:
      return reduced<ProductWithoutZeros>;
    case CUDNN_REDUCE_TENSOR_MIN:
      return hands_on ? reduced<Least<true>> : reduced<Least<false>>;
    case CUDNN_REDUCE_TENSOR_MAX:
      return hands_on ? reduced<Greatest<true>> : reduced<Greatest<false>>;
    case CUDNN_REDUCE_TENSOR_AMAX:
      return hands_on ? reduced<GreatestAbsolute<true>> : reduced<GreatestAbsolute<false>>;
    case CUDNN_REDUCE_TENSOR_NORM1:
      return reduced<AbsoluteSum>;
    case CUDNN_REDUCE_TENSOR_NORM2:
      return reduced<SquareSum>;
    default:
      return reduced<Sum>;
  }
}

}  // namespace

void reduce(cudnnReduceTensorOp_t operation, cudnnNanPropagation_t nan, Factors factors,
            const float* a, const cudnnTensorStruct& a_tensor, float* c,
            const cudnnTensorStruct& c_tensor) {
  const std::vector<double> values =
      by(operation, nan == CUDNN_PROPAGATE_NAN)(a, a_tensor, c_tensor);
  double members = 1;
  for (int i = 0; i < a_tensor.dims; ++i) {
    members *= static_cast<double>(a_tensor.size[i]) / c_tensor.size[i];
  }
  blend_rows(rows_of(c_tensor), factors, c, [&](const auto& at) {
    const double value = values[static_cast<size_t>(at[0])];
    if (operation == CUDNN_REDUCE_TENSOR_AVG) return static_cast<float>(value / members);
    if (operation == CUDNN_REDUCE_TENSOR_NORM2) return static_cast<float>(std::sqrt(value));
    return static_cast<float>(value);
  });
}

}  // namespace convkit::simt::dnn
