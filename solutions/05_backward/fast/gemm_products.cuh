// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The two gradients as matrix products:
//   dx [c][n h w]  = w^T [c][m kh kw]  times  unrolled dy [m kh kw][n h w]
//   dw [m][c kh kw] = dy [m][n oh ow]  times  unrolled x^T [n oh ow][c kh kw]
#pragma once

#include "../taps.cuh"
#include "divisor.cuh"
#include "implicit_gemm.cuh"

namespace implicit {

// Row c, column (n, row, col), k = (m, p, q).
struct XgradProduct {
  const float *dy, *w;
  float* dx;
  Conv2dShape s;
  int oh, ow;
  bool accumulate;
  Divisor by_kw, by_kh;

  XgradProduct(const float* d_dy, const float* d_w, float* d_dx, const Conv2dShape& shape, bool add)
      : dy(d_dy),
        w(d_w),
        dx(d_dx),
        s(shape),
        oh(shape.oh()),
        ow(shape.ow()),
        accumulate(add),
        by_kw(shape.kw),
        by_kh(shape.kh) {}

  __device__ int64_t first_k(int part) const { return part == 0 ? 0 : int64_t(s.m) * s.kh * s.kw; }

  struct Tap {
    int m, p, q;
  };
  __device__ Tap tap(int k) const {
    const int line = by_kw.quotient(k), m = by_kh.quotient(line);
    return {m, line - m * s.kh, k - line * s.kw};
  }

  struct Place {
    int64_t n;
    int row, col;
  };
  __device__ Place place_of(int64_t at) const {
    return {at / s.w / s.h, static_cast<int>(at / s.w % s.h), static_cast<int>(at % s.w)};
  }

  // Neighbouring threads load neighbouring columns of dy, and neighbouring taps of w.
  struct Loader {
    const XgradProduct& of;
    int64_t first_row;
    bool has_column;
    Place here;
    __device__ Loader(const XgradProduct& product, int64_t row, int64_t col)
        : of(product), first_row(row), has_column(false), here{} {
      const int64_t at = col + threadIdx.x % kTile;
      has_column = at < of.s.x_size() / of.s.c;
      if (has_column) here = of.place_of(at);
    }
    __device__ void load(Tiles& tiles, int64_t k, int64_t end) const {
      const int t = threadIdx.x;
#pragma unroll
      for (int u = 0; u < kLoads; ++u) {
        const int d = t % kDepth, row = t / kDepth + u * (kBlock / kDepth);
        tiles.a[d][row] = weight(first_row + row, k + d, end);
      }
#pragma unroll
      for (int u = 0; u < kLoads; ++u) {
        const int d = t / kTile + u * (kBlock / kTile);
        tiles.b[d][t % kTile] = gradient(k + d, end);
      }
    }
    __device__ float weight(int64_t c, int64_t k, int64_t end) const {
      if (c >= of.s.c || k >= end) return 0.0f;
      const Tap at = of.tap(static_cast<int>(k));
      return of.w[place(at.m, static_cast<int>(c), of.s.c, at.p, of.s.kh, at.q, of.s.kw)];
    }
    __device__ float gradient(int64_t k, int64_t end) const {
      if (!has_column || k >= end) return 0.0f;
      const Conv2dShape& s = of.s;
      const Tap at = of.tap(static_cast<int>(k));
      const int i = output_of(here.row, at.p, s.stride_h, s.pad_h, s.dilation_h, of.oh);
      const int j = output_of(here.col, at.q, s.stride_w, s.pad_w, s.dilation_w, of.ow);
      return i < 0 || j < 0 ? 0.0f : of.dy[place(here.n, at.m, s.m, i, of.oh, j, of.ow)];
    }
  };

