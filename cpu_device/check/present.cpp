// SPDX-License-Identifier: MIT
#include "cpu_device/check/present.h"

#include <algorithm>
#include <vector>

#include "cpu_device/check/order.h"
#include "cpu_device/check/shadow.h"
#include "cpu_device/check/stream_order.h"

namespace convkit::simt::check {

Present present;

namespace {

// A launch begins with at least this many events left.
constexpr uint32_t kRenumberAt = kMostEvents / 2;
constexpr size_t kBlocksRemembered = 1 << 20;

uint32_t g_event = kFirstEvent;
std::vector<BlockAt> g_blocks;  // of the launch
Stamp g_launch_begin = 0;
unsigned g_meeting = 0;    // how often grids have met
unsigned g_numbering = 0;  // how often events have got other numbers

// What a block finds again when it goes on: each has an OS thread of its own.
struct Left {
  Stamp shared_floor, barrier_floor;
  uint32_t begin;
  unsigned meeting, numbering;
};
thread_local Left t_left;

void set_floors() {
  present.now = event_stamp(g_event);
  const bool closely = present.closely != 0 || present.counting || present.os_thread == 0;
  present.event = closely ? kEventMask : present.now;
  const Stamp floor = std::max(present.barrier_floor, present.block_floor);
  present.several_floor = closely ? ~Stamp{0} : kSeveralWarps | floor;
}

void remember_block(uint3 index, uint32_t first, uint32_t begin) {
  if (g_blocks.size() < kBlocksRemembered) g_blocks.push_back({index, first, begin, true});
}

// Events begin again with the smallest numbers. Writes before the current block count as writes
// before the launch; accesses in the block count as accesses before its last barrier. Of a
// cooperative launch, all accesses count as made before a barrier of the grid. So nothing wrong is
// reported, though a race may be overlooked.
void renumber() {
  for_each_cell([](Cell& cell) {
    const bool recent =
        (cell.write & kEventMask) >= (present.cooperative ? g_launch_begin : present.block_floor);
    if (is_of_kernel(cell.write)) {
      cell.write = recent ? event_stamp(kFirstEvent + 1) : kWrittenByKernel;
    }
    cell.read = 0;
  });
  forget_order();
  forget_launches();
  g_blocks.clear();
  g_event = kFirstEvent + 2;
  present.block_floor = present.shared_floor = event_stamp(kFirstEvent + 1);
  present.barrier_floor = event_stamp(kFirstEvent + 2);
  present.launch_floor = present.cooperative ? present.barrier_floor : event_stamp(kFirstEvent);
  present.ordered_floor = present.launch_floor;
  present.block_begin = kFirstEvent + 1;
  present.in_pieces = false;
  ++g_numbering;
  ++g_meeting;
}

}  // namespace

uint32_t next_event() {
  if (++g_event == kMostEvents) renumber();
  set_floors();
  return g_event;
}

void begin_launch(const unsigned* thread, bool cooperative) {
  present.thread = thread;
  present.os_thread = this_os_thread();
  present.cooperative = false;
  if (g_event > kRenumberAt) {
    present.block_floor = kEventMask;
    renumber();
  }
  present.cooperative = cooperative;
  g_blocks.clear();
  forget_order();
  present.in_pieces = false;
  present.launch_floor = present.ordered_floor = g_launch_begin = event_stamp(++g_event);
  set_floors();
}

void end_launch() {
  present.thread = &nobody;
  present.os_thread = 0;
  present.closely = 0;
  set_floors();
}

void begin_block(uint3 index) {
  // Two events: what the block finds is older than what it does.
  const uint32_t first = next_event();
  remember_block(index, first, first);
  present.block_begin = first;
  present.block_floor = present.shared_floor = event_stamp(first);
  const uint32_t event = next_event();
  present.barrier_floor = event_stamp(event);
  set_floors();
}

void open_barrier() {
  const uint32_t event = next_event();
  present.barrier_floor = event_stamp(event);
  set_floors();
}

void follow_worker(const unsigned* thread) {
  present.thread = thread;
  present.os_thread = this_os_thread();
  set_floors();
}

void leave_block() {
  t_left = {present.shared_floor, present.barrier_floor, present.block_begin, g_meeting,
            g_numbering};
}

void resume_block(uint3 index) {
  const uint32_t first = next_event();
  present.shared_floor =
      t_left.numbering == g_numbering ? t_left.shared_floor : event_stamp(kFirstEvent + 1);
  present.block_floor = event_stamp(first);
  if (t_left.meeting == g_meeting) {
    present.in_pieces = true;
    present.block_begin = t_left.begin;
    present.barrier_floor = t_left.barrier_floor;
  } else {
    present.block_begin = first;
    present.barrier_floor = event_stamp(next_event());
  }
  remember_block(index, first, present.block_begin);
  set_floors();
}

void meet_grid() {
  const Stamp now = event_stamp(next_event());
  if (present.ordered_floor == present.launch_floor) present.ordered_floor = now;
  present.launch_floor = now;
  present.in_pieces = false;
  ++g_meeting;
  g_blocks.clear();
  forget_order();
}

void look_closely(Closely reason, bool on) {
  present.closely = on ? present.closely | reason : present.closely & ~reason;
  set_floors();
}

BlockAt block_at(uint32_t event) {
  const auto after = std::upper_bound(
      g_blocks.begin(), g_blocks.end(), event,
      [](uint32_t value, const BlockAt& block) { return value < block.first_event; });
  if (after == g_blocks.begin()) return {{}, 0, 0, false};
  BlockAt found = *std::prev(after);
  found.known = g_blocks.size() < kBlocksRemembered;
  return found;
}

}  // namespace convkit::simt::check
