// SPDX-License-Identifier: MIT
#include "cpu_device/engine/resident_blocks.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <vector>

#include "cpu_device/engine/hooks.h"

namespace convkit::simt {
namespace {

enum class State : unsigned char { runs, waits, ended };

// What each block does. Written by its own OS thread; the barrier's counters publish it.
struct Standing {
  std::atomic<State> state{State::runs};
  const char* file = nullptr;  // of the barrier where it waits
  int line = 0;
};

// Some blocks wait for others that have ended: a GPU would hang here.
template <class Blocks>
void fail_for_missing(Grid& grid, const Blocks& blocks) {
  uint64_t waiting = 0, waits = 0, missing = 0;
  for (uint64_t i = grid.blocks; i-- > 0;) {
    const State state = blocks[i].state;
    waiting += state == State::waits;
    (state == State::waits ? waits : missing) = i;
  }
  const uint64_t ended = grid.blocks - waiting;
  Fault fault;
  fault.error = cudaErrorLaunchTimeout;
  fault.kind = "divergent_barrier";
  fault.sentence = "the grid cannot continue: " + std::to_string(waiting) + " of its " +
                   std::to_string(grid.blocks) + (waiting == 1 ? " blocks waits" : " blocks wait") +
                   " in grid_group::sync() at " +
                   site_text(blocks[waits].file, blocks[waits].line) + ", and " +
                   (ended == 1 ? "" : std::to_string(ended) + " others, among them ") +
                   grid.block_text(grid.block_index(missing)) + (ended == 1 ? " has" : ", have") +
                   " ended without it.";
  fault.advice =
      "Every block of the grid must reach each grid_group::sync(): no block may return before it, "
      "and its condition must be the same for all blocks.";
  grid.fail(std::move(fault), grid.launch_text());
}

class FreeBlocks : public ResidentBlocks {
 public:
  explicit FreeBlocks(Grid& grid) : grid_(grid), blocks_(grid.blocks) {}

  bool begin(unsigned) override { return !grid_.failed; }

  void end(unsigned number) override {
    blocks_[number].state = State::ended;
    const uint64_t now = come_.fetch_add(kEnded) + kEnded;
    if (arrived(now) != 0 && all_of(now) && !grid_.failed) fail_for_missing(grid_, blocks_);
  }

  bool meet(unsigned number, const char* file, int line) override {
    Standing& self = blocks_[number];
    self.file = file;
    self.line = line;
    self.state = State::waits;
    const unsigned meeting = meeting_;
    const uint64_t now = come_.fetch_add(1) + 1;
    if (all_of(now)) {
      if (ended(now) != 0) {
        if (!grid_.failed) fail_for_missing(grid_, blocks_);
        return false;
      }
      come_ = 0;
      wake();
    }
    while (meeting_ == meeting && !grid_.failed) meeting_.wait(meeting);
    self.state = State::runs;
    return !grid_.failed;
  }

  bool give_way(unsigned) override { return !grid_.failed; }

  void wake() override {
    meeting_.fetch_add(1);
    meeting_.notify_all();
  }

 private:
  // Those that have come to the barrier are counted in the lower half, those that have ended in the
  // upper one. One number, without a lock: a signal may end a block anywhere.
  static constexpr uint64_t kEnded = uint64_t{1} << 32;
  static uint64_t arrived(uint64_t come) { return come % kEnded; }
  static uint64_t ended(uint64_t come) { return come / kEnded; }
  bool all_of(uint64_t come) const { return arrived(come) + ended(come) == grid_.blocks; }

  Grid& grid_;
  std::vector<Standing> blocks_;
  std::atomic<uint64_t> come_{0};
  std::atomic<unsigned> meeting_{0};
};

class BlocksByTurns : public ResidentBlocks {
 public:
  explicit BlocksByTurns(Grid& grid) : grid_(grid), blocks_(grid.blocks) { give_turn_to(0); }

