// SPDX-License-Identifier: MIT
// Votes and matches among the lanes of a warp.
#pragma once

#include "simt/warp_op.h"

namespace convkit::simt {

// The lanes that take part and gave a value other than zero.
static inline unsigned lanes_in_favour(Lanes lanes) {
  unsigned favour = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if (lanes[lane] != nullptr && given(*lanes[lane]) != 0) favour |= 1u << lane;
  }
  return favour;
}

static inline void deliver_all(Lanes lanes, unsigned group) {
  answer_all(lanes, static_cast<unsigned>(lanes_in_favour(lanes) == group));
}

static inline void deliver_any(Lanes lanes, unsigned) {
  answer_all(lanes, static_cast<unsigned>(lanes_in_favour(lanes) != 0));
}

static inline void deliver_ballot(Lanes lanes, unsigned) {
  answer_all(lanes, lanes_in_favour(lanes));
}

// The lanes that gave the same bits as `op`.
static inline unsigned lanes_equal_to(const ConvkitWarpOp& op, Lanes lanes) {
  unsigned equal = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if (lanes[lane] != nullptr && std::memcmp(lanes[lane]->in, op.in, op.size) == 0) {
      equal |= 1u << lane;
    }
  }
  return equal;
}

static inline void deliver_match_any(Lanes lanes, unsigned) {
  for (int lane = 0; lane < 32; ++lane) {
    if (lanes[lane] != nullptr) answer(*lanes[lane], lanes_equal_to(*lanes[lane], lanes));
  }
}

static inline void deliver_match_all(Lanes lanes, unsigned group) {
  for (int lane = 0; lane < 32; ++lane) {
    if (lanes[lane] == nullptr) continue;
    const bool equal = lanes_equal_to(*lanes[lane], lanes) == group;
    answer(*lanes[lane], equal ? group : 0u);
  }
}

static inline unsigned meet(WarpKind kind, void (*deliver)(Lanes, unsigned), unsigned mask,
                            const void* value, unsigned size, const char* file, int line) {
  ConvkitWarpOp op;
  prepare(op, kind, deliver, file, line);
  put(op, value, size);
  convkit_simt_warp_collective(mask, &op);
  return result_of(op);
}

}  // namespace convkit::simt

static inline int __all_sync(unsigned int mask, int predicate, CONVKIT_SIMT_SITE) {
  using namespace convkit::simt;
  return static_cast<int>(
      meet(kVoteAll, deliver_all, mask, &predicate, sizeof(int), CONVKIT_SIMT_AT));
}

static inline int __any_sync(unsigned int mask, int predicate, CONVKIT_SIMT_SITE) {
  using namespace convkit::simt;
  return static_cast<int>(
      meet(kVoteAny, deliver_any, mask, &predicate, sizeof(int), CONVKIT_SIMT_AT));
}

static inline unsigned int __ballot_sync(unsigned int mask, int predicate, CONVKIT_SIMT_SITE) {
  using namespace convkit::simt;
  return meet(kBallot, deliver_ballot, mask, &predicate, sizeof(int), CONVKIT_SIMT_AT);
}

// The lanes of this warp that reach this line together.
static inline unsigned int __activemask() {
  return convkit_simt_active_mask();
}

namespace convkit::simt {

// The value, when all lanes that come here have theirs (cpu_device/rewrite/warp_steps.h). Inlined,
// so that each place has a call of its own.
template <class T>
inline __attribute__((always_inline)) T in_step(T value) {
  convkit_simt_active_mask();
  return value;
}

}  // namespace convkit::simt

#define CONVKIT_SIMT_MATCHES(Type)                                                                \
  static inline unsigned int __match_any_sync(unsigned int mask, Type value, CONVKIT_SIMT_SITE) { \
    return convkit::simt::meet(convkit::simt::kMatchAny, convkit::simt::deliver_match_any, mask,  \
                               &value, sizeof(Type), CONVKIT_SIMT_AT);                            \
  }                                                                                               \
  static inline unsigned int __match_all_sync(unsigned int mask, Type value, int* all_equal,      \
                                              CONVKIT_SIMT_SITE) {                                \
    const unsigned int equal =                                                                    \
        convkit::simt::meet(convkit::simt::kMatchAll, convkit::simt::deliver_match_all, mask,     \
                            &value, sizeof(Type), CONVKIT_SIMT_AT);                               \
    *all_equal = equal != 0;                                                                      \
    return equal;                                                                                 \
  }

CONVKIT_SIMT_MATCHES(int)
CONVKIT_SIMT_MATCHES(unsigned int)
CONVKIT_SIMT_MATCHES(long)
CONVKIT_SIMT_MATCHES(unsigned long)
CONVKIT_SIMT_MATCHES(long long)
CONVKIT_SIMT_MATCHES(unsigned long long)
CONVKIT_SIMT_MATCHES(float)
CONVKIT_SIMT_MATCHES(double)
#undef CONVKIT_SIMT_MATCHES