  __device__ void store(int64_t c, int64_t col, float sum) const {
    if (c >= s.c || col >= s.x_size() / s.c) return;
    const Place at = place_of(col);
    float& element = dx[place(at.n, static_cast<int>(c), s.c, at.row, s.h, at.col, s.w)];
    element = accumulate ? element + sum : sum;
  }
};

// Row m, column (c, p, q), k = (n, i, j). Few outputs and a long sum: the grid's parts share it.
struct WgradProduct {
  const float *x, *dy;
  float* partial;  // [tap][part]
  Conv2dShape s;
  int oh, ow, parts;
  int64_t terms, chunk;  // of a part

  WgradProduct(const float* d_x, const float* d_dy, float* d_partial, const Conv2dShape& shape,
               int number_of_parts)
      : x(d_x),
        dy(d_dy),
        partial(d_partial),
        s(shape),
        oh(shape.oh()),
        ow(shape.ow()),
        parts(number_of_parts),
        terms(int64_t(shape.n) * oh * ow),
        chunk((terms + parts - 1) / parts) {}

  __device__ int64_t first_k(int part) const { return part * chunk < terms ? part * chunk : terms; }

  // Neighbouring threads load neighbouring outputs, of dy and of x.
  struct Loader {
    const WgradProduct& of;
    int64_t first_row;
    int c[kLoads], p[kLoads], q[kLoads];  // of this thread's columns; c is -1 beyond the last
    __device__ Loader(const WgradProduct& product, int64_t row, int64_t col)
        : of(product), first_row(row) {
      const Conv2dShape& s = of.s;
#pragma unroll
      for (int u = 0; u < kLoads; ++u) {
        const int64_t at = col + threadIdx.x / kDepth + u * (kBlock / kDepth);
        q[u] = at % s.kw, p[u] = at / s.kw % s.kh;
        c[u] = at < int64_t(s.c) * s.kh * s.kw ? static_cast<int>(at / s.kw / s.kh) : -1;
      }
    }
    __device__ void load(Tiles& tiles, int64_t first_k, int64_t end) const {
      const Conv2dShape& s = of.s;
      const int d = threadIdx.x % kDepth;
      const int64_t k = first_k + d;
      const int j = k % of.ow, i = k / of.ow % of.oh;
      const int64_t n = k / of.ow / of.oh;
#pragma unroll
      for (int u = 0; u < kLoads; ++u) {
        const int at = threadIdx.x / kDepth + u * (kBlock / kDepth);
        const int64_t m = first_row + at;
        const bool exists = k < end && m < s.m;
        tiles.a[d][at] =
            exists ? of.dy[place(n, static_cast<int>(m), s.m, i, of.oh, j, of.ow)] : 0.0f;
        const int row = input_of(i, p[u], s.stride_h, s.pad_h, s.dilation_h);
        const int col = input_of(j, q[u], s.stride_w, s.pad_w, s.dilation_w);
        const bool inside = k < end && c[u] >= 0 && row >= 0 && row < s.h && col >= 0 && col < s.w;
        tiles.b[d][at] = inside ? of.x[place(n, c[u], s.c, row, s.h, col, s.w)] : 0.0f;
      }
    }
  };

  __device__ void store(int64_t m, int64_t col, float sum) const {
    const int64_t taps = int64_t(s.c) * s.kh * s.kw;  // of a filter
    if (m < s.m && col < taps) partial[(m * taps + col) * parts + blockIdx.z] = sum;
  }
};

// From the shape alone, as in wgrad.cu: about as many blocks as keep a large GPU busy.
inline int wgrad_parts(const Conv2dShape& s) {
  constexpr int64_t kBlocks = 528, kFewestTerms = 16 * kDepth;
  const int64_t tiles =
      int64_t((s.m + kTile - 1) / kTile) * ((int64_t(s.c) * s.kh * s.kw + kTile - 1) / kTile);
  const int64_t wanted = kBlocks / tiles;
  const int64_t most = int64_t(s.n) * s.oh() * s.ow() / kFewestTerms;
  const int64_t parts = wanted < most ? wanted : most;
  return parts < 1 ? 1 : static_cast<int>(parts);
}

}  // namespace implicit