  bool begin(unsigned number) override {
    if (!wait_for_turn(number)) return false;
    if (!begun_.exchange(true)) check_hooks->kernel_begins(grid_);
    return true;
  }

  void end(unsigned number) override {
    blocks_[number].state = State::ended;
    if (ended_.fetch_add(1) + 1 == grid_.blocks) {
      if (begun_) check_hooks->kernel_ends(grid_);
    } else if (!grid_.failed) {
      pass_turn(number);
    }
  }

  bool meet(unsigned number, const char* file, int line) override {
    Block& self = blocks_[number];
    self.file = file;
    self.line = line;
    self.state = State::waits;
    check_hooks->block_leaves();
    pass_turn(number);
    return resume(number);
  }

  bool give_way(unsigned number) override {
    const uint64_t next = next_after(number);
    if (next == number) return !grid_.failed;
    check_hooks->block_leaves();
    give_turn_to(next);
    return resume(number);
  }

  void wake() override {
    for (uint64_t i = 0; i < blocks_.size(); ++i) give_turn_to(i);
  }

 private:
  struct Block : Standing {
    std::atomic<unsigned> has_turn{0};
  };

  void give_turn_to(uint64_t number) {
    blocks_[number].has_turn = 1;
    blocks_[number].has_turn.notify_one();
  }

  bool wait_for_turn(unsigned number) {
    std::atomic<unsigned>& has_turn = blocks_[number].has_turn;
    while (!grid_.failed && has_turn.exchange(0) == 0) has_turn.wait(0);
    return !grid_.failed;
  }

  bool resume(unsigned number) {
    if (!wait_for_turn(number)) return false;
    check_hooks->block_resumes(grid_.block_index(number));
    return true;
  }

  // The next block that can go on, from `number` on and round; itself if there is no other.
  uint64_t next_after(uint64_t number) const {
    for (uint64_t step = 1; step < grid_.blocks; ++step) {
      const uint64_t at = (number + step) % grid_.blocks;
      if (blocks_[at].state == State::runs) return at;
    }
    return number;
  }

  // The block that has the turn waits for the others or has ended.
  void pass_turn(uint64_t number) {
    const uint64_t next = next_after(number);
    if (next != number) return give_turn_to(next);
    if (ended_ != 0) return fail_for_missing(grid_, blocks_);
    for (Block& block : blocks_) block.state = State::runs;
    check_hooks->grid_meets();
    give_turn_to(0);
  }

  Grid& grid_;
  std::vector<Block> blocks_;
  std::atomic<bool> begun_{false};
  std::atomic<uint64_t> ended_{0};
};

}  // namespace

std::shared_ptr<ResidentBlocks> resident_blocks(Grid& grid) {
  if (check_hooks) return std::make_shared<BlocksByTurns>(grid);
  return std::make_shared<FreeBlocks>(grid);
}

bool Turns::pass_to_new(unsigned self) {
  members_.fetch_add(1);
  give_to(kNewcomer);
  return wait_for(self);
}

bool Turns::pass(unsigned self) {
  give_to(next_after(self));
  return wait_for(self);
}

bool Turns::enter(unsigned self) {
  if (!wait_for(kNewcomer)) return false;
  holder_ = self;
  ring_.push_back(self);
  return true;
}

bool Turns::leave(unsigned self) {
  if (!grid_.failed) {
    const unsigned next = next_after(self);
    std::erase(ring_, self);
    give_to(next);
  }
  return members_.fetch_sub(1) == 1;
}

unsigned Turns::next_after(unsigned self) const {
  const auto at = std::find(ring_.begin(), ring_.end(), self);
  return std::next(at) == ring_.end() ? ring_.front() : *std::next(at);
}

void Turns::give_to(unsigned worker) {
  holder_ = worker;
  holder_.notify_all();
}

bool Turns::wait_for(unsigned worker) {
  for (unsigned now = holder_; now != worker && !grid_.failed; now = holder_) holder_.wait(now);
  return !grid_.failed;
}

}  // namespace convkit::simt
