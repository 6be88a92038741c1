// SPDX-License-Identifier: MIT
// Code compiled with -fsanitize=thread leaves atomic operations to these.
#include <cstddef>
#include <cstdint>

#include "cpu_device/check/judge.h"
#include "cpu_device/check/order.h"
#include "cpu_device/check/present.h"
#include "simt/atomic_operations.h"

#define CONVKIT_ATOMIC_CALLBACK extern "C" __attribute__((visibility("default")))
#define CONVKIT_RETURN_ADDRESS reinterpret_cast<uintptr_t>(__builtin_return_address(0))

namespace {

using namespace convkit::simt;
using namespace convkit::simt::check;

// What the kit's headers have said of the next one. Programs may use the compiler's atomics, too.
struct Announced {
  const volatile void* address = nullptr;
  unsigned manner = 0;
};
Announced g_announced;

unsigned manner_of(const volatile void* address, unsigned unless_announced) {
  return g_announced.address == address ? g_announced.manner : unless_announced;
}

template <class T>
inline void access(const volatile T* address, unsigned use, uintptr_t pc, unsigned manner = 0) {
  judge({reinterpret_cast<uintptr_t>(address), sizeof(T), use | kAtomicUse, pc,
         manner_of(address, manner)});
}

template <class T>
inline bool compare_exchange(volatile T* address, T* expected, T desired, uintptr_t pc) {
  const unsigned manner = manner_of(address, kAtomicSets);
  // Additions of floats are loops of these.
  const bool compares = manner & kAtomicSets;
  access(address, kRead | kWrite | (compares ? unsigned{kReturns} : 0), pc, kAtomicSets);
  const bool changes = *expected != desired;
  const bool same = __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST,
                                                __ATOMIC_SEQ_CST);
  if (compares && in_kernel()) {
    compared(reinterpret_cast<uintptr_t>(address), same && changes, manner);
  }
  return same;
}

template <class T>
inline T exchange_with(volatile T* address, T value, uintptr_t pc) {
  access(address, kRead | kWrite | kOverwriting | kReturns, pc, kAtomicSets);
  const T old = __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
  if (in_kernel()) {
    exchanged(reinterpret_cast<uintptr_t>(address), old == 0 && value != 0,
              manner_of(address, kAtomicSets));
  }
  return old;
}

}  // namespace

void convkit::simt::check::atomic_begins(const void* address, unsigned manner) {
  g_announced = {address, manner};
}

// The strongest order serves for all that may be asked for.
#define CONVKIT_ATOMIC_CHANGE(bits, T, name, manner)                                         \
  CONVKIT_ATOMIC_CALLBACK T __tsan_atomic##bits##_fetch_##name(volatile T* address, T value, \
                                                               int) {                        \
    access(address, kRead | kWrite, CONVKIT_RETURN_ADDRESS, manner);                         \
    return __atomic_fetch_##name(address, value, __ATOMIC_SEQ_CST);                          \
  }

#define CONVKIT_ATOMICS(bits, T)                                                                \
  CONVKIT_ATOMIC_CALLBACK T __tsan_atomic##bits##_load(const volatile T* address, int) {        \
    access(address, kRead, CONVKIT_RETURN_ADDRESS);                                             \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                          \
  }                                                                                             \
  CONVKIT_ATOMIC_CALLBACK void __tsan_atomic##bits##_store(volatile T* address, T value, int) { \
    access(address, kWrite, CONVKIT_RETURN_ADDRESS, kAtomicSets);                               \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                         \
  }                                                                                             \
  CONVKIT_ATOMIC_CALLBACK T __tsan_atomic##bits##_exchange(volatile T* address, T value, int) { \
    return exchange_with(address, value, CONVKIT_RETURN_ADDRESS);                               \
  }                                                                                             \
  CONVKIT_ATOMIC_CHANGE(bits, T, add, counts_by_one(value))                                     \
  CONVKIT_ATOMIC_CHANGE(bits, T, sub, counts_by_one(value))                                     \
  CONVKIT_ATOMIC_CHANGE(bits, T, and, kAtomicSets)                                              \
  CONVKIT_ATOMIC_CHANGE(bits, T, or, kAtomicSets)                                               \
  CONVKIT_ATOMIC_CHANGE(bits, T, xor, 0)                                                        \
  CONVKIT_ATOMIC_CHANGE(bits, T, nand, 0)                                                       \
  CONVKIT_ATOMIC_CALLBACK int __tsan_atomic##bits##_compare_exchange_strong(                    \
      volatile T* address, T* expected, T desired, int, int) {                                  \
    return compare_exchange(address, expected, desired, CONVKIT_RETURN_ADDRESS);                \
  }                                                                                             \
  CONVKIT_ATOMIC_CALLBACK int __tsan_atomic##bits##_compare_exchange_weak(                      \
      volatile T* address, T* expected, T desired, int, int) {                                  \
    return compare_exchange(address, expected, desired, CONVKIT_RETURN_ADDRESS);                \
  }                                                                                             \
  CONVKIT_ATOMIC_CALLBACK T __tsan_atomic##bits##_compare_exchange_val(                         \
      volatile T* address, T expected, T desired, int, int) {                                   \
    compare_exchange(address, &expected, desired, CONVKIT_RETURN_ADDRESS);                      \
    return expected;                                                                            \
  }

CONVKIT_ATOMICS(8, uint8_t)
CONVKIT_ATOMICS(16, uint16_t)
CONVKIT_ATOMICS(32, uint32_t)
CONVKIT_ATOMICS(64, uint64_t)

CONVKIT_ATOMIC_CALLBACK void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (in_kernel()) fenced();
}
CONVKIT_ATOMIC_CALLBACK void __tsan_atomic_signal_fence(int) {}
