// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The three products of a convolution layer, tuned: a table of taps tells one kernel,
// conv_strip.cuh, what to multiply. ladder/ has the plain loops, and the steps from them to this
// kernel.
#pragma once

#include <algorithm>

#include "../layer.cuh"
#include "../parts.cuh"
#include "conv_strip.cuh"

namespace {

using strip::Tap;

// One tap of a window for each (c, p, q), as w [m][c][kh][kw] has them.
std::vector<Tap> forward_taps(const LayerSpec& s) {
  std::vector<Tap> taps;
  for (int c = 0; c < s.in.c; ++c) {
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        taps.push_back({(c * s.in.h + p) * s.in.w + q, p, q, static_cast<int>(taps.size())});
      }
    }
  }
  return taps;
}

DeviceArray<Tap> on_device(const std::vector<Tap>& taps) {
  DeviceArray<Tap> result(static_cast<int64_t>(taps.size()));
  check(cudaMemcpy(result.data(), taps.data(), sizeof(Tap) * taps.size(), cudaMemcpyHostToDevice));
  return result;
}

template <bool kChecked>
cudaError_t conv_forward(const LayerSpec& s, const Tap* d_taps, const float* d_x, const float* d_w,
                         const float* d_b, float* d_y, int n, cudaStream_t stream) {
  strip::Gather<kChecked> product{};
  product.images = d_x, product.w = d_w, product.bias = d_b, product.taps = d_taps;
  product.out = d_y;
  product.rows = s.out.c, product.terms = product.w_step = s.in.c * s.kh * s.kw;
  product.image = {static_cast<int>(s.in.size()), s.in.h, s.in.w};
  product.out_area = s.out.h * s.out.w, product.out_w = s.out.w;
  product.cols = n * product.out_area;
  product.first_row = product.first_col = -s.pad;
  return strip::launch<128, true>(product, 1, stream);
}

// The outputs that element (row, col) of the input went into: those at (row + pad - p, col + pad -
// q), one for each (m, p, q). Their weights are a row (c) of w turned by its first two axes.
std::vector<Tap> backward_taps(const LayerSpec& s) {
  std::vector<Tap> taps;
  for (int m = 0; m < s.out.c; ++m) {
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        taps.push_back(
            {(m * s.out.h - p) * s.out.w - q, -p, -q, (m * s.in.c * s.kh + p) * s.kw + q});
      }
    }
  }
  return taps;
}

cudaError_t conv_xgrad(const LayerSpec& s, const Tap* d_taps, const float* d_dy, const float* d_w,
                       float* d_dx, int n, cudaStream_t stream) {
  strip::Gather<true> product{};
  product.images = d_dy, product.w = d_w, product.taps = d_taps, product.out = d_dx;
  product.rows = s.in.c, product.terms = s.out.c * s.kh * s.kw, product.w_step = s.kh * s.kw;
  product.image = {static_cast<int>(s.out.size()), s.out.h, s.out.w};
  product.out_area = s.in.h * s.in.w, product.out_w = s.in.w;
  product.cols = n * product.out_area;
  product.first_row = product.first_col = s.pad;
  return strip::launch<128, true>(product, 1, stream);
}

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

// Columns of the filters' gradient that a block computes.
int filter_threads(const LayerSpec& s) {
  return s.in.c * s.kh * s.kw < 32 ? 32 : 64;
}

// Images that a part of the filters' gradient sums over, from the shape alone: so many parts that
// a large GPU has enough blocks.
int images_of_part(const LayerSpec& s, int n) {
  constexpr int kBlocks = 528;
  const int tiles = ceil_div(s.out.c, 64) * ceil_div(s.in.c * s.kh * s.kw + 1, filter_threads(s));
  return ceil_div(n, std::max(1, kBlocks / tiles));
}

int64_t partial_floats(const LayerSpec& s, int n) {
  return int64_t(ceil_div(n, images_of_part(s, n))) * s.out.c * (s.in.c * s.kh * s.kw + 1);
}

template <bool kChecked>
cudaError_t conv_wgrad(const LayerSpec& s, const Tap* d_taps, const float* d_one, const float* d_x,
                       const float* d_dy, float* d_partial, float* d_dw, float* d_db, int n,
                       cudaStream_t stream) {
  strip::Filter<kChecked> product{};
  product.images = d_x, product.dy = d_dy, product.one = d_one, product.taps = d_taps;
  product.partial = d_partial;
  product.rows = s.out.c, product.cols = s.in.c * s.kh * s.kw + 1;
  product.image = {static_cast<int>(s.in.size()), s.in.h, s.in.w};
  product.out_area = s.out.h * s.out.w, product.out_w = s.out.w;
  product.first_row = product.first_col = -s.pad;
  product.n = n, product.images_of_part = images_of_part(s, n);
  product.counted_area = ceil_div(product.out_area, strip::kDepth) * strip::kDepth;
  const int parts = ceil_div(n, product.images_of_part);
  const cudaError_t error = filter_threads(s) == 32
                                ? strip::launch<32, false>(product, parts, stream)
                                : strip::launch<64, false>(product, parts, stream);
  if (error != cudaSuccess) return error;
  return add_parts(d_partial, d_dw, d_db, product.rows, product.cols - 1, parts, stream);
}

// The products of one layer. All three launch their kernels on `stream`; n is at most max_batch.
class ConvProducts {
 public:
  ConvProducts(const LayerSpec& spec, int max_batch)
      : spec_(spec),
        forward_taps_(on_device(forward_taps(spec))),
        backward_taps_(on_device(backward_taps(spec))),
        one_(1) {
    const float one = 1.0f;
    check(cudaMemcpy(one_.data(), &one, sizeof one, cudaMemcpyHostToDevice));
    // There must be room for a batch of any size up to the largest.
    int64_t floats = 0;
    for (int n = 1; n <= max_batch; ++n) floats = std::max(floats, partial_floats(spec, n));
    partial_ = DeviceArray<float>(floats);
  }

  cudaError_t forward(const float* d_x, const float* d_w, const float* d_b, float* d_y, int n,
                      cudaStream_t stream) const {
    const auto forward = spec_.pad == 0 ? conv_forward<false> : conv_forward<true>;
    return forward(spec_, forward_taps_.data(), d_x, d_w, d_b, d_y, n, stream);
  }
  cudaError_t xgrad(const float* d_dy, const float* d_w, float* d_dx, int n,
                    cudaStream_t stream) const {
    return conv_xgrad(spec_, backward_taps_.data(), d_dy, d_w, d_dx, n, stream);
  }
  cudaError_t wgrad(const float* d_x, const float* d_dy, float* d_dw, float* d_db, int n,
                    cudaStream_t stream) const {
    const auto wgrad = spec_.pad == 0 ? conv_wgrad<false> : conv_wgrad<true>;
    return wgrad(spec_, forward_taps_.data(), one_.data(), d_x, d_dy, partial_.data(), d_dw, d_db,
                 n, stream);
  }

 private:
  LayerSpec spec_;
  DeviceArray<Tap> forward_taps_, backward_taps_;
  DeviceArray<float> one_, partial_;
};

}  // namespace
