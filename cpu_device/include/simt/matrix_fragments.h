// SPDX-License-Identifier: MIT
// nvcuda::wmma::fragment: a lane's part of a matrix. Shapes and types are those of CUDA 13 for
// compute capability 9.0, without the sub-byte ones (matrix_unsupported.h).
#pragma once

#include <type_traits>

#include "cuda_bf16.h"
#include "simt/matrix_layout.h"
#include "simt/matrix_side.h"

namespace nvcuda::wmma {

// What a fragment is for, how its matrix lies in memory, and types of elements that C++ lacks.
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

}  // namespace nvcuda::wmma

namespace convkit::simt {

// How fragments hold elements of a type; not defined for types of which there are none.
template <class T>
struct MatrixElement;
#define CONVKIT_SIMT_MATRIX_ELEMENT(T, StorageType, type_code)             \
  template <>                                                              \
  struct MatrixElement<T> {                                                \
    using Storage = StorageType;                                           \
    static constexpr ConvkitMatrixType kType = CONVKIT_MATRIX_##type_code; \
  };
CONVKIT_SIMT_MATRIX_ELEMENT(__half, __half, HALF)
CONVKIT_SIMT_MATRIX_ELEMENT(__nv_bfloat16, __nv_bfloat16, BFLOAT16)
CONVKIT_SIMT_MATRIX_ELEMENT(nvcuda::wmma::precision::tf32, float, TF32)
CONVKIT_SIMT_MATRIX_ELEMENT(signed char, signed char, SIGNED_CHAR)
CONVKIT_SIMT_MATRIX_ELEMENT(unsigned char, unsigned char, UNSIGNED_CHAR)
CONVKIT_SIMT_MATRIX_ELEMENT(int, int, INT)
CONVKIT_SIMT_MATRIX_ELEMENT(float, float, FLOAT)
CONVKIT_SIMT_MATRIX_ELEMENT(double, double, DOUBLE)
#undef CONVKIT_SIMT_MATRIX_ELEMENT

// Whether a product of this shape may have factors or sums of this type.
static constexpr inline bool matrix_shape_is(int m, int n, int k, int m0, int n0, int k0) {
  return m == m0 && n == n0 && k == k0;
}
static constexpr inline bool has_shape(ConvkitMatrixType type, int m, int n, int k) {
  const bool of_depth_16 = matrix_shape_is(m, n, k, 16, 16, 16) ||
                           matrix_shape_is(m, n, k, 32, 8, 16) ||
                           matrix_shape_is(m, n, k, 8, 32, 16);
  const bool of_tf32 = matrix_shape_is(m, n, k, 16, 16, 8);
  if (type == CONVKIT_MATRIX_DOUBLE) return matrix_shape_is(m, n, k, 8, 8, 4);
  if (type == CONVKIT_MATRIX_TF32) return of_tf32;
  return of_depth_16 || (type == CONVKIT_MATRIX_FLOAT && of_tf32);
}

// The types of d = a * b + c, in the order factors, c, d.
static constexpr inline bool can_multiply(ConvkitMatrixType factors, ConvkitMatrixType c,
                                          ConvkitMatrixType d) {
  const bool floats = c == CONVKIT_MATRIX_FLOAT && d == CONVKIT_MATRIX_FLOAT;
  switch (factors) {
    case CONVKIT_MATRIX_HALF:
      return (c == CONVKIT_MATRIX_HALF || c == CONVKIT_MATRIX_FLOAT) &&
             (d == CONVKIT_MATRIX_HALF || d == CONVKIT_MATRIX_FLOAT);
    case CONVKIT_MATRIX_BFLOAT16:
    case CONVKIT_MATRIX_TF32:
      return floats;
    case CONVKIT_MATRIX_SIGNED_CHAR:
    case CONVKIT_MATRIX_UNSIGNED_CHAR:
      return c == CONVKIT_MATRIX_INT && d == CONVKIT_MATRIX_INT;
    case CONVKIT_MATRIX_DOUBLE:
      return c == CONVKIT_MATRIX_DOUBLE && d == CONVKIT_MATRIX_DOUBLE;
    default:
      return false;
  }
}

template <class Use, int m, int n, int k, class T, class Layout>
struct FragmentTraits {
  using Storage = typename MatrixElement<T>::Storage;
  static constexpr ConvkitMatrixType kType = MatrixElement<T>::kType;
  static constexpr bool kIsA = std::is_same_v<Use, nvcuda::wmma::matrix_a>;
  static constexpr bool kIsAccumulator = std::is_same_v<Use, nvcuda::wmma::accumulator>;
  static constexpr bool kByColumns = std::is_same_v<Layout, nvcuda::wmma::col_major>;
  static constexpr bool kIsFactorType =
      can_multiply(kType, CONVKIT_MATRIX_FLOAT, CONVKIT_MATRIX_FLOAT) ||
      can_multiply(kType, CONVKIT_MATRIX_INT, CONVKIT_MATRIX_INT) || kType == CONVKIT_MATRIX_DOUBLE;
  static constexpr bool kIsSumType = kType == CONVKIT_MATRIX_HALF ||
                                     kType == CONVKIT_MATRIX_FLOAT || kType == CONVKIT_MATRIX_INT ||
                                     kType == CONVKIT_MATRIX_DOUBLE;
  static constexpr bool kExists =
      has_shape(kType, m, n, k) &&
      (kIsAccumulator
           ? kIsSumType && std::is_void_v<Layout>
           : kIsFactorType && (kByColumns || std::is_same_v<Layout, nvcuda::wmma::row_major>));

