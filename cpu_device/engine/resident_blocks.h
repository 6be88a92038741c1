// SPDX-License-Identifier: MIT
// The blocks of a cooperative launch. All of them are there at once, each on an OS thread of its
// own, where its shared memory is; they meet in grid_group::sync().
//
// In plain mode they run side by side, as the system schedules them. Check mode and the profiler
// follow one block at a time: there, blocks take turns. A block goes on until it waits for the
// others, ends, or polls (give_way()), and then the next that is ready has its turn, so that a run
// is repeated exactly.
#pragma once

#include <memory>

#include "cpu_device/engine/grid.h"

namespace convkit::simt {

// Where false is returned, the launch has failed: the block must stop.
class ResidentBlocks {
 public:
  virtual ~ResidentBlocks() = default;

  // Around block `number` (counted in starting order), on its OS thread. end() must follow.
  virtual bool begin(unsigned number) = 0;
  virtual void end(unsigned number) = 0;

  // The whole block has come to a barrier of the grid at file:line. Returns when all others have.
  // Fails the launch where one of them has ended instead.
  virtual bool meet(unsigned number, const char* file, int line) = 0;

  // The block may be waiting for another one.
  virtual bool give_way(unsigned number) = 0;

  // The launch has failed: nobody waits any longer.
  virtual void wake() = 0;
};

// Side by side; by turns if there are hooks. `grid` must live on, and call wake() when it fails.
std::shared_ptr<ResidentBlocks> resident_blocks(Grid& grid);

}  // namespace convkit::simt
