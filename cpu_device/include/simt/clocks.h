// SPDX-License-Identifier: MIT
// Clocks in kernels. clock() is the C library's: processor time in microseconds.
#pragma once

#include <ctime>

#include "simt/attributes.h"

namespace convkit::simt {

static inline unsigned long long monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<unsigned long long>(now.tv_sec) * 1000000000ull +
         static_cast<unsigned long long>(now.tv_nsec);
}

}  // namespace convkit::simt

// A counter of this processor, which ticks at its own constant rate.
static inline long long clock64() {
#if defined(__x86_64__)
  return static_cast<long long>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
  long long ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return static_cast<long long>(convkit::simt::monotonic_ns());
#endif
}
