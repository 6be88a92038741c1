// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The three products of a convolution with stride 1, without storing an unrolled image:
//   y  [m][n oh ow]  = w [m][c kh kw]     times unrolled x       GatherProduct
//   dx [c][n h w]    = w^T [c][m kh kw]   times unrolled dy      GatherProduct
//   dw [m][c kh kw]  = dy [m][n oh ow]    times unrolled x^T     FilterProduct
// Which element of an image a row of the unrolled matrix is, is a table of taps, made once.
#pragma once

#include "product.cuh"

namespace product {

// One term of an element's sum: how far from the element's corner in the image it lies, and where
// its weight is in a row of weights.
struct __align__(16) Tap {
  int offset;
  int down, across;  // the same in rows and columns, for the test against the border
  int weight;
};

// out[image][row][place] = bias[row] + sum over k of w[row * w_step + tap[k].weight] *
// image[corner + tap[k].offset], for all images and places of an output of `out_w` columns.
// kChecked: windows reach beyond the image.
template <bool kChecked>
struct GatherProduct {
  const float *images, *w, *bias;  // bias may be null
  const Tap* taps;
  float* out;
  int rows, terms, w_step;
  int in_size, in_h, in_w;    // an image, all channels; its rows and columns
  int out_area, out_w, cols;  // cols: of all images
  int first_row, first_col;   // of the window of place (0, 0)

  __device__ int first_k(int part) const { return part == 0 ? 0 : terms; }

  template <class T>
  struct Loader {
    using MapA = AlongK<T, T::kM>;
    using MapB = Across<T, T::kN>;
    const GatherProduct& of;
    int block_row, row = 0, col = 0;
    const float* corner;  // null: there is no such column

    __device__ Loader(const GatherProduct& product, int first_block_row, int first_block_col)
        : of(product), block_row(first_block_row), corner(nullptr) {
      const int at = first_block_col + MapB::at(0);
      if (at >= of.cols) return;
      const int image = at / of.out_area, place = at % of.out_area;
      row = place / of.out_w + of.first_row;
      col = place % of.out_w + of.first_col;
      corner = of.images + int64_t(image) * of.in_size + row * of.in_w + col;
    }
    __device__ void load(float (&a)[MapA::kCount], float (&b)[MapB::kCount], int k, int end) const {
      const int mine = k + MapA::depth(0);
      const int weight = mine < end ? of.taps[mine].weight : 0;
#pragma unroll
      for (int u = 0; u < MapA::kCount; ++u) {
        const int r = block_row + MapA::at(u);
        a[u] = mine < end && r < of.rows ? of.w[r * of.w_step + weight] : 0.0f;
      }
#pragma unroll
      for (int u = 0; u < MapB::kCount; ++u) {
        const int at = k + MapB::depth(u);
        b[u] = 0.0f;
        if (at >= end || !corner) continue;
        const Tap tap = of.taps[at];
        const bool inside =
            !kChecked || (static_cast<unsigned>(row + tap.down) < static_cast<unsigned>(of.in_h) &&
                          static_cast<unsigned>(col + tap.across) < static_cast<unsigned>(of.in_w));
        if (inside) b[u] = corner[tap.offset];
      }
    }
  };

  __device__ float* column(int col) const {
    if (col >= cols) return nullptr;
    return out + int64_t(col / out_area) * rows * out_area + col % out_area;
  }
  __device__ void store(int row, float* to, float sum) const {
    if (to && row < rows) to[int64_t(row) * out_area] = bias ? sum + bias[row] : sum;
  }
};

// partial[part][m][taps + 1]: the last column, whose taps are all 1, is the bias's gradient. A part
// sums over some images; each image's outputs are counted up to a multiple of kStep, so that no
// tile has outputs of two images.
template <bool kChecked>
struct FilterProduct {
  static constexpr int kStep = 16;
  const float *images, *dy;
  const Tap* taps;
  float* partial;
  int maps, terms;  // terms: taps of a filter
  int in_size, in_h, in_w, out_area, out_w, first_row, first_col;
  int n, images_of_part, counted_area;

  __device__ int first_k(int part) const { return min(part * images_of_part, n) * counted_area; }

  template <class T>
  struct Loader {
    static_assert(T::kK == kStep, "a tile lies in one image");
    using MapA = AlongK<T, T::kM>;
    using MapB = AlongK<T, T::kN>;
    const FilterProduct& of;
    int block_row;
    Tap tap[MapB::kCount];  // weight: -1 beyond the last column, 1 for that of the bias

    __device__ Loader(const FilterProduct& product, int first_block_row, int first_block_col)
        : of(product), block_row(first_block_row) {
#pragma unroll
      for (int u = 0; u < MapB::kCount; ++u) {
        const int at = first_block_col + MapB::at(u);
        tap[u] = at < of.terms ? of.taps[at] : Tap{};
        tap[u].weight = at < of.terms ? 0 : at == of.terms ? 1 : -1;
      }
    }
    __device__ void load(float (&a)[MapA::kCount], float (&b)[MapB::kCount], int k, int) const {
      const int image = k / of.counted_area, place = k % of.counted_area + MapA::depth(0);
      const bool exists = place < of.out_area;
      const float* dy = of.dy + int64_t(image) * of.maps * of.out_area + place;
#pragma unroll
      for (int u = 0; u < MapA::kCount; ++u) {
        const int r = block_row + MapA::at(u);
        a[u] = exists && r < of.maps ? dy[int64_t(r) * of.out_area] : 0.0f;
      }
      const int row = place / of.out_w + of.first_row, col = place % of.out_w + of.first_col;
      const float* corner = of.images + int64_t(image) * of.in_size + row * of.in_w + col;
#pragma unroll
      for (int u = 0; u < MapB::kCount; ++u) {
        b[u] = 0.0f;
        if (!exists || tap[u].weight < 0) continue;
        if (tap[u].weight > 0) {
          b[u] = 1.0f;
          continue;
        }
        const bool inside =
            !kChecked ||
            (static_cast<unsigned>(row + tap[u].down) < static_cast<unsigned>(of.in_h) &&
             static_cast<unsigned>(col + tap[u].across) < static_cast<unsigned>(of.in_w));
        if (inside) b[u] = corner[tap[u].offset];
      }
    }
  };

  __device__ float* column(int col) const {
    if (col > terms) return nullptr;
    return partial + int64_t(blockIdx.z) * maps * (terms + 1) + col;
  }
  __device__ void store(int row, float* to, float sum) const {
    if (to && row < maps) to[int64_t(row) * (terms + 1)] = sum;
  }
};

}  // namespace product
