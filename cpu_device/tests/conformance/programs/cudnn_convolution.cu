// SPDX-License-Identifier: MIT
// Convolutions and their gradients against the sums that define them, by every algorithm that takes
// the case. Numbers are whole; those of transforms are rounded. Link with -lcudnn.
#include "../check_cudnn.h"

struct Case {
  const char* name;
  int n, c, h, w, k, r, s;  // c: of all groups
  int pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w, groups;
  cudnnConvolutionMode_t mode;
  float alpha, beta;

  int out_h() const { return (h + 2 * pad_h - dilation_h * (r - 1) - 1) / stride_h + 1; }
  int out_w() const { return (w + 2 * pad_w - dilation_w * (s - 1) - 1) / stride_w + 1; }

  // Calls visit(place in x, in w, in y) for each product.
  template <class Visit>
  void for_each_product(const Visit& visit) const {
    const int channels = c / groups, filters = k / groups, oh = out_h(), ow = out_w();
    for (int i = 0; i < n * k * oh * ow; ++i) {
      const int q = i % ow, p = i / ow % oh, m = i / (ow * oh) % k, image = i / (ow * oh * k);
      for (int j = 0; j < channels * r * s; ++j) {
        const int v = j % s, u = j / s % r, channel = j / (s * r);
        const bool cross = mode == CUDNN_CROSS_CORRELATION;
        const int y = p * stride_h - pad_h + (cross ? u : r - 1 - u) * dilation_h;
        const int x = q * stride_w - pad_w + (cross ? v : s - 1 - v) * dilation_w;
        if (y < 0 || y >= h || x < 0 || x >= w) continue;
        const int from = m / filters * channels + channel;
        visit(((image * c + from) * h + y) * w + x, ((m * channels + channel) * r + u) * s + v, i);
      }
    }
  }
};

bool agree(const Case& test, const std::vector<float>& sums, const std::vector<float>& before,
           const DeviceArray<float>& result) {
  const std::vector<float> got = result.host();
  for (std::size_t i = 0; i < got.size(); ++i) {
    const float expected = test.alpha * sums[i] + (test.beta == 0 ? 0 : test.beta * before[i]);
    if (!(std::fabs(got[i] - expected) < 0.25f)) return false;
  }
  return true;
}

template <class Perf, class List, class Run>
bool all_algorithms(const List& list, const Run& run) {
  Perf perf[16];
  int count = 0, works = 0;
  CHECK(list(16, &count, perf));
  bool good = true;
  for (int i = 0; i < count; ++i) {
    if (perf[i].status != CUDNN_STATUS_SUCCESS) continue;
    const DeviceArray<char> workspace(perf[i].memory + 1);
    good = good && run(perf[i].algo, workspace.data(), perf[i].memory);
    ++works;
  }
  return good && works > 0;
}

void run(const Case& test, cudnnHandle_t dnn) {
  const int oh = test.out_h(), ow = test.out_w(), channels = test.c / test.groups;
  const Tensor x_desc(test.n, test.c, test.h, test.w), y_desc(test.n, test.k, oh, ow);
  const Filter w_desc(test.k, channels, test.r, test.s);
  const Convolution conv(test.pad_h, test.pad_w, test.stride_h, test.stride_w, test.dilation_h,
                         test.dilation_w, test.mode);
  CHECK(cudnnSetConvolutionGroupCount(conv, test.groups));
  const auto x = numbers(static_cast<std::size_t>(test.n * test.c * test.h * test.w), 1);
  const auto w = numbers(static_cast<std::size_t>(test.k * channels * test.r * test.s), 2);
  const auto y = numbers(static_cast<std::size_t>(test.n * test.k * oh * ow), 3);
  std::vector<float> y_sums(y.size()), x_sums(x.size()), w_sums(w.size());
  test.for_each_product([&](int in_x, int in_w, int in_y) {
    y_sums[in_y] += x[in_x] * w[in_w];
    x_sums[in_x] += y[in_y] * w[in_w];
    w_sums[in_w] += x[in_x] * y[in_y];
  });
  const DeviceArray<float> d_x(x), d_w(w), d_y(y);
  const float *alpha = &test.alpha, *beta = &test.beta;

  const bool forward = all_algorithms<cudnnConvolutionFwdAlgoPerf_t>(
      [&](auto... arguments) {
        return cudnnGetConvolutionForwardAlgorithm_v7(dnn, x_desc, w_desc, conv, y_desc,
                                                      arguments...);
      },
      [&](cudnnConvolutionFwdAlgo_t algorithm, void* workspace, size_t bytes) {
        const DeviceArray<float> result(y);
        CHECK(cudnnConvolutionForward(dnn, alpha, x_desc, d_x.data(), w_desc, d_w.data(), conv,
                                      algorithm, workspace, bytes, beta, y_desc, result.data()));
        return agree(test, y_sums, y, result);
      });
  const bool to_data = all_algorithms<cudnnConvolutionBwdDataAlgoPerf_t>(
      [&](auto... arguments) {
        return cudnnGetConvolutionBackwardDataAlgorithm_v7(dnn, w_desc, y_desc, conv, x_desc,
                                                           arguments...);
      },
      [&](cudnnConvolutionBwdDataAlgo_t algorithm, void* workspace, size_t bytes) {
        const DeviceArray<float> result(x);
        CHECK(cudnnConvolutionBackwardData(dnn, alpha, w_desc, d_w.data(), y_desc, d_y.data(), conv,
                                           algorithm, workspace, bytes, beta, x_desc,
                                           result.data()));
        return agree(test, x_sums, x, result);
      });
  const bool to_filter = all_algorithms<cudnnConvolutionBwdFilterAlgoPerf_t>(
      [&](auto... arguments) {
        return cudnnGetConvolutionBackwardFilterAlgorithm_v7(dnn, x_desc, y_desc, conv, w_desc,
                                                             arguments...);
      },
      [&](cudnnConvolutionBwdFilterAlgo_t algorithm, void* workspace, size_t bytes) {
        const DeviceArray<float> result(w);
        CHECK(cudnnConvolutionBackwardFilter(dnn, alpha, x_desc, d_x.data(), y_desc, d_y.data(),
                                             conv, algorithm, workspace, bytes, beta, w_desc,
                                             result.data()));
        return agree(test, w_sums, w, result);
      });
  expect(test.name, forward && to_data && to_filter);
}

