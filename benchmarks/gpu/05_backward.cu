// SPDX-License-Identifier: MIT
// Times stage 05 on a GPU: every gradient of solutions/ against the plain kernels of baseline/ and
// cuDNN. Each is checked against the baseline before it is timed, and those that must give the same
// bits are run 20 times. 05_backward.py builds and starts it.
#include "backward.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "checked_arrays.cuh"

// The same functions once more, renamed when compiled; see 05_backward.py.
extern "C" {
using WithWorkspace = cudaError_t(const float*, const float*, float*, const Conv2dShape*, int,
                                  void*, size_t, cudaStream_t);
WithWorkspace baseline_xgrad, baseline_wgrad, cudnn_xgrad, cudnn_wgrad;
}

namespace {

bool g_all_right = true;

struct Contestant {
  std::string name;
  std::function<cudaError_t()> call;
  bool same_bits = false;
  std::vector<double> times_ms = {};
};

// Rounds in turn, so that a clock that changes meets all alike. A time is that of as many calls as
// take about 10 ms, divided by their number; what takes long has fewer rounds.
void time_all(std::vector<Contestant>& contestants) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  const auto timed = [&](const Contestant& c, int calls) {
    CHECK(cudaEventRecord(begin, g_stream));
    for (int i = 0; i < calls; ++i) CHECK(c.call());
    CHECK(cudaEventRecord(end, g_stream));
    CHECK(cudaEventSynchronize(end));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return double(ms) / calls;
  };
  constexpr int kRounds = 15, kFewRounds = 3;
  constexpr double kLong_ms = 50, kRound_ms = 10;
  std::vector<double> first_ms;
  for (const Contestant& c : contestants) {
    timed(c, 1);  // the first call is slower
    first_ms.push_back(timed(c, 1));
  }
  for (int round = 0; round < kRounds; ++round) {
    for (size_t k = 0; k < contestants.size(); ++k) {
      if (first_ms[k] > kLong_ms && round >= kFewRounds) continue;
      const int calls = std::clamp(int(kRound_ms / std::max(first_ms[k], 1e-3)), 1, 500);
      contestants[k].times_ms.push_back(timed(contestants[k], calls));
    }
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Runs that gave other bits than the first one, of 20.
int other_bits(const Contestant& c, const Array& result) {
  std::vector<float> first(result.size), again(result.size);
  int other = 0;
  for (int run = 0; run < 20; ++run) {
    CHECK(cudaMemsetAsync(result.data, 0xff, sizeof(float) * result.size, g_stream));
    CHECK(c.call());
    std::vector<float>& to = run == 0 ? first : again;
    CHECK(cudaMemcpyAsync(to.data(), result.data, sizeof(float) * result.size,
                          cudaMemcpyDeviceToHost, g_stream));
    CHECK(cudaStreamSynchronize(g_stream));
    if (run > 0)
      other += std::memcmp(first.data(), again.data(), sizeof(float) * first.size()) != 0;
  }
  return other;
}

// Checks all, times all, and prints one object of the JSON document.
void compete(const char* kind, const std::string& shape, double flop, double terms,
             std::vector<Contestant> contestants, const Array& result, const Array& expected,
             const Array& magnitude) {
  static bool first_object = true;
  std::vector<float> shares;
  std::vector<int> other;
  for (const Contestant& c : contestants) {
    CHECK(cudaMemsetAsync(result.data, 0xff, sizeof(float) * result.size, g_stream));
    CHECK(c.call());
    shares.push_back(worst_share(result, expected, magnitude, terms));
    other.push_back(c.same_bits ? other_bits(c, result) : 0);
    if (shares.back() <= 1 && other.back() == 0) continue;
    std::fprintf(stderr, "%s %s: %s is wrong (%g times the bound, %d runs with other bits)\n", kind,
                 shape.c_str(), c.name.c_str(), double(shares.back()), other.back());
    g_all_right = false;
  }
  time_all(contestants);
  std::printf("%s\n  {\"kind\": \"%s\", \"shape\": \"%s\", \"flop\": %.0f, \"rows\": [",
              first_object ? "" : ",", kind, shape.c_str(), flop);
  first_object = false;
  for (size_t k = 0; k < contestants.size(); ++k) {
    const double ms = median(contestants[k].times_ms);
    std::printf(
        "%s\n    {\"name\": \"%s\", \"median_ms\": %.6f, \"tflops\": %.3f, "
        "\"share_of_bound\": %.2e, \"same_bits\": %s}",
        k == 0 ? "" : ",", contestants[k].name.c_str(), ms, flop / ms / 1e9, double(shares[k]),
        contestants[k].same_bits ? "true" : "false");
  }
  std::printf("]}");
  std::fflush(stdout);
}

Contestant with_workspace(const char* name, WithWorkspace* function, const float* a, const float* b,
                          float* result, const Conv2dShape& s, const Array& workspace,
                          bool same_bits) {
  const size_t bytes = sizeof(float) * workspace.size;
  return {
      name,
      [=, data = workspace.data] { return function(a, b, result, &s, 0, data, bytes, g_stream); },
      same_bits};
}

void run(const Conv2dShape& s, bool slow_ones) {
  char shape[128];
  std::snprintf(shape, sizeof shape, "%dx%dx%dx%d -> %d, %dx%d, pad %d, stride %d", s.n, s.c, s.h,
                s.w, s.m, s.kh, s.kw, s.pad_h, s.stride_h);
  const Array x(s.x_size()), w(s.w_size()), dy(s.y_size()), none(0);
  const double flop = 2.0 * double(s.y_size()) * s.c * s.kh * s.kw;
  const auto inputs = [&](bool positive) {
    fill(x, 1, positive), fill(w, 2, positive), fill(dy, 3, positive);
  };
  {
    const Array dx(s.x_size()), expected(s.x_size()), magnitude(s.x_size());
    const Array workspace(int64_t(conv2d_xgrad_gemm_workspace(&s) / sizeof(float)));
    inputs(true);
    CHECK(baseline_xgrad(dy.data, w.data, magnitude.data, &s, 0, nullptr, 0, g_stream));
    inputs(false);
    CHECK(baseline_xgrad(dy.data, w.data, expected.data, &s, 0, nullptr, 0, g_stream));
    const float *a = dy.data, *b = w.data;
    std::vector<Contestant> contestants = {
        with_workspace("cudnn", cudnn_xgrad, a, b, dx.data, s, none, false),
        with_workspace("conv2d_xgrad_gemm", conv2d_xgrad_gemm, a, b, dx.data, s, workspace, true),
        with_workspace("baseline", baseline_xgrad, a, b, dx.data, s, none, true)};
    if (slow_ones) {
      contestants.push_back({"conv2d_xgrad_gather",
                             [&] { return conv2d_xgrad_gather(a, b, dx.data, &s, 0, g_stream); },
                             true});
      contestants.push_back({"conv2d_xgrad_scatter",
                             [&] { return conv2d_xgrad_scatter(a, b, dx.data, &s, 0, g_stream); }});
    }
    compete("xgrad", shape, flop, double(s.m) * s.kh * s.kw, contestants, dx, expected, magnitude);
  }
  {
    const Array dw(s.w_size()), expected(s.w_size()), magnitude(s.w_size());
    const Array workspace(int64_t(conv2d_wgrad_gemm_workspace(&s) / sizeof(float)));
    const Array parts(int64_t(conv2d_wgrad_workspace(&s) / sizeof(float)));
    inputs(true);
    CHECK(baseline_wgrad(x.data, dy.data, magnitude.data, &s, 0, nullptr, 0, g_stream));
    inputs(false);
    CHECK(baseline_wgrad(x.data, dy.data, expected.data, &s, 0, nullptr, 0, g_stream));
    const float *a = x.data, *b = dy.data;
    std::vector<Contestant> contestants = {
        with_workspace("cudnn", cudnn_wgrad, a, b, dw.data, s, none, false),
        with_workspace("conv2d_wgrad_gemm", conv2d_wgrad_gemm, a, b, dw.data, s, workspace, true),
        with_workspace("baseline", baseline_wgrad, a, b, dw.data, s, none, true)};
    if (slow_ones) {
      contestants.push_back(
          with_workspace("conv2d_wgrad", conv2d_wgrad, a, b, dw.data, s, parts, true));
      contestants.push_back({"conv2d_wgrad_scatter",
                             [&] { return conv2d_wgrad_scatter(a, b, dw.data, &s, 0, g_stream); }});
    }
    // No sum is longer on its way than a million additions: threads, blocks and parts share it.
    const double terms = std::min(double(s.n) * s.oh() * s.ow(), 1e6);
    compete("wgrad", shape, flop, terms, contestants, dw, expected, magnitude);
  }
}

Conv2dShape shape_of(int n, int c, int size, int m, int kernel, int pad, int stride) {
  Conv2dShape s;
  s.n = n, s.c = c, s.h = s.w = size, s.m = m, s.kh = s.kw = kernel;
  s.pad_h = s.pad_w = pad, s.stride_h = s.stride_w = stride;
  return s;
}

}  // namespace

int main() {
  CHECK(cudaStreamCreateWithFlags(&g_stream, cudaStreamNonBlocking));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf(
      "{\"schema\": \"convkit-gpu-bench-1\", \"stage\": \"05_backward\", \"gpu\": \"%s\", "
      "\"results\": [",
      properties.name);
  run(shape_of(16, 64, 56, 64, 3, 1, 1), true);
  run(shape_of(10000, 1, 86, 4, 7, 0, 1), false);
  run(shape_of(10000, 4, 40, 16, 7, 0, 1), false);
  run(shape_of(16, 4, 32, 16, 3, 1, 1), true);
  run(shape_of(128, 1, 28, 32, 5, 0, 1), true);
  run(shape_of(8, 256, 14, 256, 3, 1, 1), false);
  run(shape_of(32, 3, 112, 32, 7, 3, 2), true);
  run(shape_of(64, 16, 28, 32, 1, 0, 1), true);
  std::printf("],\n\"all_right\": %s}\n", g_all_right ? "true" : "false");
  return g_all_right ? 0 : 1;
}
