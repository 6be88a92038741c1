// SPDX-License-Identifier: MIT
// The machine code of a program, and how often each of its instructions was executed.
//
// Theory of operation. The compiler begins each basic block with a call of
// __sanitizer_cov_trace_pc() (compile_flags.h), which counts by its return address. The machine
// code has further blocks without such a call, where the compiler has split one since. Their counts
// follow from those around them: what comes into a block is what leaves it.
//
// A loop is a largest set of blocks with a way from each of them to each. Its turns begin at the
// block by which it is entered; without that one, the rest may have loops, which are within it.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpu_device/profile/arithmetic.h"
#include "cpu_device/profile/loop_path.h"

namespace convkit::simt::profile {

enum class Flow {
  goes_on,   // to the next instruction
  branches,  // there, or to the target
  jumps,     // to the target
  ends,      // returns, or goes where it is not known
};

struct MachineInstruction {
  uintptr_t address = 0;
  Flow flow = Flow::goes_on;
  uintptr_t target = 0;
  bool is_entry = false;   // the first one of a function
  bool is_marked = false;  // a call that counts its block
  std::optional<Work> work;
};

// From what `objdump -d --no-show-raw-insn` prints of x86-64.
std::vector<MachineInstruction> read_disassembly(std::istream& text);

// How often the calls that count returned, by the address behind them.
using BlockCounts = std::map<uintptr_t, uint64_t>;

class MachineCode {
 public:
  explicit MachineCode(std::vector<MachineInstruction> instructions);

  struct Executed {
    uintptr_t address = 0;
    Work work;
    std::optional<uint64_t> times;  // nothing where it cannot be told
  };
  // Of the functions in which some call has counted: the instructions with work that were executed.
  std::vector<Executed> executed(const BlockCounts& counts) const;

  struct Loops {
    std::map<uintptr_t, CodePlace> places;  // that are in loops, by the address behind the call
    OuterLoops outer{0};
  };
  Loops loops() const;

 private:
  struct Block {
    size_t begin = 0, end = 0;           // of the instructions
    size_t function = 0;                 // its number
    std::optional<uintptr_t> mark;       // behind the first call that counts it
    std::vector<size_t> in, out;         // edges
    bool all_in = true, all_out = true;  // they are all that there are
  };
  struct Edge {
    size_t from, to;  // blocks
  };
  class LoopFinder;
  using Known = std::vector<std::optional<uint64_t>>;

  void find_blocks();
  void find_edges();
  size_t block_at(uintptr_t address) const;
  void complete(Known& blocks) const;

  std::vector<MachineInstruction> instructions_;
  std::vector<Block> blocks_;
  std::vector<Edge> edges_;
  size_t functions_ = 0;
};

}  // namespace convkit::simt::profile
