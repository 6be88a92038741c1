// SPDX-License-Identifier: MIT
// cuDNN: convolutions. Link with -lcudnn.
#include <cuda_fp16.h>

#include "../check_cudnn.h"
#include "../parts.h"

// Lists of algorithms: what was expected to be fast, what was measured, what does not take the
// case.
namespace algorithms {

template <class Perf, class Get, class Find, class Bytes>
void lists(const char* name, int most, const Get& get, const Find& find, const Bytes& bytes) {
  Perf perf[16];
  int count = 0;
  CHECK(get(1, &count, perf));
  expect(name, count == 1 && perf[0].status == CUDNN_STATUS_SUCCESS);
  CHECK(get(16, &count, perf));
  expect("  no more than there are", count >= 1 && count <= most);
  bool right = true;
  for (int i = 0; i < count; ++i) {
    size_t needed = 0;
    const cudnnStatus_t status = bytes(perf[i].algo, &needed);
    if (perf[i].status == CUDNN_STATUS_SUCCESS) {
      right = right && status == CUDNN_STATUS_SUCCESS && needed == perf[i].memory;
    }
  }
  expect("  the workspace is what the size query says", right);
  CHECK(find(16, &count, perf));
  bool measured = count >= 1 && perf[0].status == CUDNN_STATUS_SUCCESS;
  for (int i = 0; i < count && perf[i].status == CUDNN_STATUS_SUCCESS; ++i) {
    measured = measured && perf[i].time > 0 && (i == 0 || perf[i - 1].time <= perf[i].time);
  }
  expect("  measured, the fastest first", measured);
}

PART(algorithms) {
  const Dnn dnn;
  const Tensor x(2, 4, 16, 16), y(2, 8, 16, 16), halved(2, 8, 8, 8);
  const Filter w(8, 4, 3, 3);
  const Convolution conv(1, 1, 1, 1), strided(1, 1, 2, 2);
  int most = 0;
  CHECK(cudnnGetConvolutionForwardAlgorithmMaxCount(dnn, &most));
  lists<cudnnConvolutionFwdAlgoPerf_t>(
      "forward", most,
      [&](auto... a) { return cudnnGetConvolutionForwardAlgorithm_v7(dnn, x, w, conv, y, a...); },
      [&](auto... a) { return cudnnFindConvolutionForwardAlgorithm(dnn, x, w, conv, y, a...); },
      [&](auto... a) { return cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, conv, y, a...); });
  CHECK(cudnnGetConvolutionBackwardDataAlgorithmMaxCount(dnn, &most));
  lists<cudnnConvolutionBwdDataAlgoPerf_t>(
      "backward data", most,
      [&](auto... a) {
        return cudnnGetConvolutionBackwardDataAlgorithm_v7(dnn, w, y, conv, x, a...);
      },
      [&](auto... a) {
        return cudnnFindConvolutionBackwardDataAlgorithm(dnn, w, y, conv, x, a...);
      },
      [&](auto... a) {
        return cudnnGetConvolutionBackwardDataWorkspaceSize(dnn, w, y, conv, x, a...);
      });
  CHECK(cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(dnn, &most));
  lists<cudnnConvolutionBwdFilterAlgoPerf_t>(
      "backward filter", most,
      [&](auto... a) {
        return cudnnGetConvolutionBackwardFilterAlgorithm_v7(dnn, x, y, conv, w, a...);
      },
      [&](auto... a) {
        return cudnnFindConvolutionBackwardFilterAlgorithm(dnn, x, y, conv, w, a...);
      },
      [&](auto... a) {
        return cudnnGetConvolutionBackwardFilterWorkspaceSize(dnn, x, y, conv, w, a...);
      });

  size_t bytes = 0;
  const auto size = [&](cudnnConvolutionDescriptor_t with, cudnnTensorDescriptor_t to, int algo) {
    return cudnnGetConvolutionForwardWorkspaceSize(
        dnn, x, w, with, to, static_cast<cudnnConvolutionFwdAlgo_t>(algo), &bytes);
  };
  show_status("direct", size(conv, y, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT));
  show_status("Winograd with stride 2", size(strided, halved, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD));
  show_status("FFT with stride 2", size(strided, halved, CUDNN_CONVOLUTION_FWD_ALGO_FFT));
  show_status("a result of another size", size(conv, halved, CUDNN_CONVOLUTION_FWD_ALGO_GEMM));
}

}  // namespace algorithms

/* Prints:
forward: ok
  no more than there are: ok
  the workspace is what the size query says: ok
  measured, the fastest first: ok
backward data: ok
  no more than there are: ok
  the workspace is what the size query says: ok
  measured, the fastest first: ok
backward filter: ok
  no more than there are: ok
  the workspace is what the size query says: ok
  measured, the fastest first: ok
direct: NOT_SUPPORTED
Winograd with stride 2: NOT_SUPPORTED
FFT with stride 2: NOT_SUPPORTED
a result of another size: BAD_PARAM
*/

