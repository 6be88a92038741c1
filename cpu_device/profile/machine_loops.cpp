// SPDX-License-Identifier: MIT
// The loops of machine code.
#include <algorithm>
#include <utility>

#include "cpu_device/profile/machine_code.h"

namespace convkit::simt::profile {
namespace {

constexpr size_t kNoBlock = ~size_t{0};
using Blocks = std::vector<size_t>;  // of one function, in order

}  // namespace

class MachineCode::LoopFinder {
 public:
  LoopFinder(const MachineCode& code, Loops& loops)
      : code_(code), loops_(loops), loop_(code.blocks_.size()), set_(code.blocks_.size()) {}

  void function(const Blocks& blocks) {
    // Each set is without the entry of the loop around it.
    std::vector<Blocks> sets = {blocks};
    std::vector<size_t> entries;
    while (!sets.empty()) {
      const Blocks set = std::move(sets.back());
      sets.pop_back();
      for (Blocks& loop : loops_in(set)) {
        const size_t entry = entries.emplace_back(entry_of(loop));
        const auto number = static_cast<uint32_t>(loops_.outer.size());
        loops_.outer.push_back(loop_[entry]);
        for (const size_t block : loop) loop_[block] = number;
        std::erase(loop, entry);
        sets.push_back(std::move(loop));
      }
    }
    for (const size_t block : blocks) place(block);
    for (const size_t entry : entries) {
      const size_t turn = turn_of(entry, blocks);
      if (turn != kNoBlock) loops_.places[*code_.blocks_[turn].mark].begins_turn = true;
    }
  }

 private:
  void place(size_t number) {
    const Block& block = code_.blocks_[number];
    for (size_t i = block.begin; i < block.end && loop_[number] != 0; ++i) {
      const bool marked = code_.instructions_[i].is_marked && i + 1 < code_.instructions_.size();
      if (marked) loops_.places[code_.instructions_[i + 1].address].loop = loop_[number];
    }
  }

  // Kosaraju's algorithm: in the order in which a walk is done with the blocks, last ones first,
  // what leads to a block and belongs to none before it is on a cycle with it.
  std::vector<Blocks> loops_in(const Blocks& blocks) {
    const size_t here = ++sets_;
    for (const size_t block : blocks) set_[block] = here;
    Blocks done;
    const size_t walked = ++sets_;
    std::vector<std::pair<size_t, size_t>> way;  // blocks, and how many of their edges were taken
    for (const size_t block : blocks) {
      if (set_[block] != here) continue;
      set_[block] = walked;
      way.emplace_back(block, 0);
      while (!way.empty()) {
        auto& [at, taken] = way.back();
        const std::vector<size_t>& out = code_.blocks_[at].out;
        if (taken == out.size()) {
          done.push_back(at);
          way.pop_back();
          continue;
        }
        const size_t to = code_.edges_[out[taken++]].to;
        if (set_[to] != here) continue;
        set_[to] = walked;
        way.emplace_back(to, 0);
      }
    }
    std::vector<Blocks> loops;
    for (; !done.empty(); done.pop_back()) {
      if (set_[done.back()] != walked) continue;
      Blocks loop = {done.back()};
      const size_t own = set_[done.back()] = ++sets_;
      bool goes_back = false;
      for (size_t i = 0; i < loop.size(); ++i) {
        for (const size_t edge : code_.blocks_[loop[i]].in) {
          const size_t from = code_.edges_[edge].from;
          goes_back |= set_[from] == own;
          if (set_[from] != walked) continue;
          set_[from] = own;
          loop.push_back(from);
        }
      }
      goes_back |= loop.size() > 1;
      if (!goes_back) continue;
      std::sort(loop.begin(), loop.end());
      loops.push_back(std::move(loop));
    }
    return loops;
  }

  bool in_set_of(size_t block, size_t other) const { return set_[block] == set_[other]; }

  // A jump into the middle (`goto`) makes several.
  size_t entry_of(const Blocks& loop) const {
    for (const size_t block : loop) {
      for (const size_t edge : code_.blocks_[block].in) {
        const size_t from = code_.edges_[edge].from;
        const bool same_function = code_.blocks_[from].function == code_.blocks_[block].function;
        if (same_function && !in_set_of(from, block)) return block;
      }
    }
    return loop.front();
  }

  // A marked block of the loop, and of none within it, that no turn goes round. Most often it is
  // the entry. kNoBlock: there is none.
  size_t turn_of(size_t entry, const Blocks& blocks) {
    const auto may_be = [&](size_t i) {
      return loop_[i] == loop_[entry] && code_.blocks_[i].mark && !returns_without(i, entry);
    };
    if (may_be(entry)) return entry;
    const auto found = std::find_if(blocks.begin(), blocks.end(), may_be);
    return found == blocks.end() ? kNoBlock : *found;
  }

  // Whether there is a way in the loop from its entry back to it without the block.
  bool returns_without(size_t block, size_t entry) {
    if (block == entry) return false;
    const size_t walked = ++sets_;
    set_[block] = walked;
    for (Blocks way = {entry}; !way.empty();) {
      const size_t at = way.back();
      way.pop_back();
      for (const size_t edge : code_.blocks_[at].out) {
        const size_t to = code_.edges_[edge].to;
        if (to == entry) return true;
        if (set_[to] == walked || !is_within(loop_[to], loop_[entry])) continue;
        set_[to] = walked;
        way.push_back(to);
      }
    }
    return false;
  }

  bool is_within(uint32_t loop, uint32_t other) const {
    while (loop > other) loop = loops_.outer[loop];  // outer ones have lower numbers
    return loop == other;
  }

  const MachineCode& code_;
  Loops& loops_;
  std::vector<uint32_t> loop_;  // the innermost of each block; 0: none
  std::vector<size_t> set_;     // of each block: what it has been found to belong to
  size_t sets_ = 0;
};

MachineCode::Loops MachineCode::loops() const {
  Loops loops;
  LoopFinder finder(*this, loops);
  for (size_t i = 0; i < blocks_.size();) {
    Blocks blocks;
    const size_t function = blocks_[i].function;
    for (; i < blocks_.size() && blocks_[i].function == function; ++i) blocks.push_back(i);
    finder.function(blocks);
  }
  return loops;
}

}  // namespace convkit::simt::profile
