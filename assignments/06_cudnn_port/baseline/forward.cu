// SPDX-License-Identifier: MIT
// The baseline for speed: one thread for each output, no library, no tile. It has the same
// functions; the algorithm is not looked at.
#include "cudnn_port.h"

namespace {

__global__ void conv2d_plain_kernel(const float* __restrict__ x, const float* __restrict__ w,
                                    const float* __restrict__ b, float* __restrict__ y,
                                    Conv2dShape s) {
  const int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= s.y_size()) return;
  const int j = int(at % s.ow()), i = int(at / s.ow() % s.oh());
  const int64_t plane = at / s.ow() / s.oh();
  const int m = int(plane % s.m), n = int(plane / s.m);
  const int channels = s.c / s.groups, first = m / (s.m / s.groups) * channels;
  float sum = b ? b[m] : 0.0f;
  for (int c = 0; c < channels; ++c) {
    const float* image = x + (int64_t(n) * s.c + first + c) * s.h * s.w;
    const float* filter = w + (int64_t(m) * channels + c) * s.kh * s.kw;
    for (int p = 0; p < s.kh; ++p) {
      const int row = i * s.stride_h - s.pad_h + p * s.dilation_h;
      if (row < 0 || row >= s.h) continue;
      for (int q = 0; q < s.kw; ++q) {
        const int column = j * s.stride_w - s.pad_w + q * s.dilation_w;
        if (column < 0 || column >= s.w) continue;
        sum += image[int64_t(row) * s.w + column] * filter[p * s.kw + q];
      }
    }
  }
  y[at] = sum;
}

}  // namespace

cudnnStatus_t conv2d_workspace(cudnnHandle_t, const Conv2dShape*, cudnnConvolutionFwdAlgo_t,
                               size_t* bytes) {
  *bytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

// alpha is 1 and beta 0 in everything that is timed.
cudnnStatus_t conv2d_forward(cudnnHandle_t handle, const Conv2dShape* shape,
                             cudnnConvolutionFwdAlgo_t, float, const float* d_x, const float* d_w,
                             const float* d_b, float, float* d_y, void*, size_t,
                             cudaStream_t stream) {
  const cudnnStatus_t status = cudnnSetStream(handle, stream);  // as the contract has it
  if (status != CUDNN_STATUS_SUCCESS) return status;
  constexpr int kThreads = 256;
  const auto blocks = unsigned((shape->y_size() + kThreads - 1) / kThreads);
  conv2d_plain_kernel<<<blocks, kThreads, 0, stream>>>(d_x, d_w, d_b, d_y, *shape);
  return cudaGetLastError() == cudaSuccess ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}
