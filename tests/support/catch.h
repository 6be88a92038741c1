// SPDX-License-Identifier: MIT
// The one include of Catch2 in the kit: version 2 is a single header, version 3 a library.
#pragma once

#if CONVKIT_CATCH2_MAJOR >= 3
#include <catch2/catch_all.hpp>
using Catch::Approx;
// Version 2's names.
namespace Catch {
using Matchers::EndsWith;
using Matchers::StartsWith;
inline auto Contains(const std::string& part) {
  return Matchers::ContainsSubstring(part);
}
}  // namespace Catch
#else
#include <catch2/catch.hpp>
#endif

// CONVKIT_SKIP(reason): ends a test that cannot run on this machine, and says why.
#if defined(SKIP)
#define CONVKIT_SKIP(reason) SKIP(reason)
#else  // Catch2 before 3.3
#define CONVKIT_SKIP(reason)     \
  do {                           \
    WARN("skipped: " << reason); \
    return;                      \
  } while (false)
#endif
