// SPDX-License-Identifier: MIT
// Shuffles and atomic sums of half and half2. (Loads and stores with cache hints take any type.)
#pragma once

#include "simt/atomic_operations.h"
#include "simt/cached_access.h"
#include "simt/half_arithmetic.h"
#include "simt/shuffles.h"

CONVKIT_SIMT_SHUFFLES(__half)
CONVKIT_SIMT_SHUFFLES(__half2)

static inline __half atomicAdd(__half* address, __half value) {
  return convkit::simt::fetch_and_change(
      address, [value](__half old_value) { return __hadd(old_value, value); });
}
// Each part is added atomically, the two together are not.
static inline __half2 atomicAdd(__half2* address, __half2 value) {
  const __half low = atomicAdd(&address->x, value.x);
  return __half2(low, atomicAdd(&address->y, value.y));
}
