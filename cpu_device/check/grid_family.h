// SPDX-License-Identifier: MIT
// What orders the grids that kernels launch (engine/nested_launches.h). Before a child comes what
// its thread did before the launch, and what its block did before a barrier before the launch; not
// what else its parent does. Children come one before the other in one stream of one block. Behind
// a grid and all that come of it, its tail launches run in its place. As elsewhere, what is hard to
// say counts as ordered.
#pragma once

#include <cstdint>
#include <memory>

#include "cpu_device/check/stamp.h"
#include "cpu_device/engine/hooks.h"

namespace convkit::simt::check {

// A launch in a kernel: the child's place in its family.
struct Birth {
  std::shared_ptr<const Birth> parent;  // of the grid that launched it; null for the host's
  unsigned depth = 1;                   // births above it, and itself
  uint64_t launcher = 0;                // KnownLaunch::number of that grid; 0: not known
  cudaStream_t stream = nullptr;
  unsigned thread = 0;  // that launched it
  // Events: the launch; the grid's last barrier, the block's first event and its last barrier
  // before; up to which the thread knows what others of its warp did.
  uint32_t event = 0, grid_met = 0, block_begin = 0, barrier = 0, warp_met = 0;
  bool knows_all = false;  // atomics or the like may have ordered more
};

// The hook of this name.
std::shared_ptr<const void> child_queued(const Grid& parent, const Grid& child,
                                         cudaStream_t stream);

// How a grid that has run stands to one of the same family that runs.
enum class Kinship { before, parent, sibling };

// `number` and `birth`: of the earlier one. Of a parent, `child` is the birth that it has given to
// the running one or to an ancestor of it; then comes_before() decides for each access.
Kinship kinship(uint64_t number, const Birth* birth, const Birth* running, const Birth** child);
bool comes_before(Stamp access_of_parent, const Birth& child);

}  // namespace convkit::simt::check
