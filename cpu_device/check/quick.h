// SPDX-License-Identifier: MIT
// The common cases of judge(), decided in few instructions: an access to whole words of four bytes,
// of which everything is known, in no conflict with anybody.
#pragma once

#include "cpu_device/check/judge.h"
#include "cpu_device/check/order.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/shadow.h"

namespace convkit::simt::check {

// Local variables: an address a little above the stack pointer.
inline bool on_own_stack(uintptr_t at) {
  constexpr uintptr_t kStackBytes = 128 << 10;
  return at - reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < kStackBytes;
}

// Whether an earlier access comes before the present for reasons that are quickly seen. `floor`: of
// the launch, or, for shared memory, which is the block's own, of its last barrier.
inline bool clearly_before(Stamp earlier, Stamp floor) {
  const Stamp event = earlier & kEventMask;
  if (event < floor) return true;
  return event >= present.block_floor && event < present.barrier_floor && !(earlier & kOtherBlocks);
}

inline bool by_running_thread_alone(Stamp earlier, Stamp self) {
  return (earlier ^ self) >> kThreadShift == 0 && !(earlier & (kSeveralLanes | kOtherBlocks));
}

// The stamp of several accesses of one kind, the running thread's the last of them.
inline Stamp together(Stamp earlier, Stamp self, bool shared) {
  const Stamp event = earlier & kEventMask;
  if (event < present.block_floor) {
    if (event < present.launch_floor || shared) return self;
    if (!is_of_running_block(event)) return self | kOtherBlocks;
  }
  const Stamp result = self | (earlier & kOtherBlocks);
  if (event < present.barrier_floor) return result;
  const bool several = earlier & (kSeveralLanes | kSeveralWarps);
  if (!several && thread_of(earlier) == thread_of(self)) return result;
  if ((earlier & kSeveralWarps) || ((earlier ^ self) & kWarpMask) != 0) {
    return result | kSeveralWarps;
  }
  if (event != present.now && met_in_warp(earlier)) return result;
  // The other lane is remembered: it is the one to tell of.
  return (result & ~kThreadMask) | (earlier & kThreadMask) | kSeveralLanes;
}

// Whether another read of the word by the running thread adds no information.
inline bool is_known_read(Stamp read) {
  if (__builtin_expect(read >= present.several_floor, 1)) return true;
  const Stamp self = present.event | Stamp{*present.thread} << kThreadShift;
  const Stamp different = read ^ self;
  // The same event and warp: the same lane, or several.
  if (different >= Stamp{1} << 31) return false;
  return different < Stamp{1} << kThreadShift || (read & kSeveralLanes);
}

// A read of a word of global memory that was written before the launch is in order, whoever reads
// it. True: this was one, and it has been recorded, as together() would. (Without its rare cases,
// this needs no stack.)
inline bool read_quickly_if_old(uintptr_t at, uintptr_t pc, Cell& cell) {
  if (cell.write - kWritten >= present.ordered_floor - kWritten || is_shared(at)) return false;
  if (!in_kernel() || present.closely != 0 || present.counting || present.in_pieces) return false;
  const Stamp self = stamp_of(pc), read = cell.read, event = read & kEventMask;
  if (event < present.block_floor) {
    cell.read = event < present.launch_floor ? self : self | kOtherBlocks;
    return true;
  }
  // Between two events, the threads of a warp may have met.
  if (event != present.now) return false;
  const Stamp other = read ^ self;
  if ((other & kWarpMask) != 0) {
    cell.read = self | (read & kOtherBlocks) | kSeveralWarps;
  } else if ((other & kThreadMask) != 0) {
    cell.read = (self & ~kThreadMask) | (read & (kThreadMask | kOtherBlocks)) | kSeveralLanes;
  }
  return true;
}

// True: the access has been judged and recorded.
template <size_t size, unsigned use>
inline bool judge_quickly(uintptr_t at, uintptr_t pc, Cell* cells) {
  static_assert(size % 4 == 0 && (use == kRead || use == kWrite));
  if (!in_kernel() || present.closely != 0) return false;
  const bool shared = is_shared(at);
  const Stamp self = stamp_of(pc);
  // For a read to be in order, the word must have been written: shared memory, by this block.
  const Stamp written = shared ? present.shared_floor : kWritten;
  const Stamp floor = shared ? present.barrier_floor : present.ordered_floor;
  const auto in_order = [&](Stamp earlier) {
    return clearly_before(earlier, floor) || by_running_thread_alone(earlier, self);
  };
  for (size_t i = 0; i < size / 4; ++i) {
    const Stamp write = cells[i].write;
    if (write == kUnknown || (write & kSeveralWarps)) return false;
    if (use == kRead && (write & kEventMask) < written) return false;
    if (!in_order(write) || (use == kWrite && !in_order(cells[i].read))) return false;
  }
  for (size_t i = 0; i < size / 4; ++i) {
    if (use == kWrite) {
      cells[i] = {self, 0};
    } else {
      cells[i].read = together(cells[i].read, self, shared);
    }
  }
  return true;
}

}  // namespace convkit::simt::check
