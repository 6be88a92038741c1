// SPDX-License-Identifier: MIT
// What the gradients are measured against: a thread for each element of the result, everything read
// from global memory; compiled with the same flags as the submission. And the plain convolution,
// for checks that need y.
#include "backward.h"

namespace {

constexpr int kThreads = 256;

__global__ void forward_kernel(const float* __restrict__ x, const float* __restrict__ w,
                               float* __restrict__ y, const Conv2dShape s) {
  const int oh = s.oh(), ow = s.ow();
  const int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (at >= s.y_size()) return;
  const int j = at % ow, i = at / ow % oh, m = at / ow / oh % s.m;
  const int64_t n = at / ow / oh / s.m;
  float sum = 0.0f;
  for (int c = 0; c < s.c; ++c) {
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        const int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
        const int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
        if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
        sum += x[((n * s.c + c) * s.h + row) * s.w + col] *
               w[((int64_t(m) * s.c + c) * s.kh + p) * s.kw + q];
      }
    }
  }
  y[at] = sum;
}

__global__ void xgrad_kernel(const float* __restrict__ dy, const float* __restrict__ w,
                             float* __restrict__ dx, const Conv2dShape s, bool accumulate) {
  const int oh = s.oh(), ow = s.ow();
  const int64_t at = int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (at >= s.x_size()) return;
  const int col = at % s.w, row = at / s.w % s.h, c = at / s.w / s.h % s.c;
  const int64_t n = at / s.w / s.h / s.c;
  float sum = accumulate ? dx[at] : 0.0f;
  for (int m = 0; m < s.m; ++m) {
    for (int p = 0; p < s.kh; ++p) {
      for (int q = 0; q < s.kw; ++q) {
        const int down = row + s.pad_h - p * s.dilation_h;
        const int across = col + s.pad_w - q * s.dilation_w;
        if (down < 0 || across < 0 || down % s.stride_h != 0 || across % s.stride_w != 0) continue;
        const int i = down / s.stride_h, j = across / s.stride_w;
        if (i >= oh || j >= ow) continue;
        sum += dy[((n * s.m + m) * oh + i) * ow + j] *
               w[((int64_t(m) * s.c + c) * s.kh + p) * s.kw + q];
      }
    }
  }
  dx[at] = sum;
}

// A block for each tap: with one thread for each tap, most of a GPU would be idle.
__global__ void wgrad_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                             float* __restrict__ dw, const Conv2dShape s, bool accumulate) {
  __shared__ float shared[kThreads];
  const int oh = s.oh(), ow = s.ow(), t = threadIdx.x;
  const int64_t tap = blockIdx.x;
  const int q = tap % s.kw, p = tap / s.kw % s.kh, c = tap / s.kw / s.kh % s.c;
  const int64_t m = tap / s.kw / s.kh / s.c;
  float sum = 0.0f;
  for (int64_t at = t; at < int64_t(s.n) * oh * ow; at += kThreads) {
    const int j = at % ow, i = at / ow % oh;
    const int64_t n = at / ow / oh;
    const int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
    const int col = j * s.stride_w - s.pad_w + q * s.dilation_w;
    if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
    sum += dy[((n * s.m + m) * oh + i) * ow + j] * x[((n * s.c + c) * s.h + row) * s.w + col];
  }
  shared[t] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) shared[t] += shared[t + half];
    __syncthreads();
  }
  if (t == 0) dw[tap] = accumulate ? dw[tap] + shared[0] : shared[0];
}

unsigned blocks(int64_t elements) {
  return static_cast<unsigned>((elements + kThreads - 1) / kThreads);
}

}  // namespace

extern "C" cudaError_t conv2d_forward(const float* d_x, const float* d_w, float* d_y,
                                      const Conv2dShape* shape, cudaStream_t stream) {
  forward_kernel<<<blocks(shape->y_size()), kThreads, 0, stream>>>(d_x, d_w, d_y, *shape);
  return cudaGetLastError();
}

size_t conv2d_xgrad_gemm_workspace(const Conv2dShape*) {
  return 0;
}

cudaError_t conv2d_xgrad_gemm(const float* d_dy, const float* d_w, float* d_dx,
                              const Conv2dShape* shape, int accumulate, void*, size_t,
                              cudaStream_t stream) {
  xgrad_kernel<<<blocks(shape->x_size()), kThreads, 0, stream>>>(d_dy, d_w, d_dx, *shape,
                                                                 accumulate != 0);
  return cudaGetLastError();
}

size_t conv2d_wgrad_gemm_workspace(const Conv2dShape*) {
  return 0;
}

cudaError_t conv2d_wgrad_gemm(const float* d_x, const float* d_dy, float* d_dw,
                              const Conv2dShape* shape, int accumulate, void*, size_t,
                              cudaStream_t stream) {
  wgrad_kernel<<<static_cast<unsigned>(shape->w_size()), kThreads, 0, stream>>>(
      d_x, d_dy, d_dw, *shape, accumulate != 0);
  return cudaGetLastError();
}
