// SPDX-License-Identifier: MIT
// Layers and sums against their formulas in double: layouts, factors, halves, NaNs.
#include <limits>

#include "scene.h"

namespace {

using namespace convkit::simt::dnn::test;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Layout {
  bool channels_last;
  int gap;
  cudnnDataType_t type;
};
const Layout kLayouts[] = {{false, 0, CUDNN_DATA_FLOAT},
                           {true, 0, CUDNN_DATA_FLOAT},
                           {false, 2, CUDNN_DATA_FLOAT},
                           {true, 3, CUDNN_DATA_HALF},
                           {false, 0, CUDNN_DATA_HALF}};

std::vector<double> magnitudes(const std::vector<double>& values, double least) {
  std::vector<double> result;
  for (const double value : values) result.push_back(std::abs(value) + least);
  return result;
}

struct Factors {
  float alpha, beta;
};
const Factors kFactors[] = {{1, 0}, {-2, 0.5f}};

struct Pool {
  cudnnPoolingMode_t mode;
  int window, pad, stride;
};

// The positions of x under a window, first to last.
std::vector<Sizes> under(const Pool& pool, const Sizes& x, const Sizes& y) {
  std::vector<Sizes> all;
  for (int i = 0; i < pool.window; ++i) {
    for (int j = 0; j < pool.window; ++j) {
      const int h = y[2] * pool.stride - pool.pad + i, w = y[3] * pool.stride - pool.pad + j;
      if (h >= 0 && h < x[2] && w >= 0 && w < x[3]) all.push_back({y[0], y[1], h, w});
    }
  }
  return all;
}

}  // namespace

TEST_CASE("poolings are those of the formula") {
  const Handle dnn;
  cudnnPoolingDescriptor_t pooling = nullptr;
  REQUIRE(cudnnCreatePoolingDescriptor(&pooling) == CUDNN_STATUS_SUCCESS);
  for (const Pool& pool : {Pool{CUDNN_POOLING_MAX, 2, 0, 2}, Pool{CUDNN_POOLING_MAX, 3, 1, 2},
                           Pool{CUDNN_POOLING_MAX_DETERMINISTIC, 3, 2, 1},
                           Pool{CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING, 3, 1, 2},
                           Pool{CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING, 3, 1, 1}}) {
    REQUIRE(cudnnSetPooling2dDescriptor(pooling, pool.mode, CUDNN_NOT_PROPAGATE_NAN, pool.window,
                                        pool.window, pool.pad, pool.pad, pool.stride,
                                        pool.stride) == CUDNN_STATUS_SUCCESS);
    for (const Layout& layout : kLayouts) {
      for (const auto& [alpha, beta] : kFactors) {
        const Sizes x_sizes{2, 3, 7, 8};
        Sizes y_sizes(4);
        REQUIRE(cudnnGetPoolingNdForwardOutputDim(pooling,
                                                  Tensor(x_sizes, packed(x_sizes)).descriptor(), 4,
                                                  y_sizes.data()) == CUDNN_STATUS_SUCCESS);
        const auto packed_as = [&](const Sizes& sizes) {
          return packed(sizes, layout.channels_last, layout.gap);
        };
        Tensor x(x_sizes, packed_as(x_sizes), layout.type),
            y(y_sizes, packed_as(y_sizes), layout.type),
            dy(y_sizes, packed_as(y_sizes), layout.type),
            dx(x_sizes, packed_as(x_sizes), layout.type);
        x.fill(1);
        y.fill(2);
        dy.fill(3);
        dx.fill(4);
        const bool maximum =
            pool.mode == CUDNN_POOLING_MAX || pool.mode == CUDNN_POOLING_MAX_DETERMINISTIC;
        const bool all = pool.mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
        std::vector<double> of_y, of_dx;
        std::vector<std::pair<Sizes, double>> shares;
        for_all(y_sizes, [&](const Sizes& at) {
          const std::vector<Sizes> window = under(pool, x_sizes, at);
          const double count = all ? pool.window * pool.window : static_cast<double>(window.size());
          double value = maximum ? -1e9 : 0;
          Sizes best;
          for (const Sizes& place : window) {
            if (maximum && x(place) > value) best = place;
            value = maximum ? std::max(value, x(place)) : value + x(place) / count;
            if (!maximum) shares.emplace_back(place, dy(at) / count);
          }
          if (maximum) shares.emplace_back(best, dy(at));
          of_y.push_back(double{alpha} * value + double{beta} * y(at));
        });
        for_all(x_sizes, [&](const Sizes& at) {
          double sum = 0;
          for (const auto& [place, share] : shares) sum += place == at ? share : 0;
          of_dx.push_back(double{alpha} * sum + double{beta} * dx(at));
        });
        REQUIRE(cudnnPoolingForward(dnn, pooling, &alpha, x.descriptor(), x.data(), &beta,
                                    y.descriptor(), y.data()) == CUDNN_STATUS_SUCCESS);
        REQUIRE(cudnnPoolingBackward(dnn, pooling, &alpha, y.descriptor(), y.data(),
                                     dy.descriptor(), dy.data(), x.descriptor(), x.data(), &beta,
                                     dx.descriptor(), dx.data()) == CUDNN_STATUS_SUCCESS);
        wait();
        check_close(y, of_y, magnitudes(of_y, 1));
        check_close(dx, of_dx, magnitudes(of_dx, 1));
      }
    }
  }
  cudnnDestroyPoolingDescriptor(pooling);
}