int main() {
  const Dnn dnn;
  constexpr cudnnConvolutionMode_t kCross = CUDNN_CROSS_CORRELATION, kTrue = CUDNN_CONVOLUTION;
  const Case cases[] = {
      {"plain", 2, 3, 8, 9, 4, 3, 3, 0, 0, 1, 1, 1, 1, 1, kCross, 1, 0},
      {"mirrored filter", 2, 3, 8, 9, 4, 3, 3, 1, 1, 1, 1, 1, 1, 1, kTrue, 1, 0},
      {"added to what was there", 2, 2, 7, 7, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, kCross, 2, 1},
      {"subtracted from it", 1, 2, 6, 7, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, kCross, -1, 0.5f},
      {"height unlike width", 2, 3, 11, 8, 4, 3, 2, 2, 1, 2, 3, 1, 1, 1, kCross, 1, 0},
      {"dilated", 2, 3, 11, 12, 4, 3, 3, 2, 1, 1, 1, 2, 3, 1, kCross, 1, 0},
      {"groups", 2, 6, 8, 8, 4, 3, 3, 1, 1, 1, 1, 1, 1, 2, kCross, 1, 0},
      {"each channel by itself", 1, 4, 8, 8, 8, 3, 3, 1, 1, 1, 1, 1, 1, 4, kCross, 1, 0},
      {"5 x 5", 1, 2, 12, 12, 3, 5, 5, 2, 2, 1, 1, 1, 1, 1, kCross, 1, 0},
      {"1 x 1", 2, 5, 4, 4, 3, 1, 1, 0, 0, 1, 1, 1, 1, 1, kCross, 1, 0},
      {"some of the input is left over", 1, 2, 8, 8, 2, 3, 3, 0, 0, 2, 2, 1, 1, 1, kCross, 1, 0}};
  for (const Case& test : cases) run(test, dnn);

  // A picture of 3 x 3 by hand: the window is 1 2 over 3 4.
  const DeviceArray<float> x{1, 2, 3, 4, 5, 6, 7, 8, 9}, w{1, 2, 3, 4}, y(4);
  const Tensor x_desc(1, 1, 3, 3), y_desc(1, 1, 2, 2), b_desc(1, 1, 1, 1);
  const Filter w_desc(1, 1, 2, 2);
  const float one = 1, zero = 0;
  for (const cudnnConvolutionMode_t mode : {kCross, kTrue}) {
    const Convolution conv(0, 0, 1, 1, 1, 1, mode);
    CHECK(cudnnConvolutionForward(dnn, &one, x_desc, x.data(), w_desc, w.data(), conv,
                                  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero,
                                  y_desc, y.data()));
    show(mode == kCross ? "cross-correlation" : "convolution", y);
  }
  const DeviceArray<float> bias{100};
  CHECK(cudnnConvolutionBackwardBias(dnn, &one, y_desc, y.data(), &one, b_desc, bias.data()));
  show("bias", bias);
  const Tensor two(2, 3, 1, 2), three(1, 3, 1, 1);
  const DeviceArray<float> dy{1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60}, db(3);
  const float half = 0.5f;
  CHECK(cudnnConvolutionBackwardBias(dnn, &half, two, dy.data(), &zero, three, db.data()));
  show("of three channels", db);
}

/* Prints:
plain: ok
mirrored filter: ok
added to what was there: ok
subtracted from it: ok
height unlike width: ok
dilated: ok
groups: ok
each channel by itself: ok
5 x 5: ok
1 x 1: ok
some of the input is left over: ok
cross-correlation: 37 47 67 77
convolution: 23 33 53 63
bias: 272
of three channels: 16.5 38.5 60.5
*/
