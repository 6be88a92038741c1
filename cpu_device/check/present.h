// SPDX-License-Identifier: MIT
// The current position in the running kernel. In check mode one OS thread runs all blocks, one
// after the other, so there is one current position, and events have an order: the beginning of a
// launch or a block, the opening of a barrier, a warp function, a fence. An access is stamped with
// the last event before it.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "cpu_device/check/stamp.h"
#include "simt/vector_types.h"

namespace convkit::simt::check {

inline constexpr unsigned nobody = 0;

struct Present {
  // The two that decide whether a callback returns at once. Outside kernels, and when it is to look
  // closely, no stamp can match them.
  Stamp several_floor = ~Stamp{0};  // kSeveralWarps and the last barrier
  Stamp event = kEventMask;         // `now`
  const unsigned* thread = &nobody;
  unsigned char poison = 0;  // of fresh shared memory
  bool counting = false;     // accesses (see count_accesses.h): then no callback returns at once

  Stamp now = 0;
  // Of the launch, or of the last barrier of a cooperative one's grid; of the block, or where it
  // went on after others had run; and of the block's last barrier.
  Stamp launch_floor = 0, block_floor = 0, barrier_floor = 0;
  Stamp shared_floor = 0;  // the block's first event: what is older in shared memory is not its own
  uint32_t block_begin = 0;  // its first event since the launch began or the grid met
  bool in_pieces = false;    // since then, a block has gone on after others had run
  bool cooperative = false;  // the launch
  // Of the first launch that nothing orders with the running one (stream_order.h); else its own.
  Stamp ordered_floor = 0;
  uintptr_t os_thread = 0;  // that runs the kernel; 0: none runs
  unsigned closely = 0;     // every access is looked at closely: for whom
};

extern Present present __attribute__((visibility("hidden")));

inline uintptr_t this_os_thread() {
#if defined(__x86_64__)
  uintptr_t self;
  __asm__("mov %%fs:0, %0" : "=r"(self));
  return self;
#else
  return static_cast<uintptr_t>(pthread_self());
#endif
}

// Whether the caller is a kernel's thread (and not host code).
inline bool in_kernel() {
  return this_os_thread() == present.os_thread;
}

// The stamp of an access by the running thread.
inline Stamp stamp_of(uintptr_t pc) {
  return present.now | Stamp{*present.thread} << kThreadShift | (pc & kPcMask);
}

void begin_launch(const unsigned* thread, bool cooperative = false);
void end_launch();
void begin_block(uint3 index);
void open_barrier();
// Of a cooperative launch. Another worker goes on with it.
void follow_worker(const unsigned* thread);
// The running block stops, and goes on: in between, others have run.
void leave_block();
void resume_block(uint3 index);
// All blocks have come to a barrier of the grid: what any of them did before comes before the rest.
void meet_grid();
// Something happened that orders threads; accesses before and after can be told apart.
uint32_t next_event();

enum Closely : unsigned { kForOverruns = 1, kForSuspects = 2, kForStreams = 4, kForUpdates = 8 };
void look_closely(Closely reason, bool on);

// The block that ran at the event, since its `first_event`; `begin` is its Present::block_begin.
// `known` is false when the launch has had too many blocks to remember them all.
struct BlockAt {
  uint3 index;
  uint32_t first_event, begin;
  bool known;
};
BlockAt block_at(uint32_t event);

// Whether the running block ran at the event, which is not older than `launch_floor`.
inline bool is_of_running_block(Stamp event) {
  if (event >= present.block_floor) return true;
  return __builtin_expect(present.in_pieces, 0) &&
         block_at(event_of(event)).begin == present.block_begin;
}

}  // namespace convkit::simt::check