TEST_CASE("a maximum hands a NaN on where it is asked to") {
  const Handle dnn;
  const Sizes four{1, 1, 1, 4}, two{1, 1, 1, 2};
  Tensor x(four, packed(four)), y(two, packed(two));
  auto* values = static_cast<float*>(x.data());
  values[0] = 1, values[1] = kNan, values[2] = kNan, values[3] = 5;
  cudnnPoolingDescriptor_t pooling = nullptr;
  REQUIRE(cudnnCreatePoolingDescriptor(&pooling) == CUDNN_STATUS_SUCCESS);
  const float one = 1, zero = 0;
  for (const bool hands_on : {false, true}) {
    REQUIRE(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX,
                                        hands_on ? CUDNN_PROPAGATE_NAN : CUDNN_NOT_PROPAGATE_NAN, 1,
                                        2, 0, 0, 1, 2) == CUDNN_STATUS_SUCCESS);
    REQUIRE(cudnnPoolingForward(dnn, pooling, &one, x.descriptor(), x.data(), &zero, y.descriptor(),
                                y.data()) == CUDNN_STATUS_SUCCESS);
    wait();
    CHECK(std::isnan(y({0, 0, 0, 0})) == hands_on);
    CHECK(std::isnan(y({0, 0, 0, 1})) == hands_on);
    if (!hands_on) CHECK(y.all() == std::vector<double>{1, 5});
  }
  cudnnDestroyPoolingDescriptor(pooling);
}

TEST_CASE("a pooling to another size computes what it reaches") {
  const Handle dnn;
  const Sizes four{1, 1, 1, 4}, three{1, 1, 1, 3}, other{1, 2, 1, 2};
  Tensor x(four, packed(four)), y(three, packed(three)), channels(other, packed(other));
  x.fill(1);
  cudnnPoolingDescriptor_t pooling = nullptr;
  REQUIRE(cudnnCreatePoolingDescriptor(&pooling) == CUDNN_STATUS_SUCCESS);
  REQUIRE(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 1, 2, 0,
                                      0, 1, 2) == CUDNN_STATUS_SUCCESS);
  const float one = 1, zero = 0;
  const auto pool = [&](const Tensor& to) {
    return cudnnPoolingForward(dnn, pooling, &one, x.descriptor(), x.data(), &zero, to.descriptor(),
                               to.data());
  };
  CHECK(pool(y) == CUDNN_STATUS_SUCCESS);
  CHECK(pool(channels) == CUDNN_STATUS_BAD_PARAM);
  wait();
  CHECK(y({0, 0, 0, 1}) == std::max(x({0, 0, 0, 2}), x({0, 0, 0, 3})));
  CHECK(std::isnan(y({0, 0, 0, 2})));
  cudnnDestroyPoolingDescriptor(pooling);
}

