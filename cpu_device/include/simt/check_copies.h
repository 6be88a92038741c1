// SPDX-License-Identifier: MIT
// For check mode with g++, which puts the instructions of small memcpy() and memset() calls in
// place after it has instrumented the code: check mode would not see these accesses. So the calls
// stay calls, but for copies of a size that g++ makes an assignment of, which it does instrument.
#pragma once

#include <string.h>

// With _FORTIFY_SOURCE the C library has such functions of its own.
#if defined(CONVKIT_SIMT_CHECK) && !defined(__clang__) && \
    (!defined(__USE_FORTIFY_LEVEL) || __USE_FORTIFY_LEVEL == 0)

#define CONVKIT_SIMT_SEEN extern inline __attribute__((gnu_inline, always_inline, artificial)) void*

extern "C" {
void* __tsan_memcpy(void* to, const void* from, size_t bytes);
void* __tsan_memset(void* to, int value, size_t bytes);

CONVKIT_SIMT_SEEN memcpy(void* to, const void* from, size_t bytes) noexcept {
  const bool assigned = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
  if (__builtin_constant_p(bytes) && assigned) return __builtin_memcpy(to, from, bytes);
  return __tsan_memcpy(to, from, bytes);
}
CONVKIT_SIMT_SEEN memset(void* to, int value, size_t bytes) noexcept {
  return __tsan_memset(to, value, bytes);
}
}

#undef CONVKIT_SIMT_SEEN
#endif
