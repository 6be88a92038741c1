// SPDX-License-Identifier: MIT
// Threads of one block that meet in the functions of their warp.
#include <bit>

#include "cpu_device/engine/block_runner.h"
#include "cpu_device/engine/hooks.h"
#include "simt/shuffles.h"

namespace convkit::simt {
namespace {

int source_of(const ConvkitWarpOp& op, int lane) {
  const int operand = static_cast<int>(op.detail & 31), width = static_cast<int>(op.detail >> 8);
  switch (op.kind) {
    case kShuffle:
      return shuffle_source<kShuffle>(lane, operand, width);
    case kShuffleUp:
      return shuffle_source<kShuffleUp>(lane, operand, width);
    case kShuffleDown:
      return shuffle_source<kShuffleDown>(lane, operand, width);
    case kShuffleXor:
      return shuffle_source<kShuffleXor>(lane, operand, width);
    default:
      return lane;
  }
}

// `present`: the lanes that the block has in this warp; `live`: those that have not returned.
void tell_absent_lanes(ConvkitWarpOp* const* ops, unsigned lanes, unsigned live, unsigned present) {
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto source = static_cast<unsigned>(source_of(*ops[lane], static_cast<int>(lane)));
    if (lanes >> source & 1) continue;
    check_hooks->absent_lane(*ops[lane], lane, source,
                             !(present >> source & 1) ? Absence::never_there
                             : !(live >> source & 1)  ? Absence::returned
                                                      : Absence::not_in_mask);
    return;
  }
}

}  // namespace

void BlockRunner::deliver(Warp& warp, unsigned number, unsigned at) {
  const unsigned lanes = warp.groups[at].arrived;
  warp.groups[at] = warp.groups[--warp.group_count];
  std::array<ConvkitWarpOp*, kWarpSize> taking_part{};
  const ConvkitWarpOp* first = nullptr;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    taking_part[lane] = warp.op[lane];
    if (!first) first = warp.op[lane];
    if (warp.op[lane]->kind != first->kind) {
      Fault fault;
      fault.error = cudaErrorLaunchFailure;
      fault.kind = "shuffle_mask";
      fault.sentence =
          "lanes that name each other in their masks are in different warp functions: " +
          site_text(first->file, first->line) + " and " +
          site_text(warp.op[lane]->file, warp.op[lane]->line) + ".";
      fault.advice = "All lanes of a mask must call the same function.";
      abandon(std::move(fault));
    }
  }
  if (lanes != kWholeWarp && needs_whole_warp(*first)) warp_incomplete(*first, number, lanes);
  first->deliver(taking_part.data(), lanes);
  if (check_hooks) {
    const unsigned live = warp_bits(live_, number);
    if (check_hooks->absent_lane) {
      const unsigned present =
          count_ - number * kWarpSize >= kWarpSize ? kWholeWarp : (1u << count_ % kWarpSize) - 1;
      tell_absent_lanes(taking_part.data(), lanes, live, present);
    }
    check_hooks->warp_meets(number, lanes, live);
  }
  set_ready(number, lanes);
}

// After a lane has exited or stopped: does that complete what others wait for?
void BlockRunner::settle_warp(unsigned number) {
  Warp& warp = warps_[number];
  const unsigned live = warp_bits(live_, number);
  for (unsigned g = 0; g < warp.group_count;) {
    const Group& group = warp.groups[g];
    if ((group.mask & live) == group.arrived) {
      deliver(warp, number, g);
    } else {
      ++g;
    }
  }
  // Lanes in active_mask() wait until every other lane of the warp has exited or waits, too.
  if (warp.converging == 0) return;
  const unsigned begin = number * kWarpSize;
  for (unsigned i = next_; i < count_; ++i) {
    const unsigned thread = order_.empty() ? i : order_[i];
    if (thread / kWarpSize == number) return;
    if (order_.empty() && thread >= begin + kWarpSize) break;
  }
  if ((warp_bits(ready_, number) & live) != 0) return;
  // One call site after the other: those who stand at the first lane's are the active ones.
  const auto leader = static_cast<unsigned>(std::countr_zero(warp.converging));
  unsigned together = 0;
  for (unsigned rest = warp.converging; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (warp.site[lane] == warp.site[leader]) together |= 1u << lane;
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (together >> lane & 1) warp.active[lane] = together;
  }
  warp.converging &= ~together;
  set_ready(number, together);
}

__attribute__((cold)) void BlockRunner::warp_incomplete(const ConvkitWarpOp& op, unsigned warp,
                                                        unsigned lanes) {
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "shuffle_mask";
  fault.sentence = "the matrix function at " + site_text(op.file, op.line) + " is called by " +
                   std::to_string(std::popcount(lanes)) + " lanes of warp " + std::to_string(warp) +
                   ", and needs all 32.";
  fault.advice =
      "Launch blocks of a multiple of 32 threads, and let no lane of a warp return before the "
      "others call it.";
  current_ = warp * kWarpSize + static_cast<unsigned>(std::countr_zero(lanes));
  abandon(std::move(fault));
}

__attribute__((cold)) void BlockRunner::mask_without_caller(const ConvkitWarpOp& op) {
  Fault fault;
  fault.error = cudaErrorLaunchFailure;
  fault.kind = "shuffle_mask";
  fault.sentence = "a warp function at " + site_text(op.file, op.line) + " is called by lane " +
                   std::to_string(lane()) + ", which its mask does not name.";
  fault.advice = "The mask names the lanes that take part, the caller among them.";
  abandon(std::move(fault));
}

Fiber BlockRunner::stop_in_collective(unsigned mask, ConvkitWarpOp* op, Fiber stopped) {
  prepare_to_wait();
  const unsigned thread = current_;
  fibers_[thread] = stopped;
  const unsigned number = thread / kWarpSize, lane = thread % kWarpSize;
  if (!(mask >> lane & 1)) mask_without_caller(*op);
  Warp& warp = warps_[number];
  warp.op[lane] = op;
  unsigned g = 0;
  while (g < warp.group_count && warp.groups[g].mask != mask) ++g;
  if (g == warp.group_count) warp.groups[warp.group_count++] = {mask, 0};
  warp.groups[g].arrived |= 1u << lane;
  if (warp.groups[g].arrived == (mask & warp_bits(live_, number))) {
    deliver(warp, number, g);
    ready_[thread / 64] &= ~(uint64_t{1} << (thread % 64));
    return stopped;
  }
  return choose();
}

unsigned BlockRunner::active_mask(const void* call_site) {
  prepare_to_wait();
  const unsigned thread = current_;
  Warp& warp = warps_[thread / kWarpSize];
  const unsigned lane = thread % kWarpSize;
  warp.site[lane] = call_site;
  warp.converging |= 1u << lane;
  wait();
  return warp.active[lane];
}

}  // namespace convkit::simt