TEST_CASE("sums of tensors go through every layout") {
  const Handle dnn;
  const Sizes sizes{2, 3, 4, 5}, channels{1, 3, 1, 1}, row{1, 1, 1, 5};
  for (const Layout& from : kLayouts) {
    for (const Layout& to : kLayouts) {
      if (from.type != to.type) continue;
      for (const auto& [alpha, beta] : kFactors) {
        for (const Sizes& small : {sizes, channels, row}) {
          Tensor a(small, packed(small, from.channels_last, from.gap), from.type),
              c(sizes, packed(sizes, to.channels_last, to.gap), to.type);
          a.fill(1);
          c.fill(2);
          std::vector<double> expected;
          for_all(sizes, [&](const Sizes& at) {
            Sizes in_a = at;
            for (size_t i = 0; i < 4; ++i) {
              if (small[i] == 1) in_a[i] = 0;
            }
            expected.push_back(double{alpha} * a(in_a) + double{beta} * c(at));
          });
          REQUIRE(cudnnAddTensor(dnn, &alpha, a.descriptor(), a.data(), &beta, c.descriptor(),
                                 c.data()) == CUDNN_STATUS_SUCCESS);
          wait();
          check_close(c, expected, magnitudes(expected, 1));
        }
      }
    }
  }
}

TEST_CASE("reductions are those of the formula") {
  const Handle dnn;
  cudnnReduceTensorDescriptor_t reduction = nullptr;
  REQUIRE(cudnnCreateReduceTensorDescriptor(&reduction) == CUDNN_STATUS_SUCCESS);
  const Sizes sizes{2, 3, 4, 5};
  for (const Layout& layout : kLayouts) {
    for (int op = CUDNN_REDUCE_TENSOR_ADD; op <= CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS; ++op) {
      REQUIRE(cudnnSetReduceTensorDescriptor(reduction, static_cast<cudnnReduceTensorOp_t>(op),
                                             CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN,
                                             CUDNN_REDUCE_TENSOR_NO_INDICES,
                                             CUDNN_32BIT_INDICES) == CUDNN_STATUS_SUCCESS);
      for (const Sizes& small :
           {Sizes{1, 3, 1, 1}, Sizes{1, 1, 1, 1}, Sizes{2, 1, 4, 1}, Sizes{1, 3, 4, 5}, sizes}) {
        for (const auto& [alpha, beta] : kFactors) {
          Tensor a(sizes, packed(sizes, layout.channels_last, layout.gap), layout.type),
              c(small, packed(small, layout.channels_last, layout.gap), layout.type);
          a.fill(1);
          c.fill(2);
          std::vector<double> expected;
          for_all(small, [&](const Sizes& to) {
            std::vector<double> members;
            for_all(sizes, [&](const Sizes& at) {
              bool inside = true;
              for (size_t i = 0; i < 4; ++i) inside = inside && (small[i] == 1 || at[i] == to[i]);
              if (inside) members.push_back(a(at));
            });
            double sum = 0, product = 1, least = 1e9, most = -1e9, absolute = 0, squares = 0;
            for (const double each : members) {
              sum += each;
              product *= each;
              least = std::min(least, each);
              most = std::max(most, each);
              absolute += std::abs(each);
              squares += each * each;
            }
            const double greatest = std::max(std::abs(least), std::abs(most));
            const double results[] = {sum,      product,
                                      least,    most,
                                      greatest, sum / static_cast<double>(members.size()),
                                      absolute, std::sqrt(squares),
                                      product};
            expected.push_back(double{alpha} * results[op] + double{beta} * c(to));
          });
          size_t bytes = 0;
          REQUIRE(cudnnGetReductionWorkspaceSize(dnn, reduction, a.descriptor(), c.descriptor(),
                                                 &bytes) == CUDNN_STATUS_SUCCESS);
          const Sizes bytes_size{1, 1, 1, static_cast<int>(bytes) + 1};
          Tensor workspace(bytes_size, packed(bytes_size));
          REQUIRE(cudnnReduceTensor(dnn, reduction, nullptr, 0, workspace.data(), bytes, &alpha,
                                    a.descriptor(), a.data(), &beta, c.descriptor(),
                                    c.data()) == CUDNN_STATUS_SUCCESS);
          wait();
          check_close(c, expected, magnitudes(expected, 1));
          if (bytes > 0) {
            CHECK(cudnnReduceTensor(dnn, reduction, nullptr, 0, workspace.data(), bytes - 1, &alpha,
                                    a.descriptor(), a.data(), &beta, c.descriptor(),
                                    c.data()) == CUDNN_STATUS_BAD_PARAM);
          }
        }
      }
    }
  }
  cudnnDestroyReduceTensorDescriptor(reduction);
}

