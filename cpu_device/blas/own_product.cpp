// SPDX-License-Identifier: MIT
// The product without OpenBLAS. Blocks of A and B that fit into the caches are packed into strips,
// transposed or not, so that one small kernel serves all: it keeps a tile of C in registers and
// walks along k through both strips in order.
#include <algorithm>
#include <vector>

#include "cpu_device/blas/product.h"

namespace convkit::simt::blas {
namespace {

template <class T>
constexpr int kTileRows = 64 / sizeof(T);  // a tile takes twelve registers of 32 bytes
constexpr int kTileColumns = 6;
// A block of A stays in the second cache, a strip of B in the first.
constexpr int kBlockRows = 96, kBlockColumns = 1536, kBlockDepth = 256;

// Packs `count` lines of `depth` elements into strips of `width` lines, the last filled up with
// zeros: element (line, p) of the source lies at from[line * line_step + p * depth_step].
template <class T>
void pack(const T* from, int64_t line_step, int64_t depth_step, int count, int depth, int width,
          T* to) {
  for (int strip = 0; strip < count; strip += width) {
    const int lines = std::min(width, count - strip);
    for (int p = 0; p < depth; ++p) {
      const T* at = from + strip * line_step + p * depth_step;
      for (int i = 0; i < lines; ++i) *to++ = at[i * line_step];
      for (int i = lines; i < width; ++i) *to++ = T{};
    }
  }
}

template <class T>
using Tile = T[kTileColumns][kTileRows<T>];

// Compilers make vectors of this loop only where they are written; both have this extension.
template <class T>
__attribute__((always_inline)) inline void multiply_strips_of(const T* a, const T* b, int depth,
                                                              Tile<T>& tile) {
  typedef T Vector __attribute__((vector_size(32), aligned(sizeof(T))));
  constexpr int kVectors = kTileRows<T> * sizeof(T) / sizeof(Vector);
  Vector sum[kTileColumns][kVectors] = {};
  for (int p = 0; p < depth; ++p, a += kTileRows<T>, b += kTileColumns) {
    for (int i = 0; i < kVectors; ++i) {
      const Vector rows = reinterpret_cast<const Vector*>(a)[i];
      for (int j = 0; j < kTileColumns; ++j) sum[j][i] += rows * b[j];
    }
  }
  for (int j = 0; j < kTileColumns; ++j) {
    for (int i = 0; i < kVectors; ++i) reinterpret_cast<Vector*>(tile[j])[i] = sum[j][i];
  }
}

// tile = strip of A times strip of B.
template <class T>
using MultiplyStrips = void (*)(const T* a, const T* b, int depth, Tile<T>& tile);

template <class T>
void multiply_strips(const T* a, const T* b, int depth, Tile<T>& tile) {
  multiply_strips_of(a, b, depth, tile);
}

// The kit is compiled for any processor of its kind; this one loop for newer ones, too.
#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2,fma"))) void multiply_strips_avx2(const T* a, const T* b, int depth,
                                                              Tile<T>& tile) {
  multiply_strips_of(a, b, depth, tile);
}
template <class T>
MultiplyStrips<T> best_multiply_strips() {
  const bool has_both = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has_both ? multiply_strips_avx2<T> : multiply_strips<T>;
}
#else
template <class T>
MultiplyStrips<T> best_multiply_strips() {
  return multiply_strips<T>;
}
#endif

template <class T>
void scale(const Product<T>& product) {
  for (int j = 0; j < product.n; ++j) {
    T* column = product.c + j * product.ldc;
    if (product.beta == T{}) {
      std::fill_n(column, product.m, T{});
    } else if (product.beta != T{1}) {
      for (int i = 0; i < product.m; ++i) column[i] *= product.beta;
    }
  }
}

template <class T>
void multiply_blocks(const Product<T>& product) {
  scale(product);
  if (product.alpha == T{} || product.k == 0) return;
  const MultiplyStrips<T> multiply_tile = best_multiply_strips<T>();
  const int64_t a_row = product.transpose_a ? product.lda : 1;
  const int64_t a_depth = product.transpose_a ? 1 : product.lda;
  const int64_t b_column = product.transpose_b ? 1 : product.ldb;
  const int64_t b_depth = product.transpose_b ? product.ldb : 1;
  const auto depth_of_all = static_cast<size_t>(std::min(product.k, kBlockDepth));
  const auto strips = [](int size, int most, int width) {
    return static_cast<size_t>((std::min(size, most) + width - 1) / width * width);
  };
  std::vector<T> packed_a(depth_of_all * strips(product.m, kBlockRows, kTileRows<T>));
  std::vector<T> packed_b(depth_of_all * strips(product.n, kBlockColumns, kTileColumns));

  for (int j0 = 0; j0 < product.n; j0 += kBlockColumns) {
    const int columns = std::min(kBlockColumns, product.n - j0);
    for (int p0 = 0; p0 < product.k; p0 += kBlockDepth) {
      const int depth = std::min(kBlockDepth, product.k - p0);
      pack(product.b + j0 * b_column + p0 * b_depth, b_column, b_depth, columns, depth,
           kTileColumns, packed_b.data());
      for (int i0 = 0; i0 < product.m; i0 += kBlockRows) {
        const int rows = std::min(kBlockRows, product.m - i0);
        pack(product.a + i0 * a_row + p0 * a_depth, a_row, a_depth, rows, depth, kTileRows<T>,
             packed_a.data());
        for (int j = 0; j < columns; j += kTileColumns) {
          for (int i = 0; i < rows; i += kTileRows<T>) {
            Tile<T> tile;
            multiply_tile(packed_a.data() + int64_t{i} * depth,
                          packed_b.data() + int64_t{j} * depth, depth, tile);
            T* c = product.c + (j0 + j) * product.ldc + i0 + i;
            for (int tj = 0; tj < std::min(kTileColumns, columns - j); ++tj) {
              for (int ti = 0; ti < std::min(kTileRows<T>, rows - i); ++ti) {
                c[tj * product.ldc + ti] += product.alpha * tile[tj][ti];
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace

void multiply_plainly(const Product<float>& product) {
  multiply_blocks(product);
}
void multiply_plainly(const Product<double>& product) {
  multiply_blocks(product);
}

}  // namespace convkit::simt::blas
