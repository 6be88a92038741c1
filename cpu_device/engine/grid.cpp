// SPDX-License-Identifier: MIT
#include "cpu_device/engine/grid.h"

#include "cpu_device/engine/random.h"
#include "cpu_device/engine/resident_blocks.h"

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
  if (resident) resident->wake();
  if (turns) turns->wake();
}

uint3 Grid::block_index(uint64_t number) const {
  const uint64_t block = seed == 0 ? number : shuffled(number, blocks, seed);
  const uint64_t x = blocks_dim.x, y = blocks_dim.y;
  return uint3{static_cast<unsigned>(block % x), static_cast<unsigned>(block / x % y),
               static_cast<unsigned>(block / (x * y))};
}

std::string Grid::place(uint3 block, uint3 thread) const {
  return name + ", " + block_text(block) + ", thread " + triple(thread) + ", launched at " +
         site_text(file, line);
}

std::string Grid::place(uint3 block) const {
  return name + ", " + block_text(block) + ", launched at " + site_text(file, line);
}

std::string Grid::block_text(uint3 block) {
  return "block " + triple(block);
}

std::string Grid::launch_text() const {
  return name + ", launched at " + site_text(file, line);
}

}  // namespace convkit::simt
