// SPDX-License-Identifier: MIT
// Times stage 04 on a GPU: the products of solutions/ against cuBLAS, the convolutions against each
// other, cuBLAS's product and cuDNN. Everything is checked against the plain kernels of baseline/
// before it is timed. 04_gemm.py builds and starts it.
#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "checked_arrays.cuh"
#include "unroll_gemm.h"

// The same functions once more, renamed when compiled; see 04_gemm.py.
extern "C" {
cudaError_t baseline_gemm(const float*, const float*, float*, int, int, int, float, float,
                          cudaStream_t);
cudaError_t baseline_conv(const float*, const float*, const float*, float*, const Conv2dShape*,
                          cudaStream_t);
cudaError_t cudnn_conv(const float*, const float*, const float*, float*, const Conv2dShape*,
                       cudaStream_t);
}

namespace {

// For compute-sanitizer: small shapes, our own kernels only, one round.
#ifdef CONVKIT_SMALL
constexpr bool kSmall = true;
#else
constexpr bool kSmall = false;
#endif

cublasHandle_t g_handle;
bool g_first_row = true, g_all_right = true;

struct Contestant {
  std::string name;
  std::function<cudaError_t()> call;
  std::vector<double> times_ms = {};
};

// Rounds in turn, so that a clock that changes meets all alike. A time is that of as many calls as
// take about 10 ms, divided by their number.
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
  std::vector<int> calls;
  for (const Contestant& c : contestants) {
    timed(c, 2);  // the first calls are slower
    calls.push_back(kSmall ? 1 : std::clamp(int(10.0 / std::max(timed(c, 2), 1e-3)), 1, 500));
  }
  constexpr int kRounds = kSmall ? 1 : 15;
  for (int round = 0; round < kRounds; ++round) {
    for (size_t k = 0; k < contestants.size(); ++k) {
      contestants[k].times_ms.push_back(timed(contestants[k], calls[k]));
    }
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Checks all, times all, and prints one object of the JSON document.
void compete(const char* kind, const std::string& shape, double flop, int terms,
             std::vector<Contestant> contestants, const Array& y, const Array& expected,
             const Array& magnitude) {
  if (kSmall) {
    const auto foreign = [](const Contestant& c) {
      return c.name == "cublas" || c.name == "conv2d_cublas" || c.name == "cudnn";
    };
    contestants.erase(std::remove_if(contestants.begin(), contestants.end(), foreign),
                      contestants.end());
  }
  std::vector<float> shares;
  for (const Contestant& c : contestants) {
    CHECK(cudaMemsetAsync(y.data, 0xff, sizeof(float) * y.size, g_stream));
    CHECK(c.call());
    shares.push_back(worst_share(y, expected, magnitude, terms));
    if (!(shares.back() <= 1)) {
      std::fprintf(stderr, "%s %s: %s is wrong (%g times the bound)\n", kind, shape.c_str(),
                   c.name.c_str(), double(shares.back()));
      g_all_right = false;
    }
  }
  time_all(contestants);
  std::printf("%s\n    {\"kind\": \"%s\", \"shape\": \"%s\", \"gflop\": %.6f, \"rows\": [",
              g_first_row ? "" : ",", kind, shape.c_str(), flop / 1e9);
  g_first_row = false;
  for (size_t k = 0; k < contestants.size(); ++k) {
    const Contestant& c = contestants[k];
    const double ms = median(c.times_ms);
    std::printf(
        "%s\n      {\"name\": \"%s\", \"median_ms\": %.6f, \"best_ms\": %.6f, "
        "\"tflops\": %.3f, \"worst_error_share\": %.4f}",
        k ? "," : "", c.name.c_str(), ms, *std::min_element(c.times_ms.begin(), c.times_ms.end()),
        flop / ms / 1e9, double(shares[k]));
  }
  std::printf("]}");
  std::fflush(stdout);
}

void products(int m, int n, int k) {
  const Array a(int64_t(m) * k), b(int64_t(k) * n), c(int64_t(m) * n), expected(c.size),
      magnitude(c.size);
  fill(a, 1, true);
  fill(b, 2, true);
  CHECK(baseline_gemm(a.data, b.data, magnitude.data, m, n, k, 1, 0, g_stream));
  fill(a, 1, false);
  fill(b, 2, false);
  CHECK(baseline_gemm(a.data, b.data, expected.data, m, n, k, 1, 0, g_stream));
  const auto with = [&](auto* function) {
    return [=, &a, &b, &c] { return function(a.data, b.data, c.data, m, n, k, g_stream); };
  };
  const auto fast = [&] { return gemm_fast(a.data, b.data, c.data, m, n, k, 1, 0, g_stream); };
  const auto cublas = [&] {
    const float one = 1, zero = 0;
    return cublasSgemm(g_handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b.data, n, a.data, k,
                       &zero, c.data, n) == CUBLAS_STATUS_SUCCESS
               ? cudaSuccess
               : cudaErrorUnknown;
  };
  compete("product", std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k),
          2.0 * m * n * k, k,
          {{"cublas", cublas},
           {"gemm_fast", fast},
           {"gemm_blocked", with(&gemm_blocked)},
           {"gemm_tiled", with(&gemm_tiled)}},
          c, expected, magnitude);
}

void convolutions(const Conv2dShape& s) {
  const Array x(s.x_size()), w(s.w_size()), b(s.m), y(s.y_size()), expected(y.size),
      magnitude(y.size);
  fill(x, 1, true);
  fill(w, 2, true);
  fill(b, 3, true);
  CHECK(baseline_conv(x.data, w.data, b.data, magnitude.data, &s, g_stream));
  fill(x, 1, false);
  fill(w, 2, false);
  fill(b, 3, false);
  CHECK(baseline_conv(x.data, w.data, b.data, expected.data, &s, g_stream));
  // As many images at a time as fit into 256 MiB.
  const size_t image = conv2d_gemm_workspace(&s);
  const size_t bytes = std::min(std::max<size_t>(1, (256 << 20) / image), size_t(s.n)) * image;
  const Array space(int64_t(bytes / sizeof(float)));
  const auto gemm = [&] {
    return conv2d_gemm(x.data, w.data, b.data, y.data, &s, space.data, bytes, g_stream);
  };
  const auto library = [&] {
    return conv2d_cublas(g_handle, x.data, w.data, b.data, y.data, &s, space.data, bytes, g_stream);
  };
  const auto plain = [&](auto* function) {
    return
        [=, &x, &w, &b, &y, &s] { return function(x.data, w.data, b.data, y.data, &s, g_stream); };
  };
  char shape[128];
  std::snprintf(shape, sizeof shape, "%dx%dx%dx%d->%d %dx%d pad %d stride %d", s.n, s.c, s.h, s.w,
                s.m, s.kh, s.kw, s.pad_h, s.stride_h);
  const int terms = s.c * s.kh * s.kw + 1;
  compete("convolution", shape, 2.0 * double(s.y_size()) * s.c * s.kh * s.kw, terms,
          {{"conv2d_implicit", plain(&conv2d_implicit)},
           {"conv2d_gemm", gemm},
           {"conv2d_cublas", library},
           {"cudnn", plain(&cudnn_conv)},
           {"direct", plain(&baseline_conv)}},
          y, expected, magnitude);
}

Conv2dShape shape(int n, int c, int size, int m, int kernel, int pad, int stride = 1) {
  Conv2dShape s;
  s.n = n, s.c = c, s.h = s.w = size, s.m = m, s.kh = s.kw = kernel;
  s.pad_h = s.pad_w = pad, s.stride_h = s.stride_w = stride;
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(cudaStreamCreateWithFlags(&g_stream, cudaStreamNonBlocking));
  if (cublasCreate(&g_handle) != CUBLAS_STATUS_SUCCESS) return 1;
  cublasSetMathMode(g_handle, CUBLAS_PEDANTIC_MATH);  // float32 throughout, no TF32
  cublasSetStream(g_handle, g_stream);
  cudaDeviceProp device{};
  CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("{\n  \"schema\": \"convkit-gpu-04-1\",\n  \"device\": \"%s\",\n  \"results\": [",
              device.name);
  if (argc == 2) {  // of the sweep
    const int size = std::atoi(argv[1]);
    products(size, size, size);
  } else if (kSmall) {
    products(132, 136, 36);
    products(133, 131, 37);
    products(5, 260, 20);
    convolutions(shape(3, 5, 9, 72, 3, 1));
    convolutions(shape(3, 4, 10, 40, 2, 0, 2));
    convolutions(shape(3, 1, 14, 4, 7, 0));
    convolutions(shape(3, 3, 13, 16, 3, 1, 2));
  } else {
    for (const int size : {1024, 2048, 4096}) products(size, size, size);
    products(1000, 1001, 999);   // ragged: rows do not begin at 16 bytes
    products(4100, 4100, 4100);  // past whole tiles
    convolutions(shape(16, 64, 56, 64, 3, 1));
    convolutions(shape(10000, 1, 86, 4, 7, 0));
    convolutions(shape(10000, 4, 40, 16, 7, 0));
    convolutions(shape(16, 4, 32, 16, 3, 1));
    convolutions(shape(8, 256, 14, 256, 3, 1));
    convolutions(shape(32, 3, 112, 32, 7, 3, 2));
    convolutions(shape(64, 128, 28, 128, 3, 1));
  }
  std::printf("\n  ],\n  \"all_right\": %s\n}\n", g_all_right ? "true" : "false");
  return g_all_right ? 0 : 1;
}
