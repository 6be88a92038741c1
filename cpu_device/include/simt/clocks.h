// SPDX-License-Identifier: MIT
// Clocks in kernels. Both tick once a nanosecond, as cudaDevAttrClockRate says. (clock() is the
// engine's: on host threads it does what the C library's does.)
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

static inline long long clock64() {
  return static_cast<long long>(convkit::simt::monotonic_ns());
}
