// SPDX-License-Identifier: MIT
// The four warp shuffles. Which lane is read follows PTX's definition of shfl.sync, odd widths
// included. A value read from a lane that does not take part is undefined in CUDA; here all its
// bits are set (a NaN, or -1), as in shared memory that nobody wrote.
#pragma once

#include "simt/warp_op.h"

namespace convkit::simt {

// The lane that `lane` reads; itself where the source lies outside its part of the warp.
template <WarpKind kind>
static inline int shuffle_source(int lane, int operand, int width) {
  const int segment = (32 - width) & 31;  // bits of a lane's number that name its part
  const int first = lane & segment;
  const int last = first | (~segment & 31);
  if (kind == kShuffle) return first | (operand & ~segment & 31);
  const int distance = operand & 31;
  int source = lane;
  if (kind == kShuffleUp) source = lane - distance;
  if (kind == kShuffleDown) source = lane + distance;
  if (kind == kShuffleXor) source = lane ^ distance;
  const bool inside = kind == kShuffleUp ? source >= first : source <= last;
  return inside ? source : lane;
}

template <WarpKind kind>
static inline void deliver_shuffle(Lanes lanes, unsigned) {
  for (int lane = 0; lane < 32; ++lane) {
    if (lanes[lane] == nullptr) continue;
    ConvkitWarpOp& op = *lanes[lane];
    const int source = shuffle_source<kind>(lane, static_cast<int>(op.detail & 31),
                                            static_cast<int>(op.detail >> 8));
    if (lanes[source] != nullptr) {
      std::memcpy(op.result, lanes[source]->in, sizeof op.in);
    } else {
      std::memset(op.result, 0xff, sizeof op.result);
    }
  }
}

// Replaces `size` bytes by those of the lane that is read.
static inline void shuffle(WarpKind kind, void (*deliver)(Lanes, unsigned), unsigned mask,
                           void* value, unsigned size, unsigned operand, int width,
                           const char* file, int line) {
  ConvkitWarpOp op;
  prepare(op, kind, deliver, file, line);
  std::memset(op.in, 0, sizeof op.in);
  put(op, value, size);
  op.detail = (operand & 31u) | static_cast<unsigned>(width & 63) << 8;
  convkit_simt_warp_collective(mask, &op);
  std::memcpy(value, op.result, size);
}

}  // namespace convkit::simt

#define CONVKIT_SIMT_SHUFFLE(name, Kind, Type, Operand)                                         \
  static inline Type name(unsigned int mask, Type value, Operand operand, int width = 32,       \
                          CONVKIT_SIMT_SITE) {                                                  \
    convkit::simt::shuffle(                                                                     \
        convkit::simt::Kind, convkit::simt::deliver_shuffle<convkit::simt::Kind>, mask, &value, \
        sizeof(Type), static_cast<unsigned int>(operand), width, CONVKIT_SIMT_AT);              \
    return value;                                                                               \
  }
// All four for one type; cuda_fp16.h adds half and half2.
#define CONVKIT_SIMT_SHUFFLES(Type)                                        \
  CONVKIT_SIMT_SHUFFLE(__shfl_sync, kShuffle, Type, int)                   \
  CONVKIT_SIMT_SHUFFLE(__shfl_up_sync, kShuffleUp, Type, unsigned int)     \
  CONVKIT_SIMT_SHUFFLE(__shfl_down_sync, kShuffleDown, Type, unsigned int) \
  CONVKIT_SIMT_SHUFFLE(__shfl_xor_sync, kShuffleXor, Type, int)

CONVKIT_SIMT_SHUFFLES(int)
CONVKIT_SIMT_SHUFFLES(unsigned int)
CONVKIT_SIMT_SHUFFLES(long)
CONVKIT_SIMT_SHUFFLES(unsigned long)
CONVKIT_SIMT_SHUFFLES(long long)
CONVKIT_SIMT_SHUFFLES(unsigned long long)
CONVKIT_SIMT_SHUFFLES(float)
CONVKIT_SIMT_SHUFFLES(double)
