// SPDX-License-Identifier: MIT
#include "cpu_device/engine/grid.h"

#include <vector>

#include "catch.h"

namespace convkit::simt {
namespace {

TEST_CASE("arguments of any size lie at multiples of 128 bytes") {
  std::vector<Grid> grids(40);
  for (size_t i = 0; i < grids.size(); ++i) {
    grids[i].arguments.resize(8 + 24 * i);
    INFO(grids[i].arguments.size() << " bytes");
    CHECK(reinterpret_cast<uintptr_t>(grids[i].arguments.data()) % 128 == 0);
  }
}

}  // namespace
}  // namespace convkit::simt
