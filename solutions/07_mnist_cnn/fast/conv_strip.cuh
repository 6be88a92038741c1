// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The three products of a convolution with stride 1, without storing an unrolled image:
//   y  [m][n oh ow]  = w [m][c kh kw]     times unrolled x       Gather
//   dx [c][n h w]    = w^T [c][m kh kw]   times unrolled dy      Gather
//   dw [m][c kh kw]  = dy [m][n oh ow]    times unrolled x^T     Filter
// A thread keeps a strip of the result: all rows (maps) of a few columns. What it loads from the
// image once serves all of them; what they multiply it with comes through shared memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "../cuda_check.cuh"

namespace strip {

constexpr int kDepth = 16;  // products between two barriers

// The distance of one factor from a corner in the image, and the place of the other one in a row of
// weights.
struct __align__(16) Tap {
  int offset;
  int down, across;  // the same in rows and columns, for the test against the border
  int weight;
};

// What a thread reads its factors from.
struct Column {
  const float* corner = nullptr;  // null: there is no such column
  int row = 0, col = 0;
  int mask = -1;  // 0: always the element at the corner
};

struct Image {
  int size, h, w;  // all channels; rows and columns of one
};

template <bool kChecked>
__device__ float value(const Column& column, const Tap& tap, const Image& image) {
  const bool inside =
      !kChecked || column.mask == 0 ||
      (static_cast<unsigned>(column.row + tap.down) < static_cast<unsigned>(image.h) &&
       static_cast<unsigned>(column.col + tap.across) < static_cast<unsigned>(image.w));
  return inside ? column.corner[tap.offset & column.mask] : 0.0f;
}

// out[image][row][place] = bias[row] + sum over k of w[row * w_step + taps[k].weight] *
// image[corner + taps[k].offset], for all images and places of an output of `out_w` columns.
template <bool kIsChecked>
struct Gather {
  static constexpr bool kChecked = kIsChecked;  // windows reach beyond the image
  const float *images, *w, *bias;               // bias may be null
  const Tap* taps;
  float* out;
  int rows, cols, terms, w_step;  // cols: places of all images
  Image image;
  int out_area, out_w;
  int first_row, first_col;  // of the window of place (0, 0)

  __device__ int first_k(int part) const { return part == 0 ? 0 : terms; }
  __device__ Tap step(int k) const { return taps[k]; }
  __device__ float factor(int row, int k) const { return w[row * w_step + taps[k].weight]; }
  __device__ Column column(int at) const {
    if (at >= cols) return {};
    const int place = at % out_area;
    const int row = place / out_w + first_row, col = place % out_w + first_col;
    return {images + int64_t(at / out_area) * image.size + row * image.w + col, row, col, -1};
  }
  __device__ void store(int row, int at, float sum) const {
    const int64_t to = (int64_t(at / out_area) * rows + row) * out_area + at % out_area;
    out[to] = bias ? sum + bias[row] : sum;
  }
};

// partial[part][m][taps + 1]: the last column, whose factors are all 1, is the bias's gradient. A
// part sums over some images; each image's outputs are counted up to a multiple of kDepth, so that
// no step has outputs of two images.
template <bool kIsChecked>
struct Filter {
  static constexpr bool kChecked = kIsChecked;
  const float *images, *dy, *one;
  const Tap* taps;
  float* partial;
  int rows, cols;  // maps; taps of a filter and one
  Image image;
  int out_area, out_w, first_row, first_col;
  int n, images_of_part, counted_area;

