// SPDX-License-Identifier: MIT
// What one warp of a kernel does, step by step, with the elements that its lanes access.
//
// Theory of operation. The lanes come one after the other, each up to its next wait. Each has a
// place in the list of the warp's steps: its n-th execution of an instruction, in the same turn of
// the same loops, is the step that another lane's n-th execution has made, or a new one behind the
// lane's last. So a step that only some lanes make stands where those make it.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cpu_device/profile/collect.h"

namespace convkit::simt::profile {

class Trace {
 public:
  static constexpr size_t kMostSteps = 5000;

  struct Step {
    Instruction instruction{0, Kind::global_load};
    Request request;
    // Of a barrier instead; then there is no instruction.
    bool is_barrier = false;
    std::string file;
    int line = 0;
  };

  // Steps are kept from here on, until the block has ended.
  void begin() { *this = Trace(); }
  void access(unsigned lane, Instruction instruction, uint64_t path, uintptr_t at, unsigned size);
  // All lanes have come to one point: what follows comes after all that was before.
  void meet();
  void barrier(std::string file, int line);

  const std::list<Step>& steps() const { return steps_; }
  uint64_t left_out() const { return left_out_; }  // accesses behind so many steps

 private:
  using Position = std::list<Step>::iterator;
  std::list<Step> steps_;
  using Turn = std::pair<Instruction, uint64_t>;  // of an instruction on one path through loops
  // Since the lanes met: the executions of each instruction, and where each lane is.
  std::map<Turn, std::vector<Position>> executed_;
  std::map<std::pair<Turn, unsigned>, size_t> executions_;  // by lane, too
  std::array<Position, kLanes> last_{};                     // of a lane that has one
  uint32_t has_one_ = 0;
  Position met_{};  // the last step before the lanes met, unless it is none
  bool met_any_ = false;
  uint64_t left_out_ = 0;
};

// A step with names in the place of addresses, which last as long as the launch.
struct TracedStep {
  bool is_barrier = false;
  uintptr_t pc = 0;  // of an access; else `file` and `line` are known already
  std::string file;
  int line = 0;
  Kind kind = Kind::global_load;
  std::string place;                       // "tile"
  std::vector<int64_t> dims;               // of a tensor; else empty
  unsigned bytes = 0;                      // of each lane's access
  unsigned cost = 0;                       // sectors, wavefronts, or lanes on one address
  std::array<int64_t, kLanes> elements{};  // of the place, by lane; -1: it takes no part
};
// Called while the launch runs.
std::vector<TracedStep> named_steps(const Trace& trace);

// Of the first launch of a kernel.
struct KernelTrace {
  uint64_t block = 0;  // counted by x, y, z
  unsigned warp = 0, lanes = 0;
  uint64_t left_out = 0;
  std::vector<TracedStep> steps;
};

}  // namespace convkit::simt::profile
