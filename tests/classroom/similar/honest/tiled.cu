// SPDX-License-Identifier: MIT
// Programs by different hands, one behind each line of `====`, which names its style.

// ==== flat_threads
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

// ==== from_the_hints
// Hint after hint: load in strided loops, barrier, compute, barrier.
#include "tile.cuh"

namespace {

constexpr int kTile = 16;

__global__ void conv2d_tiled_kernel(const float* x, const float* w, const float* b, float* y,
                                    Conv2dShape shape) {
  extern __shared__ float tile[];
  const int n = blockIdx.z;
  const int m = blockIdx.y;
  const int tile_rows = input_extent(kTile, shape.stride_h, shape.kh, shape.dilation_h);
  const int tile_cols = input_extent(kTile, shape.stride_w, shape.kw, shape.dilation_w);
  const TileOrigin start = tile_origin(blockIdx.x, shape.ow(), kTile, kTile);
  const int i = start.i + threadIdx.y;
  const int j = start.j + threadIdx.x;
  const int in_row = start.i * shape.stride_h - shape.pad_h;
  const int in_col = start.j * shape.stride_w - shape.pad_w;
  float sum = b[m];
  for (int c = 0; c < shape.c; ++c) {
    const float* channel = x + (int64_t(n) * shape.c + c) * shape.h * shape.w;
    for (int row = threadIdx.y; row < tile_rows; row += blockDim.y) {
      for (int col = threadIdx.x; col < tile_cols; col += blockDim.x) {
        tile[row * tile_cols + col] = padded(channel, shape, in_row + row, in_col + col);
      }
    }
    __syncthreads();
    for (int p = 0; p < shape.kh; ++p) {
      for (int q = 0; q < shape.kw; ++q) {
        const int tr = threadIdx.y * shape.stride_h + p * shape.dilation_h;
        const int tc = threadIdx.x * shape.stride_w + q * shape.dilation_w;
        sum += tile[tr * tile_cols + tc] *
               w[((int64_t(m) * shape.c + c) * shape.kh + p) * shape.kw + q];
      }
    }
    __syncthreads();
  }
  if (i < shape.oh() && j < shape.ow()) {
    y[((int64_t(n) * shape.m + m) * shape.oh() + i) * shape.ow() + j] = sum;
  }
}

}  // namespace

