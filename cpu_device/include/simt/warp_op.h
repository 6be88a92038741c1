// SPDX-License-Identifier: MIT
// How a lane takes part in a warp collective: it fills in a ConvkitWarpOp, and the lane that comes
// last does the work for all of them.
#pragma once

#include <cstring>

#include "simt/attributes.h"
#include "simt/device_side.h"

namespace convkit::simt {

// Lanes that meet must have come for the same thing. A shuffle of four bytes and one of eight
// differ by their size.
enum WarpKind : int {
  kSyncWarp = 1,
  kShuffle,
  kShuffleUp,
  kShuffleDown,
  kShuffleXor,
  kVoteAll,
  kVoteAny,
  kBallot,
  kMatchAny,
  kMatchAll,
  kReduceAddSigned,
  kReduceAddUnsigned,
  kReduceMinSigned,
  kReduceMinUnsigned,
  kReduceMaxSigned,
  kReduceMaxUnsigned,
  kReduceAnd,
  kReduceOr,
  kReduceXor,
  kPtxShuffle,
  // From here on all 32 lanes must take part.
  kMatrixLoad,
  kMatrixStore,
  kMatrixProduct,
};

using Lanes = ConvkitWarpOp* const*;

static inline void deliver_nothing(Lanes, unsigned) {}

static inline void prepare(ConvkitWarpOp& op, WarpKind kind, void (*deliver)(Lanes, unsigned),
                           const char* file, int line) {
  op.size = 0;
  op.detail = 0;
  op.kind = kind;
  op.deliver = deliver;
  op.file = file;
  op.line = line;
}

// Copies of bytes rather than templates over types: every program reads these headers, and few of
// their functions are used.
static inline void put(ConvkitWarpOp& op, const void* value, unsigned size) {
  op.size = size;
  std::memcpy(op.in, value, size);
}

static inline unsigned given(const ConvkitWarpOp& op) {
  unsigned value;
  std::memcpy(&value, op.in, sizeof value);
  return value;
}

static inline void answer(ConvkitWarpOp& op, unsigned value) {
  std::memcpy(op.result, &value, sizeof value);
}

static inline unsigned result_of(const ConvkitWarpOp& op) {
  unsigned value;
  std::memcpy(&value, op.result, sizeof value);
  return value;
}

// Gives every lane that takes part the same answer.
static inline void answer_all(Lanes lanes, unsigned value) {
  for (int lane = 0; lane < 32; ++lane) {
    if (lanes[lane] != nullptr) answer(*lanes[lane], value);
  }
}

}  // namespace convkit::simt
