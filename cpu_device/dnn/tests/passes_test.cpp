// SPDX-License-Identifier: MIT
// The three passes against the formula in double. Run twice: with oneDNN, if it was found, and with
// loops of our own.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "scene.h"

namespace {

using namespace convkit::simt::dnn::test;

struct Case {
  const char* name;
  Sizes x, w;  // of w the channels are those of a group
  Sizes pad, stride, dilation;
  int groups = 1;
  bool channels_last = false;
  int gap = 0;
  cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  float alpha = 1, beta = 0;
};

const Case kCases[] = {
    {"plain", {2, 3, 8, 9}, {4, 3, 3, 3}, {0, 0}, {1, 1}, {1, 1}},
    {"one of everything", {1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0}, {1, 1}, {1, 1}},
    {"many channels", {2, 32, 7, 7}, {48, 32, 3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {"padding, strides, another window", {2, 5, 11, 9}, {6, 5, 5, 2}, {2, 1}, {2, 3}, {1, 1}},
    {"rows that no window reaches", {1, 8, 10, 10}, {8, 8, 3, 3}, {0, 0}, {3, 3}, {1, 1}},
    {"dilation", {2, 4, 12, 12}, {8, 4, 3, 3}, {2, 1}, {1, 1}, {2, 3}},
    {"groups", {2, 6, 8, 8}, {9, 2, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 3},
    {"each channel by itself", {2, 16, 8, 8}, {16, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 16},
    {"channels last", {2, 6, 8, 8}, {5, 6, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, true},
    {"groups of channels last", {2, 8, 8, 8}, {8, 4, 3, 3}, {1, 1}, {2, 1}, {1, 1}, 2, true},
    {"gaps between rows", {2, 3, 8, 8}, {16, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, false, 3},
    {"turned around",
     {2, 3, 8, 9},
     {4, 3, 3, 2},
     {1, 0},
     {1, 1},
     {1, 1},
     1,
     false,
     0,
     CUDNN_CONVOLUTION},
    {"alpha and beta",
     {2, 3, 8, 9},
     {4, 3, 3, 3},
     {0, 0},
     {1, 1},
     {1, 1},
     1,
     false,
     0,
     CUDNN_CROSS_CORRELATION,
     CUDNN_DATA_FLOAT,
     -0.5f,
     2},
    {"turned around, alpha and beta, gaps",
     {2, 4, 8, 9},
     {4, 2, 3, 2},
     {1, 1},
     {2, 1},
     {1, 2},
     2,
     false,
     2,
     CUDNN_CONVOLUTION,
     CUDNN_DATA_FLOAT,
     3,
     1},
    {"halves",
     {2, 3, 8, 9},
     {16, 3, 3, 3},
     {1, 1},
     {1, 1},
     {1, 1},
     1,
     false,
     0,
     CUDNN_CROSS_CORRELATION,
     CUDNN_DATA_HALF},
    {"halves, channels last, alpha and beta",
     {2, 8, 6, 6},
     {16, 8, 3, 3},
     {1, 1},
     {1, 1},
     {1, 1},
     1,
     true,
     0,
     CUDNN_CROSS_CORRELATION,
     CUDNN_DATA_HALF,
     0.5f,
     1},
    {"volumes", {2, 3, 5, 6, 7}, {4, 3, 3, 2, 3}, {1, 0, 1}, {1, 2, 1}, {1, 1, 1}},
};

Sizes result_sizes(const Case& c) {
  Sizes y{c.x[0], c.w[0]};
  for (size_t i = 0; i < c.pad.size(); ++i) {
    const int reach = c.dilation[i] * (c.w[i + 2] - 1) + 1;
    y.push_back((c.x[i + 2] + 2 * c.pad[i] - reach) / c.stride[i] + 1);
  }
  return y;
}

// Calls visit(position in x, in w, in y) for each product of the convolution.
template <class Visit>
void for_each_product(const Case& c, const Sizes& y_sizes, const Visit& visit) {
  const int filters = c.w[0] / c.groups;
  for_all(y_sizes, [&](const Sizes& y) {
    for_all(Sizes(c.w.begin() + 1, c.w.end()), [&](const Sizes& tap) {
      Sizes x{y[0], y[1] / filters * c.w[1] + tap[0]}, w{y[1], tap[0]};
      for (size_t i = 0; i < c.pad.size(); ++i) {
        const int at = y[i + 2] * c.stride[i] - c.pad[i] + tap[i + 1] * c.dilation[i];
        if (at < 0 || at >= c.x[i + 2]) return;
        x.push_back(at);
        w.push_back(c.mode == CUDNN_CONVOLUTION ? c.w[i + 2] - 1 - tap[i + 1] : tap[i + 1]);
      }
      visit(x, w, y);
    });
  });
}

size_t number_of(const Sizes& sizes, const Sizes& at) {
  size_t number = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    number = number * static_cast<size_t>(sizes[i]) + static_cast<size_t>(at[i]);
  }
  return number;
}

struct Scene {
  Handle dnn;
  Tensor x, w, y;
  cudnnFilterDescriptor_t filter = nullptr;
  cudnnConvolutionDescriptor_t conv = nullptr;

  explicit Scene(const Case& c)
      : x(c.x, packed(c.x, c.channels_last, c.gap), c.type),
        w(c.w, packed(c.w, c.channels_last), c.type),
        y(result_sizes(c), packed(result_sizes(c), c.channels_last, c.gap), c.type) {
    const int space = static_cast<int>(c.pad.size());
    REQUIRE(cudnnCreateFilterDescriptor(&filter) == CUDNN_STATUS_SUCCESS);
    REQUIRE(cudnnSetFilterNdDescriptor(filter, c.type,
                                       c.channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW,
                                       space + 2, c.w.data()) == CUDNN_STATUS_SUCCESS);
    REQUIRE(cudnnCreateConvolutionDescriptor(&conv) == CUDNN_STATUS_SUCCESS);
    REQUIRE(cudnnSetConvolutionNdDescriptor(conv, space, c.pad.data(), c.stride.data(),
                                            c.dilation.data(), c.mode,
                                            CUDNN_DATA_FLOAT) == CUDNN_STATUS_SUCCESS);
    REQUIRE(cudnnSetConvolutionGroupCount(conv, c.groups) == CUDNN_STATUS_SUCCESS);
    x.fill(1);
    w.fill(2);
    y.fill(3);
  }
  ~Scene() {
    cudnnDestroyFilterDescriptor(filter);
    cudnnDestroyConvolutionDescriptor(conv);
  }
};

struct Expected {
  std::vector<double> value, magnitude;
};

// `into` and the factors of each product, by the three positions.
template <class Into, class Product>
Expected expected(const Case& c, const Scene& scene, const Tensor& result, const Into& into,
                  const Product& product) {
  const std::vector<double> before = result.all();
  Expected all{std::vector<double>(before.size()), std::vector<double>(before.size())};
  for_each_product(c, scene.y.sizes(), [&](const Sizes& x, const Sizes& w, const Sizes& y) {
    const size_t to = number_of(result.sizes(), into(x, w, y));
    const double value = double{c.alpha} * product(x, w, y);
    all.value[to] += value;
    all.magnitude[to] += std::abs(value);
  });
  for (size_t i = 0; i < before.size(); ++i) {
    all.value[i] += double{c.beta} * before[i];
    all.magnitude[i] += std::abs(double{c.beta} * before[i]);
  }
  return all;
}

}  // namespace

TEST_CASE("the passes of a convolution are those of the formula") {
  for (const Case& c : kCases) {
    INFO(c.name);
    Scene s(c);
    const Expected of_y = expected(
        c, s, s.y, [](auto&, auto&, auto& y) { return y; },
        [&](auto& x, auto& w, auto&) { return s.x(x) * s.w(w); });
    REQUIRE(cudnnConvolutionForward(s.dnn, &c.alpha, s.x.descriptor(), s.x.data(), s.filter,
                                    s.w.data(), s.conv, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                    nullptr, 0, &c.beta, s.y.descriptor(),
                                    s.y.data()) == CUDNN_STATUS_SUCCESS);
    wait();
    check_close(s.y, of_y.value, of_y.magnitude);

    s.y.fill(3);
    const Expected of_x = expected(
        c, s, s.x, [](auto& x, auto&, auto&) { return x; },
        [&](auto&, auto& w, auto& y) { return s.y(y) * s.w(w); });
    REQUIRE(cudnnConvolutionBackwardData(s.dnn, &c.alpha, s.filter, s.w.data(), s.y.descriptor(),
                                         s.y.data(), s.conv, CUDNN_CONVOLUTION_BWD_DATA_ALGO_0,
                                         nullptr, 0, &c.beta, s.x.descriptor(),
                                         s.x.data()) == CUDNN_STATUS_SUCCESS);
    wait();
    check_close(s.x, of_x.value, of_x.magnitude);

    s.x.fill(1);
    const Expected of_w = expected(
        c, s, s.w, [](auto&, auto& w, auto&) { return w; },
        [&](auto& x, auto&, auto& y) { return s.y(y) * s.x(x); });
    REQUIRE(cudnnConvolutionBackwardFilter(s.dnn, &c.alpha, s.x.descriptor(), s.x.data(),
                                           s.y.descriptor(), s.y.data(), s.conv,
                                           CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0, &c.beta,
                                           s.filter, s.w.data()) == CUDNN_STATUS_SUCCESS);
    wait();
    check_close(s.w, of_w.value, of_w.magnitude);
  }
}

TEST_CASE("a pass gives the same bits again") {
  const Case c{"", {4, 16, 12, 12}, {32, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1}};
  std::vector<double> first;
  for (int run = 0; run < 3; ++run) {
    Scene s(c);
    REQUIRE(cudnnConvolutionForward(s.dnn, &c.alpha, s.x.descriptor(), s.x.data(), s.filter,
                                    s.w.data(), s.conv, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                    nullptr, 0, &c.beta, s.y.descriptor(),
                                    s.y.data()) == CUDNN_STATUS_SUCCESS);
    wait();
    if (run == 0) first = s.y.all();
    CHECK(s.y.all() == first);
  }
}

#ifdef CONVKIT_ONEDNN_MODULE
TEST_CASE("oneDNN is opened unless it is not wanted") {
  const char* wanted = std::getenv("CONVKIT_SIMT_ONEDNN");
  const bool is_open = dlopen(CONVKIT_ONEDNN_MODULE, RTLD_NOW | RTLD_NOLOAD) != nullptr;
  CHECK(is_open == !(wanted && std::string(wanted) == "0"));
}
#endif

TEST_CASE("a convolution starts no threads") {
  const auto threads = [] {
    int count = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      count += task.is_directory() ? 1 : 0;
    }
    return count;
  };
  const Case c{"", {8, 32, 24, 24}, {64, 32, 3, 3}, {1, 1}, {1, 1}, {1, 1}};
  Scene s(c);
  const int before = threads();
  REQUIRE(cudnnConvolutionForward(s.dnn, &c.alpha, s.x.descriptor(), s.x.data(), s.filter,
                                  s.w.data(), s.conv, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                  nullptr, 0, &c.beta, s.y.descriptor(),
                                  s.y.data()) == CUDNN_STATUS_SUCCESS);
  wait();
  CHECK(threads() == before);
}
