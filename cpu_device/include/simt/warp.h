// SPDX-License-Identifier: MIT
// Functions that the lanes of a warp call together.
#pragma once

#include "simt/shuffles.h"
#include "simt/votes.h"
#include "simt/warp_reductions.h"

// The forms without a mask are gone from CUDA itself since compute capability 7.0.
#define CONVKIT_SIMT_WITHOUT_MASK(name) \
  template <class... Arguments>                                                                \
  CONVKIT_SIMT_UNAVAILABLE(#name "() needs the lanes that take part: call " #name              \
                                 "_sync() with a mask first, 0xffffffff for the whole warp")   \
  int name(Arguments...);

CONVKIT_SIMT_WITHOUT_MASK(__shfl)
CONVKIT_SIMT_WITHOUT_MASK(__shfl_up)
CONVKIT_SIMT_WITHOUT_MASK(__shfl_down)
CONVKIT_SIMT_WITHOUT_MASK(__shfl_xor)
CONVKIT_SIMT_WITHOUT_MASK(__all)
CONVKIT_SIMT_WITHOUT_MASK(__any)
CONVKIT_SIMT_WITHOUT_MASK(__ballot)
#undef CONVKIT_SIMT_WITHOUT_MASK
