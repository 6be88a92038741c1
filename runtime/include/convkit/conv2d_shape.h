// SPDX-License-Identifier: MIT
// The shape of a 2-D convolution: one plain struct that host code, device code and students share.
#pragma once

#include <cstdint>

#include "convkit/host_device.h"

// "Convolution" is cross-correlation: the kernel is not flipped.
//
//   x  input    [n][c][h][w]
//   w  filters  [m][c / groups][kh][kw]
//   b  bias     [m]
//   y  output   [n][m][oh()][ow()]
//
// All tensors are float32, row-major and contiguous (NCHW). The input is surrounded by pad_h rows
// and pad_w columns of zeros on each side. Filter m reads the c / groups channels of its group,
// group g = m / (m_total / groups).
struct Conv2dShape {
  int n = 1;           // images in the mini-batch
  int c = 1;           // input channels
  int h = 1, w = 1;    // input height and width
  int m = 1;           // output feature maps (filters)
  int kh = 1, kw = 1;  // kernel height and width
  int pad_h = 0, pad_w = 0;
  int stride_h = 1, stride_w = 1;
  int dilation_h = 1, dilation_w = 1;
  int groups = 1;

  // Output size: floor((h + 2 pad - dilation (k - 1) - 1) / stride) + 1.
  CONVKIT_HOST_DEVICE constexpr int oh() const {
    return (h + 2 * pad_h - dilation_h * (kh - 1) - 1) / stride_h + 1;
  }
  CONVKIT_HOST_DEVICE constexpr int ow() const {
    return (w + 2 * pad_w - dilation_w * (kw - 1) - 1) / stride_w + 1;
  }

  // Elements of each tensor, in 64 bits: a product of four ints does not fit an int.
  CONVKIT_HOST_DEVICE constexpr int64_t x_size() const { return int64_t(n) * c * h * w; }
  CONVKIT_HOST_DEVICE constexpr int64_t w_size() const {
    return int64_t(m) * (c / groups) * kh * kw;
  }
  CONVKIT_HOST_DEVICE constexpr int64_t y_size() const { return int64_t(n) * m * oh() * ow(); }
};

// The window of a pooling layer over x [n][c][h][w] giving y [n][c][oh()][ow()].
struct Pool2dShape {
  int n = 1;
  int c = 1;
  int h = 1, w = 1;
  int kh = 2, kw = 2;
  int pad_h = 0, pad_w = 0;
  int stride_h = 2, stride_w = 2;

  CONVKIT_HOST_DEVICE constexpr int oh() const { return (h + 2 * pad_h - kh) / stride_h + 1; }
  CONVKIT_HOST_DEVICE constexpr int ow() const { return (w + 2 * pad_w - kw) / stride_w + 1; }
  CONVKIT_HOST_DEVICE constexpr int64_t x_size() const { return int64_t(n) * c * h * w; }
  CONVKIT_HOST_DEVICE constexpr int64_t y_size() const { return int64_t(n) * c * oh() * ow(); }
};