// Find...AlgorithmEx: whatever is said to work fits into the workspace that was offered.
namespace algorithms_within_workspace {

template <class Perf, class Find>
void within(const char* name, size_t bytes, const Find& find) {
  Perf perf[16];
  int count = 0;
  CHECK(find(16, &count, perf));
  bool fits = true, sorted = true, rest_is_refused = true;
  int working = 0;
  while (working < count && perf[working].status == CUDNN_STATUS_SUCCESS) {
    fits = fits && perf[working].memory <= bytes;
    sorted = sorted && perf[working].time > 0 &&
             (working == 0 || perf[working - 1].time <= perf[working].time);
    ++working;
  }
  for (int i = working; i < count; ++i) {
    rest_is_refused = rest_is_refused && perf[i].status != CUDNN_STATUS_SUCCESS;
  }
  expect(name, working >= 1 && fits);
  expect("  the fastest first", sorted);
  expect("  the others behind", rest_is_refused);
}

PART(algorithms_within_workspace) {
  const Dnn dnn;
  const Tensor x(2, 4, 16, 16), y(2, 8, 16, 16);
  const Filter w(8, 4, 3, 3);
  const Convolution conv(1, 1, 1, 1);
  const DeviceArray<float> dx(numbers(2 * 4 * 256, 1)), dw(numbers(8 * 4 * 9, 2)),
      dy(numbers(2 * 8 * 256, 3));
  const DeviceArray<char> memory(1 << 20);
  for (const size_t bytes : {size_t(0), size_t(200), size_t(1 << 20)}) {
    void* const workspace = bytes ? memory.data() : nullptr;
    within<cudnnConvolutionFwdAlgoPerf_t>("forward", bytes, [&](auto... a) {
      return cudnnFindConvolutionForwardAlgorithmEx(dnn, x, dx.data(), w, dw.data(), conv, y,
                                                    dy.data(), a..., workspace, bytes);
    });
    within<cudnnConvolutionBwdDataAlgoPerf_t>("backward data", bytes, [&](auto... a) {
      return cudnnFindConvolutionBackwardDataAlgorithmEx(dnn, w, dw.data(), y, dy.data(), conv, x,
                                                         dx.data(), a..., workspace, bytes);
    });
    within<cudnnConvolutionBwdFilterAlgoPerf_t>("backward filter", bytes, [&](auto... a) {
      return cudnnFindConvolutionBackwardFilterAlgorithmEx(dnn, x, dx.data(), y, dy.data(), conv, w,
                                                           dw.data(), a..., workspace, bytes);
    });
  }
}

}  // namespace algorithms_within_workspace

/* Prints:
forward: ok
  the fastest first: ok
  the others behind: ok
backward data: ok
  the fastest first: ok
  the others behind: ok
backward filter: ok
  the fastest first: ok
  the others behind: ok
forward: ok
  the fastest first: ok
  the others behind: ok
backward data: ok
  the fastest first: ok
  the others behind: ok
backward filter: ok
  the fastest first: ok
  the others behind: ok
forward: ok
  the fastest first: ok
  the others behind: ok
backward data: ok
  the fastest first: ok
  the others behind: ok
backward filter: ok
  the fastest first: ok
  the others behind: ok
*/

// Convolutions and their gradients against the sums that define them, by every algorithm that takes
// the case. Numbers are whole; those of transforms are rounded.
namespace convolution {

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

PART(convolution) {
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

}  // namespace convolution

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

// A convolution with bias, a second addend and an activation in one call.
namespace convolution_activation {

PART(convolution_activation) {
  const Dnn dnn;
  const Tensor x_desc(1, 1, 3, 3), y_desc(1, 2, 2, 2), bias_desc(1, 2, 1, 1);
  const Filter w_desc(2, 1, 2, 2);
  const Convolution conv(0, 0, 1, 1);
  const Activation relu, identity;
  CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  CHECK(cudnnSetActivationDescriptor(identity, CUDNN_ACTIVATION_IDENTITY, CUDNN_NOT_PROPAGATE_NAN,
                                     0));
  constexpr auto kAlgorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
  size_t bytes = 0;
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(dnn, x_desc, w_desc, conv, y_desc, kAlgorithm,
                                                &bytes));
  const DeviceArray<char> workspace(bytes + 1);
  // The windows are 1 2 over 3 4, and 1 0 over 0 -1.
  const DeviceArray<float> x{1, 2, 3, 4, 5, 6, 7, 8, 9}, w{1, 2, 3, 4, 1, 0, 0, -1};
  const DeviceArray<float> bias{-50, 3}, z{1, 1, 1, 1, 2, 4, 6, 8}, y(8);
  const auto run = [&](const char* name, float alpha1, float alpha2, const float* addend,
                       cudnnActivationDescriptor_t activation) {
    CHECK(cudnnConvolutionBiasActivationForward(
        dnn, &alpha1, x_desc, x.data(), w_desc, w.data(), conv, kAlgorithm, workspace.data(), bytes,
        &alpha2, y_desc, addend, bias_desc, bias.data(), activation, y_desc, y.data()));
    show(name, y);
  };
  run("relu", 1, 0, z.data(), relu);
  run("identity", 1, 0, z.data(), identity);
  run("twice, and half of z", 2, 0.5f, z.data(), identity);
  run("z in place", 1, 1, y.data(), relu);
}

}  // namespace convolution_activation

