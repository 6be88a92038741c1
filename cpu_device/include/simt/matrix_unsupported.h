// SPDX-License-Identifier: MIT
// The part of nvcuda::wmma that the CPU device does not have: elements of less than a byte.
#pragma once

#include "simt/attributes.h"

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
}
