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

void set_floors() {
  present.now = event_stamp(g_event);
  const bool closely = present.closely != 0 || present.counting || present.os_thread == 0;
  present.event = closely ? kEventMask : present.now;
  present.several_floor = closely ? ~Stamp{0} : kSeveralWarps | present.barrier_floor;
}

// Events begin again with the smallest numbers. Writes before the current block count as writes
// before the launch; accesses in the block count as accesses before its last barrier. So nothing
// wrong is reported, though a race may be overlooked.
void renumber() {
  for_each_cell([](Cell& cell) {
    const bool recent = (cell.write & kEventMask) >= present.block_floor;
    if (is_of_kernel(cell.write)) {
      cell.write = recent ? event_stamp(kFirstEvent + 1) : kWrittenByKernel;
    }
    cell.read = 0;
  });
  forget_order();
  forget_launches();
  g_blocks.clear();
  g_event = kFirstEvent + 2;
  present.launch_floor = present.ordered_floor = event_stamp(kFirstEvent);
  present.block_floor = event_stamp(kFirstEvent + 1);
  present.barrier_floor = event_stamp(kFirstEvent + 2);
}

}  // namespace

uint32_t next_event() {
  if (++g_event == kMostEvents) renumber();
  set_floors();
  return g_event;
}

void begin_launch(const unsigned* thread) {
  present.thread = thread;
  present.os_thread = this_os_thread();
  if (g_event > kRenumberAt) {
    present.block_floor = kEventMask;
    renumber();
  }
  g_blocks.clear();
  forget_order();
  present.launch_floor = present.ordered_floor = event_stamp(++g_event);
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
  if (g_blocks.size() < kBlocksRemembered) g_blocks.push_back({index, first, true});
  present.block_floor = event_stamp(first);
  const uint32_t event = next_event();
  present.barrier_floor = event_stamp(event);
  set_floors();
}

void open_barrier() {
  const uint32_t event = next_event();
  present.barrier_floor = event_stamp(event);
  set_floors();
}

void look_closely(Closely reason, bool on) {
  present.closely = on ? present.closely | reason : present.closely & ~reason;
  set_floors();
}

BlockAt block_at(uint32_t event) {
  const auto after = std::upper_bound(
      g_blocks.begin(), g_blocks.end(), event,
      [](uint32_t value, const BlockAt& block) { return value < block.first_event; });
  if (after == g_blocks.begin()) return {{}, 0, false};
  BlockAt found = *std::prev(after);
  found.known = g_blocks.size() < kBlocksRemembered;
  return found;
}

}  // namespace convkit::simt::check