/* Prints:
relu: 0 0 17 27 0 0 0 0
identity: -13 -3 17 27 -1 -1 -1 -1
twice, and half of z: 24.5 44.5 84.5 104.5 -4 -3 -2 -1
z in place: 11.5 41.5 101.5 131.5 0 0 0 0
*/

// Halves in memory, sums in float: convolutions and layers. The numbers are whole and small enough
// to be exact; factors are floats.
namespace halves {

constexpr float kOne = 1, kZero = 0, kTwo = 2;

std::vector<__half> halves(const std::vector<float>& values) {
  std::vector<__half> result;
  for (const float value : values) result.push_back(__float2half(value));
  return result;
}

std::vector<double> numbers_of(const DeviceArray<__half>& array) {
  std::vector<double> result;
  for (const __half value : array.host()) result.push_back(__half2float(value) + 0.0);
  return result;
}

void show_halves(const char* name, const DeviceArray<__half>& array) {
  show(name, numbers_of(array));
}

struct HalfTensor : Tensor {
  HalfTensor(int n, int c, int h, int w, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW) {
    CHECK(cudnnSetTensor4dDescriptor(*this, format, CUDNN_DATA_HALF, n, c, h, w));
  }
};

// In the order of the tensor: so much depends on every element that one number tells.
void show_sum(const char* name, const DeviceArray<__half>& array) {
  const std::vector<double> values = numbers_of(array);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i] * (static_cast<double>(i % 7) + 1);
  }
  show(name, values.size(), values[0], values[values.size() / 2], sum);
}

void convolve(cudnnHandle_t dnn) {
  const HalfTensor x_desc(2, 8, 6, 6), y_desc(2, 16, 4, 4);
  const Filter w_desc;
  CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_HALF, CUDNN_TENSOR_NCHW, 16, 8, 3, 3));
  const Convolution conv(0, 0, 1, 1);
  const DeviceArray<__half> x(halves(numbers(576, 1))), w(halves(numbers(1152, 2))), y(512);
  std::size_t bytes = 0;
  int count = 0;
  const auto with_workspace = [&](const auto& run) {
    const DeviceArray<char> workspace(bytes + 1);
    CHECK(run(workspace.data()));
    CHECK(cudaDeviceSynchronize());
  };
  cudnnConvolutionFwdAlgoPerf_t forward;
  CHECK(cudnnGetConvolutionForwardAlgorithm_v7(dnn, x_desc, w_desc, conv, y_desc, 1, &count,
                                               &forward));
  bytes = forward.memory;
  with_workspace([&](void* workspace) {
    return cudnnConvolutionForward(dnn, &kOne, x_desc, x.data(), w_desc, w.data(), conv,
                                   forward.algo, workspace, bytes, &kZero, y_desc, y.data());
  });
  show_sum("forward", y);
  with_workspace([&](void* workspace) {
    return cudnnConvolutionForward(dnn, &kTwo, x_desc, x.data(), w_desc, w.data(), conv,
                                   forward.algo, workspace, bytes, &kOne, y_desc, y.data());
  });
  show_sum("twice, added", y);

  const DeviceArray<__half> dy(halves(numbers(512, 3))), dx(576), dw(1152), db(16);
  cudnnConvolutionBwdDataAlgoPerf_t data;
  CHECK(cudnnGetConvolutionBackwardDataAlgorithm_v7(dnn, w_desc, y_desc, conv, x_desc, 1, &count,
                                                    &data));
  bytes = data.memory;
  with_workspace([&](void* workspace) {
    return cudnnConvolutionBackwardData(dnn, &kOne, w_desc, w.data(), y_desc, dy.data(), conv,
                                        data.algo, workspace, bytes, &kZero, x_desc, dx.data());
  });
  show_sum("backward data", dx);
  cudnnConvolutionBwdFilterAlgoPerf_t filter;
  CHECK(cudnnGetConvolutionBackwardFilterAlgorithm_v7(dnn, x_desc, y_desc, conv, w_desc, 1, &count,
                                                      &filter));
  bytes = filter.memory;
  with_workspace([&](void* workspace) {
    return cudnnConvolutionBackwardFilter(dnn, &kOne, x_desc, x.data(), y_desc, dy.data(), conv,
                                          filter.algo, workspace, bytes, &kZero, w_desc, dw.data());
  });
  show_sum("backward filter", dw);
  const HalfTensor bias_desc(1, 16, 1, 1);
  CHECK(cudnnConvolutionBackwardBias(dnn, &kOne, y_desc, dy.data(), &kZero, bias_desc, db.data()));
  show_halves("backward bias", db);
}

