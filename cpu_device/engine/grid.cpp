// SPDX-License-Identifier: MIT
#include "cpu_device/engine/grid.h"

namespace convkit::simt {
namespace {

std::string triple(uint3 index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

}  // namespace

void Grid::fail(Fault what, std::string where) {
  const std::lock_guard lock(mutex);
  if (failed.exchange(true)) return;
  fault = std::move(what);
  fault_place = std::move(where);
}

std::string Grid::place(uint3 block, uint3 thread) const {
  return name + ", block " + triple(block) + ", thread " + triple(thread) + ", launched at " +
         site_text(file, line);
}

}  // namespace convkit::simt