  // Elements of the matrix that a lane holds. Halves of a and b have 16 places whatever the shape,
  // in which these are repeated.
  static constexpr int kElements = (kIsAccumulator ? m * n : kIsA ? m * k : k * n) / 32;
  static constexpr int kPlaces = !kIsAccumulator && kType == CONVKIT_MATRIX_HALF ? 16 : kElements;

  // The multiple of bytes at which such a matrix begins in memory: 256 bits (CUDA C++ Programming
  // Guide), or a lane's part of it if that is less (PTX ISA, "Matrix Storage for WMMA").
  static constexpr unsigned kAlignment =
      kPlaces * sizeof(Storage) < 32 ? kPlaces * sizeof(Storage) : 32;

  static constexpr MatrixPlace place(int lane, int element) {
    constexpr int run = kIsAccumulator ? 2 : run_of(sizeof(Storage));
    return kIsA || kIsAccumulator ? place_by_rows(m, run, lane, element)
                                  : place_by_columns(k, run, lane, element);
  }
};

}  // namespace convkit::simt

namespace nvcuda::wmma {

// x[i] of lane l is an element of the matrix, or a repeated one, as matrix_layout.h says. Not
// initialised.
template <class Use, int m, int n, int k, class T, class Layout = void>
class __align__(8) fragment {
  using Traits = convkit::simt::FragmentTraits<Use, m, n, k, T, Layout>;
  static_assert(Traits::kExists,
                "wmma has no such fragment: a matrix_a or matrix_b is row_major or col_major and "
                "of half, __nv_bfloat16, signed char or unsigned char (16x16x16, 32x8x16, "
                "8x32x16), precision::tf32 (16x16x8) or double (8x8x4); an accumulator has no "
                "layout and is of half, float, int or double");

 public:
  using element_type = T;
  using storage_element_type = typename Traits::Storage;
  static constexpr int num_elements = Traits::kPlaces;
  static constexpr int num_storage_elements = num_elements;

  storage_element_type x[num_elements];
};

// Every element of the matrix becomes `value`. All lanes must give the same.
template <class Use, int m, int n, int k, class T, class Layout>
static inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& f,
                                 const typename convkit::simt::MatrixElement<T>::Storage& value) {
  for (auto& element : f.x) element = value;
}

}  // namespace nvcuda::wmma
