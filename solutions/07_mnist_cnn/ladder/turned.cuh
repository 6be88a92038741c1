// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// Two kernels make three products. With stride 1, dx is the convolution of dy with the weights
// turned by 180 degrees, maps and channels exchanged: what computes y fast computes dx as fast.
#pragma once

#include <algorithm>

#include "../layer.cuh"
#include "../parts.cuh"
#include "convkit/conv2d_shape.h"

namespace {

// What a rung that includes this file defines.
// y [n][m][oh][ow] of x [n][c][h][w]; b may be null.
cudaError_t convolve(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                     const Conv2dShape& s, cudaStream_t stream);
// partial [parts][m][c kh kw + 1], part by part over some of the images; the last tap is the bias.
cudaError_t filter_parts(const float* d_x, const float* d_dy, float* d_partial,
                         const Conv2dShape& s, int parts, cudaStream_t stream);

int blocks_of(int64_t count, int each) {
  return static_cast<int>((count + each - 1) / each);
}

// w [m][c][kh][kw] -> turned [c][m][kh][kw].
__global__ void turn_kernel(const float* __restrict__ w, float* __restrict__ turned,
                            const Conv2dShape s) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x, plane = s.kh * s.kw;
  if (at >= s.m * s.c * plane) return;
  const int tap = at % plane, c = at / plane % s.c, m = at / plane / s.c;
  turned[(c * s.m + m) * plane + plane - 1 - tap] = w[at];
}

class ConvProducts {
 public:
  ConvProducts(const LayerSpec& spec, int max_batch)
      : s_{1, spec.in.c, spec.in.h, spec.in.w, spec.out.c, spec.kh, spec.kw, spec.pad, spec.pad},
        turned_(s_.w_size()),
        partial_(std::min(max_batch, kMostParts) * (s_.w_size() + s_.m)) {}

  cudaError_t forward(const float* d_x, const float* d_w, const float* d_b, float* d_y, int n,
                      cudaStream_t stream) {
    s_.n = n;
    return convolve(d_x, d_w, d_b, d_y, s_, stream);
  }
  cudaError_t xgrad(const float* d_dy, const float* d_w, float* d_dx, int n, cudaStream_t stream) {
    constexpr int kBlock = 128;
    turn_kernel<<<blocks_of(s_.w_size(), kBlock), kBlock, 0, stream>>>(d_w, turned_.data(), s_);
    // Padded so far that every element of x meets all taps.
    const Conv2dShape back = {
        n, s_.m, s_.oh(), s_.ow(), s_.c, s_.kh, s_.kw, s_.kh - 1 - s_.pad_h, s_.kw - 1 - s_.pad_w};
    return convolve(d_dy, turned_.data(), nullptr, d_dx, back, stream);
  }
  cudaError_t wgrad(const float* d_x, const float* d_dy, float* d_dw, float* d_db, int n,
                    cudaStream_t stream) {
    s_.n = n;
    const int parts = std::min(n, kMostParts);
    const cudaError_t error = filter_parts(d_x, d_dy, partial_.data(), s_, parts, stream);
    if (error != cudaSuccess) return error;
    return add_parts(partial_.data(), d_dw, d_db, s_.m, s_.c * s_.kh * s_.kw, parts, stream);
  }

 private:
  static constexpr int kMostParts = 64;  // of dw: an image or more each

  Conv2dShape s_;
  DeviceArray<float> turned_, partial_;
};

}  // namespace
