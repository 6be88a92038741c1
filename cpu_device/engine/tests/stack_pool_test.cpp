// SPDX-License-Identifier: MIT
#include "cpu_device/engine/stack_pool.h"

#include <unistd.h>

#include "catch.h"

namespace convkit::simt {
namespace {

TEST_CASE("Less than a stack above any stack pointer nothing else is mapped") {
  StackPool pool;
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  for (size_t index = 0; index < 70; ++index) {
    auto* top = static_cast<unsigned char*>(pool.top(index));
    for (size_t above = 0; above < kStackBytes; above += page) {
      REQUIRE(pool.holds(top + above));
    }
  }
}

}  // namespace
}  // namespace convkit::simt
