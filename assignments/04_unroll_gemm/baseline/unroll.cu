// SPDX-License-Identifier: MIT
// Unroll, with a thread for each element; the adjoint check of the roll functions uses it.
#include "unroll_gemm.h"

namespace {

__global__ void unroll_plain_kernel(const float* __restrict__ x, float* __restrict__ u,
                                    const Conv2dShape s) {
  const int oh = s.oh(), ow = s.ow();
  const int64_t rows = int64_t(s.c) * s.kh * s.kw, columns = int64_t(oh) * ow;
  const int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= s.n * rows * columns) return;
  const int64_t column = at % columns, row = at / columns % rows, n = at / columns / rows;
  const int64_t c = row / s.kw / s.kh;
  const int64_t i = column / ow * s.stride_h - s.pad_h + row / s.kw % s.kh * s.dilation_h;
  const int64_t j = column % ow * s.stride_w - s.pad_w + row % s.kw * s.dilation_w;
  const bool inside = i >= 0 && i < s.h && j >= 0 && j < s.w;
  u[at] = inside ? x[((n * s.c + c) * s.h + i) * s.w + j] : 0.0f;
}

}  // namespace

cudaError_t unroll_elements(const float* d_x, float* d_u, const Conv2dShape* shape,
                            cudaStream_t stream) {
  constexpr int kThreads = 256;
  const Conv2dShape& s = *shape;
  const int64_t elements = int64_t(s.n) * s.c * s.kh * s.kw * s.oh() * s.ow();
  const auto blocks = static_cast<unsigned>((elements + kThreads - 1) / kThreads);
  unroll_plain_kernel<<<blocks, kThreads, 0, stream>>>(d_x, d_u, s);
  return cudaGetLastError();
}
