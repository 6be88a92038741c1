// SPDX-License-Identifier: MIT
// Task 05.2: dE/dw, directly. Every filter tap is a sum over all images and all outputs: few sums,
// each very long.
#include "arguments.cuh"
#include "reduction.cuh"
#include "taps.cuh"
// BEGIN SOLUTION(05.2)
#include "second_level.cuh"
// END SOLUTION

namespace {

// BEGIN SOLUTION(05.2)
//> // TODO(05.2): the kernels go here. Scatter first: a thread owns an element of dy.
// Each output adds to every tap of its filter: n * oh * ow additions to the same m * c * kh * kw
// addresses, which wait for one another.
__global__ void wgrad_scatter_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                                     float* __restrict__ dw, const Conv2dShape s) {
  const int oh = s.oh(), ow = s.ow();
  for (const int64_t at : grid_stride_range(s.y_size())) {
    const int j = at % ow, i = at / ow % oh, m = at / ow / oh % s.m;
    const int64_t n = at / ow / oh / s.m;
    const float gradient = dy[at];
    for (int c = 0; c < s.c; ++c) {
      for (int p = 0; p < s.kh; ++p) {
        const int row = input_of(i, p, s.stride_h, s.pad_h, s.dilation_h);
        if (row < 0 || row >= s.h) continue;
        for (int q = 0; q < s.kw; ++q) {
          const int col = input_of(j, q, s.stride_w, s.pad_w, s.dilation_w);
          if (col < 0 || col >= s.w) continue;
          atomicAdd(&dw[place(m, c, s.c, p, s.kh, q, s.kw)],
                    gradient * x[place(n, c, s.c, row, s.h, col, s.w)]);
        }
      }
    }
  }
}

// First level, the second one is in second_level.cuh: block (tap, part) sums its tap over a part of
// the images and outputs. The parts are the same on every run, and so is the order inside: each
// thread's own, then a tree.
__global__ void wgrad_parts_kernel(const float* __restrict__ x, const float* __restrict__ dy,
                                   float* __restrict__ partial, const Conv2dShape s) {
  __shared__ float shared[kThreads];
  const int tap = blockIdx.x, part = blockIdx.y, parts = gridDim.y;
  const int q = tap % s.kw, p = tap / s.kw % s.kh, c = tap / s.kw / s.kh % s.c;
  const int m = tap / s.kw / s.kh / s.c;
  const int oh = s.oh(), ow = s.ow();
  const int64_t outputs = int64_t(s.n) * oh * ow;  // of one map
  float sum = 0.0f;
  for (int64_t at = int64_t(part) * kThreads + threadIdx.x; at < outputs; at += parts * kThreads) {
    const int j = at % ow, i = at / ow % oh;
    const int64_t n = at / ow / oh;
    const int row = input_of(i, p, s.stride_h, s.pad_h, s.dilation_h);
    const int col = input_of(j, q, s.stride_w, s.pad_w, s.dilation_w);
    if (row < 0 || row >= s.h || col < 0 || col >= s.w) continue;
    sum += dy[place(n, m, s.m, i, oh, j, ow)] * x[place(n, c, s.c, row, s.h, col, s.w)];
  }
  sum = block_sum<kThreads>(sum, shared);
  if (threadIdx.x == 0) partial[int64_t(tap) * parts + part] = sum;
}

// How many parts, from the shape alone: otherwise another GPU would give other bits.
int parts_of(const Conv2dShape& s) {
  constexpr int64_t kFewestTerms = 4 * kThreads;  // of a part: fewer are not worth a block
  constexpr int64_t kMostParts = 256, kMostFloats = 1 << 20;
  const int64_t by_terms = int64_t(s.n) * s.oh() * s.ow() / kFewestTerms;
  const int64_t by_memory = kMostFloats / s.w_size();
  const int64_t parts = by_terms < kMostParts ? by_terms : kMostParts;
  const int64_t fitting = parts < by_memory ? parts : by_memory;
  return fitting < 1 ? 1 : static_cast<int>(fitting);
}
// END SOLUTION

}  // namespace

cudaError_t conv2d_wgrad_scatter(const float* d_x, const float* d_dy, float* d_dw,
                                 const Conv2dShape* shape, int accumulate, cudaStream_t stream) {
  // BEGIN SOLUTION(05.2)
  //> // TODO(05.2): clear dw unless accumulate, and launch the scattering kernel.
  //> CONVKIT_TODO("05.2");
  //> return cudaSuccess;
  const Conv2dShape& s = *shape;
  const cudaError_t bad =
      check_arguments({{d_x, s.x_size()}, {d_dy, s.y_size()}, {d_dw, s.w_size()}}, s);
  if (bad != cudaSuccess) return bad;
  if (!accumulate) {
    const cudaError_t error = cudaMemsetAsync(d_dw, 0, sizeof(float) * s.w_size(), stream);
    if (error != cudaSuccess) return error;
  }
  wgrad_scatter_kernel<<<grid_stride_blocks(s.y_size(), kThreads), kThreads, 0, stream>>>(d_x, d_dy,
                                                                                          d_dw, s);
  return cudaGetLastError();
  // END SOLUTION
}

size_t conv2d_wgrad_workspace(const Conv2dShape* shape) {
  // BEGIN SOLUTION(05.2)
  //> // TODO(05.2): how many bytes do the partial sums take?
  //> return 0;
  return sizeof(float) * shape->w_size() * parts_of(*shape);
  // END SOLUTION
}

cudaError_t conv2d_wgrad(const float* d_x, const float* d_dy, float* d_dw, const Conv2dShape* shape,
                         int accumulate, void* d_workspace, size_t workspace_bytes,
                         cudaStream_t stream) {
  // BEGIN SOLUTION(05.2)
  //> // TODO(05.2): two kernels. The first leaves partial sums in the workspace, the second adds
  //> // them up. No atomics: the same bits on every run.
  //> CONVKIT_TODO("05.2");
  //> return cudaSuccess;
  const Conv2dShape& s = *shape;
  const cudaError_t bad =
      check_arguments({{d_x, s.x_size()}, {d_dy, s.y_size()}, {d_dw, s.w_size()}}, s);
  if (bad != cudaSuccess) return bad;
  if (!d_workspace || workspace_bytes < conv2d_wgrad_workspace(shape)) return cudaErrorInvalidValue;
  float* partial = static_cast<float*>(d_workspace);
  const int parts = parts_of(s);
  const dim3 grid(static_cast<unsigned>(s.w_size()), parts);
  wgrad_parts_kernel<<<grid, kThreads, 0, stream>>>(d_x, d_dy, partial, s);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) return error;
  return second_level::add_parts(partial, d_dw, s.w_size(), parts, accumulate != 0, stream);
  // END SOLUTION
}