TEST_CASE("dropout draws what its states say, and the gradient goes the same way") {
  const Handle dnn;
  const Sizes sizes{4, 3, 25, 11};
  cudnnDropoutDescriptor_t dropout = nullptr;
  REQUIRE(cudnnCreateDropoutDescriptor(&dropout) == CUDNN_STATUS_SUCCESS);
  size_t states_bytes = 0, reserve_bytes = 0;
  REQUIRE(cudnnDropoutGetStatesSize(dnn, &states_bytes) == CUDNN_STATUS_SUCCESS);
  Tensor x(sizes, packed(sizes)), y(sizes, packed(sizes, true, 2)), again(sizes, packed(sizes)),
      dx(sizes, packed(sizes));
  REQUIRE(cudnnDropoutGetReserveSpaceSize(x.descriptor(), &reserve_bytes) == CUDNN_STATUS_SUCCESS);
  x.fill(1);
  const Sizes raw{1, 1, 1, static_cast<int>(states_bytes + reserve_bytes)};
  Tensor states(raw, packed(raw)), reserve(raw, packed(raw));
  const auto forward = [&](const Tensor& to) {
    return cudnnDropoutForward(dnn, dropout, x.descriptor(), x.data(), to.descriptor(), to.data(),
                               reserve.data(), reserve_bytes);
  };
  constexpr float kProbability = 0.25f;
  REQUIRE(cudnnSetDropoutDescriptor(dropout, dnn, kProbability, states.data(), states_bytes, 7) ==
          CUDNN_STATUS_SUCCESS);
  REQUIRE(forward(y) == CUDNN_STATUS_SUCCESS);
  REQUIRE(cudnnDropoutBackward(dnn, dropout, x.descriptor(), x.data(), dx.descriptor(), dx.data(),
                               reserve.data(), reserve_bytes) == CUDNN_STATUS_SUCCESS);
  wait();
  int dropped = 0;
  for_all(sizes, [&](const Sizes& at) {
    if (y(at) == 0) {
      ++dropped;
    } else {
      CHECK(y(at) == Approx(x(at) / 0.75));
    }
    REQUIRE(dx(at) == y(at));
  });
  CHECK(dropped > 3300 * 0.25 - 100);
  CHECK(dropped < 3300 * 0.25 + 100);
  CHECK(y.gaps_are_untouched());

  // The next call draws others; the same seed the same again; restored states go on.
  REQUIRE(forward(again) == CUDNN_STATUS_SUCCESS);
  wait();
  const std::vector<double> second = again.all();
  CHECK(second != y.all());
  REQUIRE(cudnnSetDropoutDescriptor(dropout, dnn, kProbability, states.data(), states_bytes, 7) ==
          CUDNN_STATUS_SUCCESS);
  REQUIRE(forward(again) == CUDNN_STATUS_SUCCESS);
  wait();
  CHECK(again.all() == y.all());
  REQUIRE(cudnnRestoreDropoutDescriptor(dropout, dnn, kProbability, states.data(), states_bytes,
                                        7) == CUDNN_STATUS_SUCCESS);
  REQUIRE(forward(again) == CUDNN_STATUS_SUCCESS);
  wait();
  CHECK(again.all() == second);

  for (const float all : {0.0f, 1.0f}) {
    REQUIRE(cudnnSetDropoutDescriptor(dropout, dnn, all, states.data(), states_bytes, 7) ==
            CUDNN_STATUS_SUCCESS);
    REQUIRE(forward(again) == CUDNN_STATUS_SUCCESS);
    wait();
    CHECK(again.all() == (all == 0 ? x.all() : std::vector<double>(3300)));
  }
  CHECK(cudnnSetDropoutDescriptor(dropout, dnn, 1.5f, states.data(), states_bytes, 7) ==
        CUDNN_STATUS_BAD_PARAM);
  CHECK(cudnnSetDropoutDescriptor(dropout, dnn, kProbability, states.data(), states_bytes - 1, 7) ==
        CUDNN_STATUS_BAD_PARAM);
  cudnnDestroyDropoutDescriptor(dropout);
}