cudaError_t conv2d_tiled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                         const Conv2dShape* shape, cudaStream_t stream) {
  const int rows = input_extent(kTile, shape->stride_h, shape->kh, shape->dilation_h);
  const int cols = input_extent(kTile, shape->stride_w, shape->kw, shape->dilation_w);
  const size_t bytes = rows * cols * sizeof(float);
  cudaError_t error = cudaFuncSetAttribute(conv2d_tiled_kernel,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  if (error != cudaSuccess) return error;
  const int tiles = ceil_div(shape->oh(), kTile) * ceil_div(shape->ow(), kTile);
  conv2d_tiled_kernel<<<dim3(tiles, shape->m, shape->n), dim3(kTile, kTile), bytes, stream>>>(
      d_x, d_w, d_b, d_y, *shape);
  return cudaGetLastError();
}

// ==== strided_loads
#include "tile.cuh"

#define TILE 16

__global__ void tiled_kernel(const float* x, const float* w, const float* b, float* y,
                             Conv2dShape s) {
  extern __shared__ float sm[];
  int rows = input_extent(TILE, s.stride_h, s.kh, s.dilation_h);
  int cols = input_extent(TILE, s.stride_w, s.kw, s.dilation_w);
  TileOrigin o = tile_origin(blockIdx.x, s.ow(), TILE, TILE);
  int m = blockIdx.y, n = blockIdx.z;
  int row = o.i + threadIdx.y, col = o.j + threadIdx.x;
  float acc = 0.f;
  for (int c = 0; c < s.c; c++) {
    const float* xc = x + ((size_t)n * s.c + c) * s.h * s.w;
    for (int r = threadIdx.y; r < rows; r += blockDim.y)
      for (int q = threadIdx.x; q < cols; q += blockDim.x)
        sm[r * cols + q] =
            padded(xc, s, o.i * s.stride_h - s.pad_h + r, o.j * s.stride_w - s.pad_w + q);
    __syncthreads();
    const float* wc = w + ((size_t)m * s.c + c) * s.kh * s.kw;
    for (int p = 0; p < s.kh; p++)
      for (int q = 0; q < s.kw; q++)
        acc += sm[(threadIdx.y * s.stride_h + p * s.dilation_h) * cols + threadIdx.x * s.stride_w +
                  q * s.dilation_w] *
               wc[p * s.kw + q];
    __syncthreads();
  }
  if (row < s.oh() && col < s.ow())
    y[(((size_t)n * s.m + m) * s.oh() + row) * s.ow() + col] = acc + b[m];
}

cudaError_t conv2d_tiled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                         const Conv2dShape* shape, cudaStream_t stream) {
  dim3 block(TILE, TILE);
  dim3 grid(ceil_div(shape->oh(), TILE) * ceil_div(shape->ow(), TILE), shape->m, shape->n);
  size_t bytes = sizeof(float) * input_extent(TILE, shape->stride_h, shape->kh, shape->dilation_h) *
                 input_extent(TILE, shape->stride_w, shape->kw, shape->dilation_w);
  if (bytes > 48 * 1024)
    cudaFuncSetAttribute(tiled_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  tiled_kernel<<<grid, block, bytes, stream>>>(d_x, d_w, d_b, d_y, *shape);
  return cudaGetLastError();
}

// ==== weights_too
// The filter of a channel lies in shared memory as well.
#include "tile.cuh"

template <int BH, int BW>
__global__ void __launch_bounds__(BH* BW)
    conv_shared(const float* __restrict__ in, const float* __restrict__ filt,
                const float* __restrict__ bias, float* __restrict__ out, const Conv2dShape sh,
                const int th, const int tw) {
  extern __shared__ float mem[];
  float* weights = mem;
  float* image = mem + sh.kh * sh.kw;
  const int tiles_w = ceil_div(sh.ow(), BW);
  const int by = (blockIdx.x / tiles_w) * BH, bx = (blockIdx.x % tiles_w) * BW;
  const int tid = threadIdx.y * BW + threadIdx.x;
  float res = bias[blockIdx.y];
  for (int ch = 0; ch < sh.c; ++ch) {
    if (tid < sh.kh * sh.kw)
      weights[tid] = filt[(int64_t(blockIdx.y) * sh.c + ch) * sh.kh * sh.kw + tid];
    const int64_t plane = (int64_t(blockIdx.z) * sh.c + ch) * sh.h;
    for (int a = threadIdx.y; a < th; a += BH) {
      const int r = by * sh.stride_h + a - sh.pad_h;
      const bool row_ok = r >= 0 && r < sh.h;
      for (int e = threadIdx.x; e < tw; e += BW) {
        const int c = bx * sh.stride_w + e - sh.pad_w;
        image[a * tw + e] = row_ok && c >= 0 && c < sh.w ? in[(plane + r) * sh.w + c] : 0.f;
      }
    }
    __syncthreads();
    const float* my = image + threadIdx.y * sh.stride_h * tw + threadIdx.x * sh.stride_w;
    int tap = 0;
    for (int p = 0; p < sh.kh; ++p) {
      for (int q = 0; q < sh.kw; ++q, ++tap) res += weights[tap] * my[q * sh.dilation_w];
      my += sh.dilation_h * tw;
    }
    __syncthreads();
  }
  const int oy = by + threadIdx.y, ox = bx + threadIdx.x;
  if (oy >= sh.oh() || ox >= sh.ow()) return;
  out[((int64_t(blockIdx.z) * sh.m + blockIdx.y) * sh.oh() + oy) * sh.ow() + ox] = res;
}

cudaError_t conv2d_tiled(const float* d_x, const float* d_w, const float* d_b, float* d_y,
                         const Conv2dShape* shape, cudaStream_t stream) {
  constexpr int kH = 8, kW = 8;
  const int th = input_extent(kH, shape->stride_h, shape->kh, shape->dilation_h);
  const int tw = input_extent(kW, shape->stride_w, shape->kw, shape->dilation_w);
  dim3 grid;
  grid.x = ceil_div(shape->oh(), kH) * ceil_div(shape->ow(), kW);
  grid.y = shape->m;
  grid.z = shape->n;
  conv_shared<kH, kW><<<grid, dim3(kW, kH), (th * tw + shape->kh * shape->kw) * 4, stream>>>(
      d_x, d_w, d_b, d_y, *shape, th, tw);
  return cudaGetLastError();
}
