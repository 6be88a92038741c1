// SPDX-License-Identifier: MIT
// CONVKIT_SKIP(reason): ends a test that cannot run on this machine, and says why.
#pragma once

#include "catch.h"

#if defined(SKIP)
#define CONVKIT_SKIP(reason) SKIP(reason)
#else  // Catch2 before 3.3
#define CONVKIT_SKIP(reason)     \
  do {                           \
    WARN("skipped: " << reason); \
    return;                      \
  } while (false)
#endif
