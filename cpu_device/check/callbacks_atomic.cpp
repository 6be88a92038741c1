// SPDX-License-Identifier: MIT
// Code compiled with -fsanitize=thread leaves atomic operations to these.
#include <cstddef>
#include <cstdint>

#include "cpu_device/check/judge.h"
#include "cpu_device/check/order.h"
#include "cpu_device/check/present.h"

#define CONVKIT_ATOMIC_CALLBACK extern "C" __attribute__((visibility("default")))
#define CONVKIT_RETURN_ADDRESS reinterpret_cast<uintptr_t>(__builtin_return_address(0))

namespace {

using namespace convkit::simt::check;

template <class T>
inline void access(const volatile T* address, unsigned use, uintptr_t pc) {
  judge({reinterpret_cast<uintptr_t>(address), sizeof(T), use | kAtomicUse, pc});
}

}  // namespace

// The strongest order serves for all that may be asked for.
#define CONVKIT_ATOMIC_CHANGE(bits, T, name)                                                 \
  CONVKIT_ATOMIC_CALLBACK T __tsan_atomic##bits##_fetch_##name(volatile T* address, T value, \
                                                               int) {                        \
    access(address, kRead | kWrite, CONVKIT_RETURN_ADDRESS);                                 \
    return __atomic_fetch_##name(address, value, __ATOMIC_SEQ_CST);                          \
  }

#define CONVKIT_ATOMICS(bits, T)                                                                \
  CONVKIT_ATOMIC_CALLBACK T __tsan_atomic##bits##_load(const volatile T* address, int) {        \
    access(address, kRead, CONVKIT_RETURN_ADDRESS);                                             \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                          \
  }                                                                                             \
  CONVKIT_ATOMIC_CALLBACK void __tsan_atomic##bits##_store(volatile T* address, T value, int) { \
    access(address, kWrite, CONVKIT_RETURN_ADDRESS);                                            \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                         \
  }                                                                                             \
  CONVKIT_ATOMIC_CALLBACK T __tsan_atomic##bits##_exchange(volatile T* address, T value, int) { \
    access(address, kRead | kWrite | kOverwriting, CONVKIT_RETURN_ADDRESS);                     \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                               \
  }                                                                                             \
  CONVKIT_ATOMIC_CHANGE(bits, T, add)                                                           \
  CONVKIT_ATOMIC_CHANGE(bits, T, sub)                                                           \
  CONVKIT_ATOMIC_CHANGE(bits, T, and)                                                           \
  CONVKIT_ATOMIC_CHANGE(bits, T, or)                                                            \
  CONVKIT_ATOMIC_CHANGE(bits, T, xor)                                                           \
  CONVKIT_ATOMIC_CHANGE(bits, T, nand)                                                          \
  CONVKIT_ATOMIC_CALLBACK int __tsan_atomic##bits##_compare_exchange_strong(                    \
      volatile T* address, T* expected, T desired, int, int) {                                  \
    access(address, kRead | kWrite, CONVKIT_RETURN_ADDRESS);                                    \
    return __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST,     \
                                       __ATOMIC_SEQ_CST);                                       \
  }                                                                                             \
  CONVKIT_ATOMIC_CALLBACK int __tsan_atomic##bits##_compare_exchange_weak(                      \
      volatile T* address, T* expected, T desired, int, int) {                                  \
    access(address, kRead | kWrite, CONVKIT_RETURN_ADDRESS);                                    \
    return __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST,     \
                                       __ATOMIC_SEQ_CST);                                       \
  }                                                                                             \
  CONVKIT_ATOMIC_CALLBACK T __tsan_atomic##bits##_compare_exchange_val(                         \
      volatile T* address, T expected, T desired, int, int) {                                   \
    access(address, kRead | kWrite, CONVKIT_RETURN_ADDRESS);                                    \
    __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST,           \
                                __ATOMIC_SEQ_CST);                                              \
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
