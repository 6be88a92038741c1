// SPDX-License-Identifier: MIT
// PTX in which threads meet: bar, shfl, vote, match, redux, and fences.
#pragma once

#include "simt/barriers.h"
#include "simt/ptx/registers.h"
#include "simt/votes.h"
#include "simt/warp_reductions.h"

namespace convkit::simt::ptx {

// The lane that `lane` reads (PTX ISA, "shfl.sync"), and whether it is within the part of the warp
// that `clamp` says: bits 8 to 12 are the mask of the part, 0 to 4 the bound.
enum ShuffleMode : unsigned { kUp, kDown, kButterfly, kIndex };
static inline int shuffled_from(int lane, unsigned mode, unsigned operand, unsigned clamp,
                                bool& inside) {
  const int segment = static_cast<int>(clamp >> 8 & 31), bound = static_cast<int>(clamp & 31);
  const int distance = static_cast<int>(operand & 31);
  const int last = (lane & segment) | (bound & ~segment);
  int source = lane;
  if (mode == kUp) source = lane - distance;
  if (mode == kDown) source = lane + distance;
  if (mode == kButterfly) source = lane ^ distance;
  if (mode == kIndex) source = (lane & segment) | (distance & ~segment);
  inside = mode == kUp ? source >= last : source <= last;
  return inside ? source : lane;
}

// A lane gives its value and, in `detail`, mode, operand and clamp; it gets the value and whether
// the source was inside. What a lane that does not take part has is undefined: all bits are set.
static inline void deliver_ptx_shuffle(Lanes lanes, unsigned) {
  for (int lane = 0; lane < 32; ++lane) {
    if (lanes[lane] == nullptr) continue;
    ConvkitWarpOp& op = *lanes[lane];
    bool inside = false;
    const int source =
        shuffled_from(lane, op.detail >> 24, op.detail >> 16 & 0xff, op.detail & 0xffff, inside);
    const unsigned got[2] = {lanes[source] != nullptr ? given(*lanes[source]) : 0xffffffffu,
                             inside ? 1u : 0u};
    std::memcpy(op.result, got, sizeof got);
  }
}

// shfl.sync.idx.b32 d|p, a, b, c, mask
template <class S>
static __forceinline__ void shuffle(Bits* v) {
  constexpr unsigned mode = S::has("up")     ? kUp
                            : S::has("down") ? kDown
                            : S::has("bfly") ? kButterfly
                                             : kIndex;
  ConvkitWarpOp op;
  prepare(op, kPtxShuffle, deliver_ptx_shuffle, S::file(), S::line());
  const unsigned value = S::template get<unsigned, 1>(v);
  put(op, &value, sizeof value);
  op.detail = mode << 24 | (S::template get<unsigned, 2>(v) & 31u) << 16 |
              (S::template get<unsigned, 3>(v) & 0xffffu);
  convkit_simt_warp_collective(S::template get<unsigned, 4>(v), &op);
  unsigned got[2];
  std::memcpy(got, op.result, sizeof got);
  S::template set<0>(v, got[0]);
  if constexpr (S::count(0) == 2) S::template set<0, 1>(v, got[1] != 0);
}

template <class S>
static __forceinline__ void take_vote(Bits* v) {
  const bool own = S::template get<bool, 1>(v);
  const unsigned mask = S::template get<unsigned, 2>(v);
  if constexpr (S::has("all")) {
    S::template set<0>(v, __all_sync(mask, own, S::file(), S::line()) != 0);
  } else if constexpr (S::has("any")) {
    S::template set<0>(v, __any_sync(mask, own, S::file(), S::line()) != 0);
  } else if constexpr (S::has("ballot")) {
    S::template set<0>(v, __ballot_sync(mask, own, S::file(), S::line()));
  } else {
    const unsigned same = __match_any_sync(mask, own ? 1u : 0u, S::file(), S::line());
    const bool uniform = __all_sync(mask, same == (same | mask), S::file(), S::line()) != 0;
    S::template set<0>(v, uniform);
  }
}

template <class S>
static __forceinline__ void match(Bits* v) {
  using T = Stored<S::kType>;
  const T value = S::template get<T, 1>(v);
  const unsigned mask = S::template get<unsigned, 2>(v);
  if constexpr (S::has("any")) {
    S::template set<0>(v, __match_any_sync(mask, value, S::file(), S::line()));
  } else {
    int all_equal = 0;
    S::template set<0>(v, __match_all_sync(mask, value, &all_equal, S::file(), S::line()));
    if constexpr (S::count(0) == 2) S::template set<0, 1>(v, all_equal != 0);
  }
}

template <class S>
static __forceinline__ void reduce(Bits* v) {
  using T = std::conditional_t<is_signed(S::kType), int, unsigned>;
  const T value = S::template get<T, 1>(v);
  const unsigned mask = S::template get<unsigned, 2>(v);
  if constexpr (S::has("add")) {
    S::template set<0>(v, __reduce_add_sync(mask, value, S::file(), S::line()));
  } else if constexpr (S::has("min")) {
    S::template set<0>(v, __reduce_min_sync(mask, value, S::file(), S::line()));
  } else if constexpr (S::has("max")) {
    S::template set<0>(v, __reduce_max_sync(mask, value, S::file(), S::line()));
  } else {
    const auto bits = static_cast<unsigned>(value);
    S::template set<0>(v, S::has("and")  ? __reduce_and_sync(mask, bits, S::file(), S::line())
                          : S::has("or") ? __reduce_or_sync(mask, bits, S::file(), S::line())
                                         : __reduce_xor_sync(mask, bits, S::file(), S::line()));
  }
}

// bar.red.popc.u32 d, barrier{, count}, p: of all threads of the block.
template <class S>
static __forceinline__ void reduce_block(Bits* v) {
  const bool own = S::template get<bool, S::kOperands - 1>(v);
  constexpr int op = S::has("popc") ? 0 : S::has("and") ? 1 : 2;
  const unsigned all = convkit_simt_syncthreads_reduce(own, op, S::file(), S::line());
  if constexpr (op == 0) {
    S::template set<0>(v, all);
  } else {
    S::template set<0>(v, all != 0);
  }
}

template <class S>
static __forceinline__ void wait_at_barrier(Bits* v) {
  if constexpr (S::has("warp")) {
    __syncwarp(S::template get<unsigned, 0>(v), S::file(), S::line());
  } else if constexpr (S::has("red")) {
    reduce_block<S>(v);
  } else {
    const unsigned number = S::template get<unsigned, 0>(v);
    unsigned count = 0;
    if constexpr (S::kOperands == 2) count = S::template get<unsigned, 1>(v);
    if (number == 0 && (count == 0 || count == threads_of_block())) {
      convkit_simt_syncthreads(S::file(), S::line());
    } else {
      convkit_simt_named_barrier(number, count, !S::has("arrive"), S::file(), S::line());
    }
  }
}

template <class S>
static __forceinline__ void fence() {
  constexpr bool block = S::has("cta"), system = S::has("sys");
  convkit_simt_fence(block ? 0 : system ? 2 : 1);
}

}  // namespace convkit::simt::ptx
