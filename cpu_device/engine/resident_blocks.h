// SPDX-License-Identifier: MIT
// The blocks of a cooperative launch. All of them are there at once, each on an OS thread of its
// own, where its shared memory is; they meet in grid_group::sync().
//
// In plain mode they run side by side, as the system schedules them. Check mode and the profiler
// follow one block at a time: there, blocks take turns. A block goes on until it waits for the
// others, ends, or polls (give_way()), and then the next that is ready has its turn, so that a run
// is repeated exactly.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

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

// Blocks of an ordinary launch that wait for each other, where hooks follow one block at a time:
// the first worker asks for others when its block gets no further, and then they take turns. Where
// false is returned, the launch has failed.
class Turns {
 public:
  Turns(Grid& grid, unsigned first) : grid_(grid), ring_{first}, holder_(first) {}

  // By the worker whose turn it is: the one that it has asked for is next, or the next in the ring.
  // Returns when it is its turn again.
  bool pass_to_new(unsigned self);
  bool pass(unsigned self);
  bool is_alone() const { return ring_.size() == 1; }

  // Of a worker that was asked for: returns when it is its turn.
  bool enter(unsigned self);
  // Whoever enters, or was the first, leaves. True: it was the last.
  bool leave(unsigned self);

  // The launch has failed: nobody waits any longer.
  void wake() { give_to(kNobody); }

 private:
  static constexpr unsigned kNewcomer = ~0u, kNobody = ~1u;

  unsigned next_after(unsigned self) const;
  void give_to(unsigned worker);
  bool wait_for(unsigned worker);

  Grid& grid_;
  std::vector<unsigned> ring_;  // changed by who has the turn
  std::atomic<unsigned> holder_, members_{1};
};

}  // namespace convkit::simt
