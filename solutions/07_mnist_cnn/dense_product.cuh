// SPDX-License-Identifier: MIT
// SOLUTION ONLY
// The products of a dense layer: matrices with any steps between rows and columns.
#pragma once

#include "product.cuh"

namespace product {

// c[row][col] = bias[col] + sum over k of a[row * a_row + k * a_k] * b[k * b_k + col * b_col].
// kAByK, kBByK: neighbouring k are neighbours in memory. kOnes: column cols - 1 of b is all 1,
// which makes column cols - 1 of c the sums of a's rows. Part z sums its share of k into c + z *
// c_part.
template <bool kAByK, bool kBByK, bool kOnes>
struct DenseProduct {
  const float *a, *b, *bias;  // bias may be null
  float* c;
  int rows, cols, terms, terms_of_part;
  int a_row, a_k, b_k, b_col;
  int64_t c_part;

  __device__ int first_k(int part) const { return min(part * terms_of_part, terms); }

  template <bool kByK, class T, int kExtent>
  struct Map : AlongK<T, kExtent> {};
  template <class T, int kExtent>
  struct Map<false, T, kExtent> : Across<T, kExtent> {};

  template <class T>
  struct Loader {
    using MapA = Map<kAByK, T, T::kM>;
    using MapB = Map<kBByK, T, T::kN>;
    const DenseProduct& of;
    int block_row, block_col;

    __device__ Loader(const DenseProduct& product, int first_row, int first_col)
        : of(product), block_row(first_row), block_col(first_col) {}
    __device__ void load(float (&a)[MapA::kCount], float (&b)[MapB::kCount], int k, int end) const {
#pragma unroll
      for (int u = 0; u < MapA::kCount; ++u) {
        const int row = block_row + MapA::at(u), at = k + MapA::depth(u);
        a[u] =
            row < of.rows && at < end ? of.a[int64_t(row) * of.a_row + int64_t(at) * of.a_k] : 0.0f;
      }
#pragma unroll
      for (int u = 0; u < MapB::kCount; ++u) {
        const int col = block_col + MapB::at(u), at = k + MapB::depth(u);
        b[u] = 0.0f;
        if (col >= of.cols || at >= end) continue;
        const bool one = kOnes && col == of.cols - 1;
        b[u] = one ? 1.0f : of.b[int64_t(at) * of.b_k + int64_t(col) * of.b_col];
      }
    }
  };

  __device__ int column(int col) const {
    return col;
  }
  __device__ void store(int row, int col, float sum) const {
    if (row >= rows || col >= cols) return;
    c[blockIdx.z * c_part + int64_t(row) * cols + col] = bias ? sum + bias[col] : sum;
  }
};

// A large tile loads least for each product; small ones keep more multiprocessors busy.
template <class Product>
cudaError_t launch_dense(const Product& product, int parts, cudaStream_t stream) {
  constexpr int64_t kEnough = 132;
  const int64_t large = int64_t(ceil_div(product.rows, 64)) * ceil_div(product.cols, 64) * parts;
  return large >= kEnough ? launch<Large>(product, product.rows, product.cols, parts, stream)
                          : launch<Small>(product, product.rows, product.cols, parts, stream);
}

}  // namespace product
