// SPDX-License-Identifier: MIT
// 256 threads in a row; each finds its place in the tile by division.
#include "tile.cuh"

namespace {
struct Geometry {
  Conv2dShape shape;
  int edge, in_h, in_w;
};

Geometry geometry_for(const Conv2dShape& shape) {
  for (int edge = 16;; edge /= 2) {
    Geometry g{shape, edge, input_extent(edge, shape.stride_h, shape.kh, shape.dilation_h),
               input_extent(edge, shape.stride_w, shape.kw, shape.dilation_w)};
    if (edge == 1 || g.in_h * g.in_w <= 12000) return g;
  }
}

__device__ void load(float* tile, const float* plane, const Geometry& g, int top, int left) {
  for (int at = threadIdx.x; at < g.in_h * g.in_w; at += blockDim.x) {
    const int gr = top + at / g.in_w, gc = left + at % g.in_w;
    float v = 0;
    if (gr >= 0 && gc >= 0 && gr < g.shape.h && gc < g.shape.w) v = plane[gr * g.shape.w + gc];
    tile[at] = v;
  }
}

__global__ void kernel(const float* x, const float* w, const float* bias, float* y,
                       const Geometry g) {
  extern __shared__ float tile[];
  const int out_w = g.shape.ow(), across = (out_w + g.edge - 1) / g.edge;
  const int first_i = blockIdx.x / across * g.edge, first_j = blockIdx.x % across * g.edge;
  const int ti = threadIdx.x / g.edge, tj = threadIdx.x % g.edge;
  const bool mine = ti < g.edge && first_i + ti < g.shape.oh() && first_j + tj < out_w;
  float sum = mine ? bias[blockIdx.y] : 0;
  x += blockIdx.z * int64_t(g.shape.c) * g.shape.h * g.shape.w;
  w += blockIdx.y * int64_t(g.shape.c) * g.shape.kh * g.shape.kw;
  for (int c = g.shape.c; c--; x += g.shape.h * g.shape.w) {
    __syncthreads();
    load(tile, x, g, first_i * g.shape.stride_h - g.shape.pad_h,
         first_j * g.shape.stride_w - g.shape.pad_w);
    __syncthreads();
    if (!mine) {
      w += g.shape.kh * g.shape.kw;
      continue;
    }
    const float* corner = tile + ti * g.shape.stride_h * g.in_w + tj * g.shape.stride_w;
    for (int p = 0; p < g.shape.kh; ++p, corner += g.shape.dilation_h * g.in_w)
      for (int q = 0; q < g.shape.kw; ++q) sum = fmaf(corner[q * g.shape.dilation_w], *w++, sum);
  }
  if (mine)
    y[((blockIdx.z * int64_t(g.shape.m) + blockIdx.y) * g.shape.oh() + first_i + ti) * out_w +
      first_j + tj] = sum;
}
}  // namespace

cudaError_t conv2d_tiled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                         const Conv2dShape* shape, cudaStream_t stream) {
  const Geometry g = geometry_for(*shape);
  const int tiles = ceil_div(shape->oh(), g.edge) * ceil_div(shape->ow(), g.edge);
  kernel<<<dim3(tiles, shape->m, shape->n), 256, g.in_h * g.in_w * sizeof(float), stream>>>(
      d_x, d_w, d_b, d_y, g);
  return cudaPeekAtLastError();
}