void layers(cudnnHandle_t dnn) {
  const HalfTensor x_desc(1, 2, 4, 4), pooled_desc(1, 2, 2, 2);
  const DeviceArray<__half> x(halves(numbers(32, 4))), y(8), dy(halves(numbers(8, 5))), dx(32);
  const Pooling pooling;
  for (const cudnnPoolingMode_t mode :
       {CUDNN_POOLING_MAX, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING}) {
    CHECK(cudnnSetPooling2dDescriptor(pooling, mode, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
    CHECK(
        cudnnPoolingForward(dnn, pooling, &kOne, x_desc, x.data(), &kZero, pooled_desc, y.data()));
    show_halves("pooled", y);
    if (mode == CUDNN_POOLING_MAX) continue;  // which of two maxima gets it, nobody says
    CHECK(cudnnPoolingBackward(dnn, pooling, &kOne, pooled_desc, y.data(), pooled_desc, dy.data(),
                               x_desc, x.data(), &kZero, x_desc, dx.data()));
    show_halves("  gradient", dx);
  }
  const Activation relu;
  CHECK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  const DeviceArray<__half> active(32), above(halves(numbers(32, 6)));
  CHECK(cudnnActivationForward(dnn, relu, &kTwo, x_desc, x.data(), &kZero, x_desc, active.data()));
  show_halves("relu, twice", active);
  CHECK(cudnnActivationBackward(dnn, relu, &kOne, x_desc, active.data(), x_desc, above.data(),
                                x_desc, x.data(), &kZero, x_desc, dx.data()));
  show_halves("  gradient", dx);

  const HalfTensor bias_desc(1, 2, 1, 1), last_desc(1, 2, 4, 4, CUDNN_TENSOR_NHWC);
  const DeviceArray<__half> bias(halves({10, -10})), last(32);
  CHECK(cudnnAddTensor(dnn, &kOne, bias_desc, bias.data(), &kOne, x_desc, active.data()));
  show_halves("with bias", active);
  CHECK(cudnnTransformTensor(dnn, &kOne, x_desc, active.data(), &kZero, last_desc, last.data()));
  show_halves("channels last", last);
  // 2049 lies between two halves; the even one is taken.
  const HalfTensor one_desc(1, 1, 1, 1);
  const DeviceArray<__half> sum(halves({2048})), single(halves({1}));
  CHECK(cudnnAddTensor(dnn, &kOne, one_desc, single.data(), &kOne, one_desc, sum.data()));
  show_halves("rounded", sum);
}

PART(halves) {
  const Dnn dnn;
  convolve(dnn);
  layers(dnn);
}

}  // namespace halves

/* Prints:
forward: 512 68 -15 1825
twice, added: 512 204 -45 5475
backward data: 576 23 -10 10692
backward filter: 1152 34 -92 938
backward bias: 6 -41 6 7 -7 -17 8 25 -23 -5 2 44 -18 -12 -9 -29
pooled: 2 4 3 2 4 1 4 1
pooled: -1 0 2 0.25 1.25 0.5 2.75 -1
  gradient: -1 -1 0.75 0.75 -1 -1 0.75 0.75 -1 -1 1 1 -1 -1 1 1 0.5 0.5 -1 -1 0.5 0.5 -1 -1 1 1 0.75 0.75 1 1 0.75 0.75
relu, twice: 0 0 8 0 4 0 0 0 0 6 4 0 6 6 2 4 4 0 0 2 8 2 2 0 6 8 0 0 4 4 0 2
  gradient: 0 0 4 0 -4 0 0 0 0 0 3 0 3 -4 -3 4 -3 0 0 1 3 1 3 0 1 -2 0 0 0 -2 0 2
with bias: 10 10 18 10 14 10 10 10 10 16 14 10 16 16 12 14 -6 -10 -10 -8 -2 -8 -8 -10 -4 -2 -10 -10 -6 -6 -10 -8
channels last: 10 -6 10 -10 18 -10 10 -8 14 -2 10 -8 10 -8 10 -10 10 -4 16 -2 14 -10 10 -10 16 -6 16 -6 12 -10 14 -8
rounded: 2048
*/
