// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The place in x of an element of the unrolled matrix. It is the sum of a part from its column
// (image and output: the corner of a window) and a part from its row (a tap of the window).
#pragma once

#include "../unroll_index.cuh"

namespace implicit {

struct Tensors {
  const float *x, *w, *b;
  float* y;
};

// A row of u as a place in the window: channel, kernel row, kernel column.
struct RowPlace {
  int ch, p, q;

  // The place `step` rows further on, without a division.
  __device__ void advance(const RowPlace& step, const Conv2dShape& s) {
    q += step.q;
    const bool next_row = q >= s.kw;
    if (next_row) q -= s.kw;
    p += step.p + next_row;
    const bool next_channel = p >= s.kh;
    if (next_channel) p -= s.kh;
    ch += step.ch + next_channel;
  }
};

inline __device__ RowPlace place_of(int row, const Conv2dShape& s) {
  return {row / (s.kw * s.kh), row / s.kw % s.kh, row % s.kw};
}

// The same as a distance: how far the element lies from the corner of its window.
struct __align__(16) Tap {
  int offset;        // in elements
  int down, across;  // in rows and columns, for the test against the border
  int unused;
};

// Channels beyond the last one lie in the padding of every window.
inline __device__ Tap tap_at(const RowPlace& at, const Conv2dShape& s) {
  if (at.ch >= s.c) return {0, -(1 << 30), 0, 0};
  const int down = at.p * s.dilation_h, across = at.q * s.dilation_w;
  return {(at.ch * s.h + down) * s.w + across, down, across, 0};
}

// A column of u: the window of one output. Columns are counted through all images.
struct Window {
  const float* corner;  // where it begins in x; in the padding that is outside of the image
  int row, col;         // the same as row and column of the image

  // Whether a tap lies in the image. Only then may its address be used.
  __device__ bool sees(const Tap& tap, const Conv2dShape& s) const {
    return static_cast<unsigned>(row + tap.down) < static_cast<unsigned>(s.h) &&
           static_cast<unsigned>(col + tap.across) < static_cast<unsigned>(s.w);
  }
};

// The element of y in the same column: y[image][first map][pixel].
struct OutputPlace {
  int64_t image;
  int pixel;
};

inline __device__ OutputPlace output_of(int64_t column, int pixels) {
  const int64_t image = column / pixels;
  return {image, static_cast<int>(column - image * pixels)};
}

inline __device__ Window window_of(const float* x, int64_t column, const Conv2dShape& s) {
  const OutputPlace at = output_of(column, matrix_columns(s));
  // A column beyond the last one has only padding.
  if (at.image >= s.n) return {x, -(1 << 29), 0};
  const int i = at.pixel / s.ow(), j = at.pixel - i * s.ow();
  const int row = i * s.stride_h - s.pad_h, col = j * s.stride_w - s.pad_w;
  return {x + at.image * s.c * s.h * s.w + (row * s.w + col), row, col};
}

}  // namespace implicit
