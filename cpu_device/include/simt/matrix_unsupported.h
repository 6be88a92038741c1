// SPDX-License-Identifier: MIT
// What nvcuda::wmma does not have here: elements of less than a byte, and what CUDA 13 dropped.
#pragma once

#include "simt/attributes.h"
#include "simt/matrix_operations.h"

#define CONVKIT_SIMT_NO_SUB_BYTE                                                               \
  "wmma with elements of 4 bits or 1 bit is not supported on the CPU device; use signed char " \
  "or unsigned char"

namespace nvcuda::wmma::experimental {

namespace precision {
struct CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_SUB_BYTE) u4;
struct CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_SUB_BYTE) s4;
struct CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_SUB_BYTE) b1;
}  // namespace precision

enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };

}  // namespace nvcuda::wmma::experimental

namespace nvcuda::wmma {

template <class... Arguments>
CONVKIT_SIMT_UNAVAILABLE(CONVKIT_SIMT_NO_SUB_BYTE)
void bmma_sync(Arguments&&...);

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D,
          class = std::enable_if_t<!std::is_same_v<D, int>>>
CONVKIT_SIMT_UNAVAILABLE("mma_sync() takes satf for integers only in CUDA 13; leave it out")
void mma_sync(fragment<accumulator, m, n, k, D>&, const fragment<matrix_a, m, n, k, T, LayoutA>&,
              const fragment<matrix_b, m, n, k, T, LayoutB>&,
              const fragment<accumulator, m, n, k, C>&, bool satf);

}  // namespace nvcuda::wmma