  __device__ int first_k(int part) const { return min(part * images_of_part, n) * counted_area; }
  // Beyond the last output, the factor is 0, and the place is that of the first one.
  __device__ Tap step(int k) const {
    const int at = k % counted_area, place = at < out_area ? at : 0;
    const int row = place / out_w + first_row, col = place % out_w + first_col;
    return {k / counted_area * image.size + row * image.w + col, row, col, 0};
  }
  __device__ float factor(int row, int k) const {
    const int place = k % counted_area;
    if (place >= out_area) return 0.0f;
    return dy[(int64_t(k / counted_area) * rows + row) * out_area + place];
  }
  __device__ Column column(int at) const {
    if (at >= cols) return {};
    if (at == cols - 1) return {one, 0, 0, 0};
    const Tap tap = taps[at];
    return {images + tap.offset, tap.down, tap.across, -1};
  }
  __device__ void store(int row, int at, float sum) const {
    partial[(int64_t(blockIdx.z) * rows + row) * cols + at] = sum;
  }
};

// Part z of the grid sums over k from first_k(z) to first_k(z + 1).
template <int kRows, int kColumns, int kThreads, class Product>
__global__ void __launch_bounds__(kThreads) strip_kernel(const Product product) {
  constexpr int kPitch = kRows + 4;  // rows begin at 16 bytes, and in different banks
  __shared__ __align__(16) float factors[kDepth][kPitch];
  __shared__ Tap steps[kDepth];
  const int first_row = blockIdx.y * kRows;
  const int first_col = blockIdx.x * (kThreads * kColumns) + threadIdx.x;
  Column column[kColumns];
#pragma unroll
  for (int s = 0; s < kColumns; ++s) column[s] = product.column(first_col + s * kThreads);

  float sum[kColumns][kRows] = {};
  const int end = product.first_k(blockIdx.z + 1);
  for (int first = product.first_k(blockIdx.z); first < end; first += kDepth) {
    for (int i = threadIdx.x; i < kDepth * kRows; i += kThreads) {
      const int k = first + i % kDepth, row = first_row + i / kDepth;
      factors[i % kDepth][i / kDepth] =
          k < end && row < product.rows ? product.factor(row, k) : 0.0f;
    }
    if (threadIdx.x < kDepth && first + threadIdx.x < end) {
      steps[threadIdx.x] = product.step(first + threadIdx.x);
    }
    __syncthreads();  // factors and steps are there
    const int depth = min(kDepth, end - first);
    if (column[0].corner) {  // columns are counted upwards: without the first there is no other
#pragma unroll 4
      for (int d = 0; d < depth; ++d) {
        float factor[kRows];
#pragma unroll
        for (int r = 0; r < kRows; r += 4) {
          const float4 four = *reinterpret_cast<const float4*>(&factors[d][r]);
          factor[r] = four.x, factor[r + 1] = four.y, factor[r + 2] = four.z;
          factor[r + 3] = four.w;
        }
#pragma unroll
        for (int s = 0; s < kColumns; ++s) {
          if (kColumns > 1 && !column[s].corner) continue;
          const float x = value<Product::kChecked>(column[s], steps[d], product.image);
#pragma unroll
          for (int r = 0; r < kRows; ++r) sum[s][r] += factor[r] * x;
        }
      }
    }
    __syncthreads();  // all are used before the next ones replace them
  }
#pragma unroll
  for (int s = 0; s < kColumns; ++s) {
    if (!column[s].corner) continue;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      if (first_row + r < product.rows)
        product.store(first_row + r, first_col + s * kThreads, sum[s][r]);
    }
  }
}

template <int kRows, int kColumns, int kThreads, class Product>
cudaError_t launch_as(const Product& product, int parts, cudaStream_t stream) {
  constexpr int kOfBlock = kThreads * kColumns;
  const dim3 grid((product.cols + kOfBlock - 1) / kOfBlock, (product.rows + kRows - 1) / kRows,
                  parts);
  strip_kernel<kRows, kColumns, kThreads><<<grid, kThreads, 0, stream>>>(product);
  return cudaGetLastError();
}

inline int multiprocessors() {
  static const int count = [] {
    int device = 0, found = 1;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, device));
    return found;
  }();
  return count;
}

// The more sums a thread has, the less it reads for each; but a small batch would then leave most
// multiprocessors without a block. So: the largest strip that still makes a block for each of them,
// else the smallest. Every sum is added up in the same order in all of them.
template <int kThreads, bool kManyColumns, class Product>
cudaError_t launch(const Product& product, int parts, cudaStream_t stream) {
  constexpr int kTwo = kManyColumns ? 2 : 1, kFour = kManyColumns ? 4 : 1;
  const auto fits = [&](int rows, int columns) {
    const int of_block = kThreads * columns;
    const int64_t across = (product.cols + of_block - 1) / of_block;
    return product.rows > rows / 2 &&
           across * ((product.rows + rows - 1) / rows) * parts >= multiprocessors();
  };
  if (fits(64, 1)) return launch_as<64, 1, kThreads>(product, parts, stream);
  if (fits(32, kTwo)) return launch_as<32, kTwo, kThreads>(product, parts, stream);
  if (fits(32, 1)) return launch_as<32, 1, kThreads>(product, parts, stream);
  if (fits(16, kTwo)) return launch_as<16, kTwo, kThreads>(product, parts, stream);
  if (fits(16, 1)) return launch_as<16, 1, kThreads>(product, parts, stream);
  if (fits(8, kFour)) return launch_as<8, kFour, kThreads>(product, parts, stream);
  return launch_as<8, 1, kThreads>(product, parts, stream);
}

}  // namespace strip
