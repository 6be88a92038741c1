// SPDX-License-Identifier: MIT
// Threads that cannot meet: at different barriers, each waiting for another, or at a barrier of a
// grid whose blocks need not all be there.
#include <bit>
#include <cstring>

#include "cpu_device/engine/block_runner.h"

namespace convkit::simt {
namespace {

bool same_site(const char* a_file, int a_line, const char* b_file, int b_line) {
  return a_line == b_line && (a_file == b_file || std::strcmp(a_file, b_file) == 0);
}

}  // namespace

void BlockRunner::check_same_barrier(unsigned thread, Site site) {
  if (same_site(barrier_.file, barrier_.line, site.file, site.line)) return;
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "divergent_barrier";
  fault.sentence =
      "threads of one block wait at different __syncthreads(): " + whereabouts(thread, site) +
      ", " + whereabouts(first_at_barrier_, barrier_) + ".";
  fault.advice =
      "Every thread of the block must reach the same "
      "barrier: take __syncthreads() out of the branch.";
  abandon(std::move(fault));
}

// Describes a thread that others wait for although it waits, too.
BlockRunner::Site BlockRunner::waiting_place(unsigned thread) const {
  const Warp& warp = warps_[thread / kWarpSize];
  const unsigned lane = thread % kWarpSize;
  for (unsigned g = 0; g < warp.group_count; ++g) {
    if (warp.groups[g].arrived >> lane & 1) return {warp.op[lane]->file, warp.op[lane]->line};
  }
  if (warp.converging >> lane & 1) return {};
  return barrier_;
}

std::string BlockRunner::whereabouts(unsigned thread, Site site) const {
  const uint3 at = index_[thread];
  return "thread (" + std::to_string(at.x) + "," + std::to_string(at.y) + "," +
         std::to_string(at.z) + ") at " + site_text(site.file, site.line);
}

// The rewriter's mistake. It must not come to threads that run twice.
void BlockRunner::waits_in_whole_block() {
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "wait_in_thread_loop";
  fault.sentence =
      "a thread waits in a kernel that the CPU device compiled as one whose threads never wait: "
      "this is an error of the CPU device.";
  fault.advice = "Compile with -G, and please report it.";
  abandon(std::move(fault));
}

void BlockRunner::not_cooperative(Site site) {
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "not_cooperative";
  fault.sentence = "grid_group::sync() at " + site_text(site.file, site.line) +
                   " in a kernel that was not launched cooperatively.";
  fault.advice =
      "Launch it with cudaLaunchCooperativeKernel(): only then all blocks of the grid are there at "
      "once, and can wait for each other.";
  abandon(std::move(fault));
}

// It speaks for its block at a barrier of the grid: on a GPU the others would wait for ever.
void BlockRunner::first_thread_has_returned(Site site) {
  Fault fault;
  fault.error = cudaErrorLaunchTimeout;
  fault.kind = "divergent_barrier";
  fault.sentence = whereabouts(current_, site) +
                   " waits in grid_group::sync(), and thread (0,0,0) "
                   "of its block has returned.";
  fault.advice = "Every thread of the grid must reach the barrier: no thread may return before it.";
  abandon(std::move(fault));
}

// Every thread that is left waits, and none of them can be released: a GPU would hang here.
void BlockRunner::nobody_can_go_on() {
  Fault fault;
  fault.error = cudaErrorLaunchTimeout;
  for (unsigned w = 0; w * kWarpSize < count_; ++w) {
    const Warp& warp = warps_[w];
    if (warp.group_count == 0) continue;
    const Group& group = warp.groups[0];
    const auto lane = static_cast<unsigned>(std::countr_zero(group.arrived));
    const unsigned missing = group.mask & warp_bits(live_, w) & ~group.arrived;
    const unsigned absent = w * kWarpSize + static_cast<unsigned>(std::countr_zero(missing));
    current_ = w * kWarpSize + lane;
    fault.kind = "shuffle_mask";
    const bool whole = needs_whole_warp(*warp.op[lane]);
    fault.sentence =
        std::string(whole ? "the matrix function at " : "the warp function at ") +
        site_text(warp.op[lane]->file, warp.op[lane]->line) + " waits for lane " +
        std::to_string(absent % kWarpSize) +
        (whole ? ", which never calls it: " : ", which its mask names but which never calls it: ") +
        whereabouts(absent, waiting_place(absent)) + ".";
    fault.advice = whole ? "All 32 lanes of a warp must reach this call."
                         : "The mask may name only lanes that reach this call.";
    abandon(std::move(fault));
  }
  for (const auto& [barrier, threads] : waiting_) {
    if (!threads.empty()) waits_for_arrivals(*barrier);
  }
  fault.kind = "divergent_barrier";
  fault.sentence = "no thread of the block can continue: " + std::to_string(arrived_) + " of " +
                   std::to_string(left_) + " wait in __syncthreads(), " +
                   whereabouts(first_at_barrier_, barrier_) + " among them.";
  fault.advice = "Every thread of the block must reach the barrier.";
  abandon(std::move(fault));
}

}  // namespace convkit::simt
