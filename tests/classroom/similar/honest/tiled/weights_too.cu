// SPDX-License-Identifier: MIT
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
