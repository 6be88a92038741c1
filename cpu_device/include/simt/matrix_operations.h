// SPDX-License-Identifier: MIT
// What a warp does with fragments: load_matrix_sync(), store_matrix_sync(), mma_sync(). All 32
// lanes must call, with the same pointer, stride and layout.
#pragma once

#include <cstddef>

#include "simt/bits.h"
#include "simt/matrix_fragments.h"
#include "simt/warp_op.h"

namespace convkit::simt {

// Waits for the lanes; after that each loads or stores its elements.
static inline void meet_at_matrix(WarpKind kind, const ConvkitMatrixInMemory& matrix,
                                  unsigned element_bytes, unsigned alignment, const char* file,
                                  int line) {
  ConvkitWarpOp op;
  prepare(op, kind, convkit_simt_agree_on_matrix, file, line);
  static_assert(sizeof matrix == sizeof op.in, "it is given as it is");
  std::memcpy(op.in, &matrix, sizeof matrix);
  op.size = element_bytes;
  op.detail = alignment;
  convkit_simt_warp_collective(0xffffffffu, &op);
}

// Inlined into the kernel, as are those who call it: check mode names the line of the access.
static __forceinline__ size_t offset_of(MatrixPlace place, size_t stride, bool by_columns) {
  const auto row = static_cast<size_t>(place.row), column = static_cast<size_t>(place.column);
  return by_columns ? row + column * stride : row * stride + column;
}

template <class Traits, class Fragment>
static __forceinline__ void load_elements(Fragment& fragment, const typename Traits::Storage* from,
                                          unsigned stride, bool by_columns, const char* file,
                                          int line) {
  meet_at_matrix(kMatrixLoad, {from, stride, by_columns}, sizeof *from, Traits::kAlignment, file,
                 line);
  const int lane = static_cast<int>(convkit_simt_lane());
  for (int i = 0; i < Traits::kElements; ++i) {
    fragment.x[i] = from[offset_of(Traits::place(lane, i), stride, by_columns)];
  }
  for (int i = Traits::kElements; i < Traits::kPlaces; ++i) {
    fragment.x[i] = fragment.x[i % Traits::kElements];
  }
}

template <class T, class C, class D>
inline constexpr bool multiplies = can_multiply(MatrixElement<T>::kType, MatrixElement<C>::kType,
                                                MatrixElement<D>::kType);

template <int m, int n, int k, class T, class C, class D>
static inline void multiply_fragments(void* d, const void* a, const void* b, const void* c,
                                      bool saturate, const char* file, int line) {
  const ConvkitMatrixProduct product = {d,
                                        a,
                                        b,
                                        c,
                                        m,
                                        n,
                                        k,
                                        MatrixElement<T>::kType,
                                        MatrixElement<C>::kType,
                                        MatrixElement<D>::kType,
                                        saturate};
  const ConvkitMatrixProduct* const given = &product;
  ConvkitWarpOp op;
  prepare(op, kMatrixProduct, convkit_simt_multiply_matrices, file, line);
  put(op, &given, sizeof given);
  convkit_simt_warp_collective(0xffffffffu, &op);
}

}  // namespace convkit::simt

namespace nvcuda::wmma {

// Loads a or b. Rows (columns, if it is col_major) begin `ldm` elements apart.
template <class Use, int m, int n, int k, class T, class Layout,
          class = std::enable_if_t<!std::is_void_v<Layout>>>
static __forceinline__ void load_matrix_sync(
    fragment<Use, m, n, k, T, Layout>& f,
    const typename convkit::simt::MatrixElement<T>::Storage* from, unsigned ldm,
    CONVKIT_SIMT_SITE) {
  using Traits = convkit::simt::FragmentTraits<Use, m, n, k, T, Layout>;
  convkit::simt::load_elements<Traits>(f, from, ldm, Traits::kByColumns, CONVKIT_SIMT_AT);
}

template <int m, int n, int k, class T>
static __forceinline__ void load_matrix_sync(
    fragment<accumulator, m, n, k, T>& f,
    const typename convkit::simt::MatrixElement<T>::Storage* from, unsigned ldm, layout_t layout,
    CONVKIT_SIMT_SITE) {
  using Traits = convkit::simt::FragmentTraits<accumulator, m, n, k, T, void>;
  convkit::simt::load_elements<Traits>(f, from, ldm, layout == mem_col_major, CONVKIT_SIMT_AT);
}

template <int m, int n, int k, class T>
static __forceinline__ void store_matrix_sync(typename convkit::simt::MatrixElement<T>::Storage* to,
                                              const fragment<accumulator, m, n, k, T>& f,
                                              unsigned ldm, layout_t layout, CONVKIT_SIMT_SITE) {
  using Traits = convkit::simt::FragmentTraits<accumulator, m, n, k, T, void>;
  const bool by_columns = layout == mem_col_major;
  convkit::simt::meet_at_matrix(convkit::simt::kMatrixStore, {to, ldm, by_columns}, sizeof *to,
                                Traits::kAlignment, CONVKIT_SIMT_AT);
  const int lane = static_cast<int>(convkit_simt_lane());
  for (int i = 0; i < Traits::kElements; ++i) {
    to[convkit::simt::offset_of(Traits::place(lane, i), ldm, by_columns)] = f.x[i];
  }
}

// d = a * b + c; d and c may be one fragment. How sums are rounded: engine/warp_matrices.cpp.
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D,
          class = std::enable_if_t<convkit::simt::multiplies<T, C, D>>>
static inline void mma_sync(fragment<accumulator, m, n, k, D>& d,
                            const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                            const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                            const fragment<accumulator, m, n, k, C>& c, CONVKIT_SIMT_SITE) {
  convkit::simt::multiply_fragments<m, n, k, T, C, D>(d.x, a.x, b.x, c.x, false, CONVKIT_SIMT_AT);
}

// With `satf`, sums that no int holds become the largest or the smallest one; without it they wrap.
// CUDA 13 has it for integers only.
template <int m, int n, int k, class T, class LayoutA, class LayoutB,
          class = std::enable_if_t<convkit::simt::multiplies<T, int, int>>>
static inline void mma_sync(fragment<accumulator, m, n, k, int>& d,
                            const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                            const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                            const fragment<accumulator, m, n, k, int>& c, bool satf,
                            CONVKIT_SIMT_SITE) {
  convkit::simt::multiply_fragments<m, n, k, T, int, int>(d.x, a.x, b.x, c.x, satf,
                                                          CONVKIT_SIMT_AT);
}

// Rounds to the 10 bits behind the point that TF32 has; ties go away from zero (PTX: cvt.rna.tf32).
static inline float __float_to_tf32(float value) {
  const unsigned bits = convkit::simt::bits_as<unsigned>(value);
  const unsigned size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return convkit::simt::bits_as<float>(0x7fffffffu);
  return convkit::simt::bits_as<float>((bits + 0x1000u) & 0xffffe000u);
}

}  // namespace nvcuda::wmma
