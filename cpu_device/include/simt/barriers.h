// SPDX-License-Identifier: MIT
// Waiting for the block or the warp, memory fences, and the ways to stop.
#pragma once

#include "simt/attributes.h"
#include "simt/clocks.h"
#include "simt/device_side.h"
#include "simt/warp_op.h"

static inline void __syncthreads(CONVKIT_SIMT_SITE) {
  convkit_simt_syncthreads(CONVKIT_SIMT_AT);
}

static inline int __syncthreads_count(int predicate, CONVKIT_SIMT_SITE) {
  return static_cast<int>(convkit_simt_syncthreads_reduce(predicate != 0, 0, CONVKIT_SIMT_AT));
}

static inline int __syncthreads_and(int predicate, CONVKIT_SIMT_SITE) {
  return convkit_simt_syncthreads_reduce(predicate != 0, 1, CONVKIT_SIMT_AT) != 0;
}

static inline int __syncthreads_or(int predicate, CONVKIT_SIMT_SITE) {
  return convkit_simt_syncthreads_reduce(predicate != 0, 2, CONVKIT_SIMT_AT) != 0;
}

static inline void __syncwarp(unsigned int mask = 0xffffffffu, CONVKIT_SIMT_SITE) {
  ConvkitWarpOp op;
  convkit::simt::prepare(op, convkit::simt::kSyncWarp, convkit::simt::deliver_nothing,
                         CONVKIT_SIMT_AT);
  convkit_simt_warp_collective(mask, &op);
}

static inline void __threadfence_block() {
  convkit_simt_fence(0);
}

static inline void __threadfence() {
  convkit_simt_fence(1);
}

static inline void __threadfence_system() {
  convkit_simt_fence(2);
}

// Sleeps for the time asked for, so that loops that poll make way for the threads they wait for.
static inline void __nanosleep(unsigned int duration_ns) {
  const unsigned long long begin_ns = convkit::simt::monotonic_ns();
  do {
    convkit_simt_yield();
  } while (convkit::simt::monotonic_ns() - begin_ns < duration_ns);
}

static inline void __trap(CONVKIT_SIMT_SITE) {
  convkit_simt_trap("__trap()", CONVKIT_SIMT_AT);
}

static inline void __brkpt(CONVKIT_SIMT_SITE) {
  convkit_simt_trap("__brkpt()", CONVKIT_SIMT_AT);
}
