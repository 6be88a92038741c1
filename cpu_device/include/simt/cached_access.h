// SPDX-License-Identifier: MIT
// __ldg() and the loads and stores with cache hints: plain accesses, as a CPU takes no such hints.
#pragma once

namespace convkit::simt {

// Keeps a parameter out of deduction, so that it converts as that of an ordinary function does.
template <class Value>
struct Exactly {
  using Type = Value;
};

}  // namespace convkit::simt

#define CONVKIT_SIMT_LOAD(name)                    \
  template <class Value>                           \
  static inline Value name(const Value* address) { \
    return *address;                               \
  }
#define CONVKIT_SIMT_STORE(name)                                                                \
  template <class Value>                                                                        \
  static inline void name(Value* address, typename convkit::simt::Exactly<Value>::Type value) { \
    *address = value;                                                                           \
  }

CONVKIT_SIMT_LOAD(__ldg)
CONVKIT_SIMT_LOAD(__ldca)
CONVKIT_SIMT_LOAD(__ldcg)
CONVKIT_SIMT_LOAD(__ldcs)
CONVKIT_SIMT_LOAD(__ldlu)
CONVKIT_SIMT_STORE(__stwb)
CONVKIT_SIMT_STORE(__stcg)
CONVKIT_SIMT_STORE(__stcs)
CONVKIT_SIMT_STORE(__stwt)
#undef CONVKIT_SIMT_STORE
#undef CONVKIT_SIMT_LOAD

// Fetched again each time, whatever the compiler remembers.
template <class Value>
static inline Value __ldcv(const Value* address) {
  __asm__ volatile("" ::: "memory");
  return *address;
}
