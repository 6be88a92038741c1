// SPDX-License-Identifier: MIT
#include "direct_conv.h"

// Few threads, each of which takes every so-many-th output.
__global__ void conv(const float* x, const float* w, const float* b, float* y, Conv2dShape s) {
  int64_t outputs = s.y_size(), step = (int64_t)gridDim.x * blockDim.x;
  for (int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; at < outputs; at += step) {
    int j = at % s.ow(), i = at / s.ow() % s.oh();
    int m = at / s.ow() / s.oh() % s.m, n = at / s.ow() / s.oh() / s.m;
    float sum = 0;
    for (int c = 0; c < s.c; c++)
      for (int p = 0; p < s.kh; p++)
        for (int q = 0; q < s.kw; q++) {
          int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
          int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
          if (row >= 0 && row < s.h && col >= 0 && col < s.w)
            sum += x[((n * s.c + c) * s.h + row) * s.w + col] *
                   w[((m * s.c + c) * s.kh + p) * s.kw + q];
        }
    y[at] = sum + b[m];
  }
}

cudaError_t conv2d_direct(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                          const Conv2dShape* shape, cudaStream_t stream) {
  conv<<<7, 96, 0, stream>>>(d_x, d_w, d_b, d_y, *shape);
  return cudaGetLastError();
}
