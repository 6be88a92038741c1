// SPDX-License-Identifier: MIT
// __reduce_add_sync() and its like: one integer from all lanes of a warp.
#pragma once

#include "simt/votes.h"

namespace convkit::simt {

// Combines what the lanes gave, as unsigned numbers, in the order of the lanes.
static inline void reduce_lanes(Lanes lanes, unsigned group,
                                unsigned (*combine)(unsigned, unsigned)) {
  unsigned total = given(*lanes[__builtin_ctz(group)]);
  for (int lane = __builtin_ctz(group) + 1; lane < 32; ++lane) {
    if (lanes[lane] != nullptr) total = combine(total, given(*lanes[lane]));
  }
  answer_all(lanes, total);
}

}  // namespace convkit::simt

// `a` and `b` are two lanes' values of this type.
#define CONVKIT_SIMT_REDUCTION(name, Type, kind, expression)                                       \
  static inline void convkit_simt_deliver_##kind(convkit::simt::Lanes lanes, unsigned group) {     \
    convkit::simt::reduce_lanes(lanes, group, [](unsigned left, unsigned right) {                  \
      [[maybe_unused]] const Type a = static_cast<Type>(left), b = static_cast<Type>(right);       \
      return static_cast<unsigned>(expression);                                                    \
    });                                                                                            \
  }                                                                                                \
  static inline Type name(unsigned int mask, Type value, CONVKIT_SIMT_SITE) {                      \
    return static_cast<Type>(convkit::simt::meet(convkit::simt::kind, convkit_simt_deliver_##kind, \
                                                 mask, &value, sizeof(Type), CONVKIT_SIMT_AT));    \
  }

// Sums wrap around, so those of signed numbers are taken as unsigned.
CONVKIT_SIMT_REDUCTION(__reduce_add_sync, int, kReduceAddSigned, left + right)
CONVKIT_SIMT_REDUCTION(__reduce_add_sync, unsigned int, kReduceAddUnsigned, left + right)
CONVKIT_SIMT_REDUCTION(__reduce_min_sync, int, kReduceMinSigned, a < b ? a : b)
CONVKIT_SIMT_REDUCTION(__reduce_min_sync, unsigned int, kReduceMinUnsigned, a < b ? a : b)
CONVKIT_SIMT_REDUCTION(__reduce_max_sync, int, kReduceMaxSigned, a > b ? a : b)
CONVKIT_SIMT_REDUCTION(__reduce_max_sync, unsigned int, kReduceMaxUnsigned, a > b ? a : b)
CONVKIT_SIMT_REDUCTION(__reduce_and_sync, unsigned int, kReduceAnd, a& b)
CONVKIT_SIMT_REDUCTION(__reduce_or_sync, unsigned int, kReduceOr, a | b)
CONVKIT_SIMT_REDUCTION(__reduce_xor_sync, unsigned int, kReduceXor, a ^ b)
#undef CONVKIT_SIMT_REDUCTION
