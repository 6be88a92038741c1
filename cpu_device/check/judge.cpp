// SPDX-License-Identifier: MIT
#include "cpu_device/check/judge.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "cpu_device/check/admit.h"
#include "cpu_device/check/bad_access.h"
#include "cpu_device/check/host_access.h"
#include "cpu_device/check/order.h"
#include "cpu_device/check/phases.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"
#include "cpu_device/check/quick.h"
#include "cpu_device/check/races.h"
#include "cpu_device/check/reports.h"
#include "cpu_device/check/stream_order.h"
#include "cpu_device/check/updates.h"
#include "cpu_device/check/written.h"
#include "cpu_device/engine/hooks.h"
#include "simt/atomic_operations.h"

namespace convkit::simt::check {
namespace {

enum class Conflict { none, in_block, across_blocks, across_streams };

Conflict conflict(Stamp earlier, Stamp self, bool shared) {
  const Stamp event = earlier & kEventMask;
  if (shared && event < present.barrier_floor) return Conflict::none;
  if (event < present.launch_floor && !shared) {
    if (event < present.ordered_floor) return Conflict::none;
    return unordered_launch(earlier) != nullptr ? Conflict::across_streams : Conflict::none;
  }
  const bool others = (earlier & kOtherBlocks) && !shared;
  if (shared || is_of_running_block(event)) {
    if (event >= present.barrier_floor) {
      const bool own =
          thread_of(earlier) == thread_of(self) && !(earlier & (kSeveralLanes | kSeveralWarps));
      if (!own && !met_in_warp(earlier) && !met_at_phase(earlier) && !handed_on(earlier)) {
        return Conflict::in_block;
      }
    }
    return others && !knows_other_blocks() ? Conflict::across_blocks : Conflict::none;
  }
  return handed_on(earlier) ? Conflict::none : Conflict::across_blocks;
}

// Atomics do not race with each other. A plain read beside atomics is judged by what becomes of it;
// in shared memory, only beside one that may be of a compare-and-swap loop: else it means a
// forgotten barrier.
inline bool tolerated(Stamp earlier, bool earlier_wrote, const Access& access, bool shared) {
  const bool atomic = access.use & kAtomicUse, earlier_atomic = earlier & kAtomic;
  if (atomic && earlier_atomic) return true;
  if (shared && !(earlier_wrote ? sets(earlier) : access.manner & kAtomicSets)) return false;
  return earlier_wrote ? earlier_atomic && !(access.use & kWrite) : atomic && (access.use & kWrite);
}

// With its place in words, if a report will name it.
Race placed(Race race) {
  if (!was_reported(race)) race.where = running_place();
  return race;
}

bool by_running_thread_last(Stamp earlier) {
  return thread_of(earlier) == *present.thread && !(earlier & (kSeveralLanes | kSeveralWarps)) &&
         is_of_running_block(earlier & kEventMask);
}

Race race_of(uintptr_t at, const Access& access, Stamp earlier, bool wrote, bool shared,
             Conflict found, Story story) {
  return {at,
          access,
          earlier,
          wrote,
          shared,
          found == Conflict::across_blocks,
          story,
          *present.thread,
          event_of(present.block_floor),
          "",
          found == Conflict::across_streams};
}

// A volatile read and a volatile write of one thread, though another thread wrote the element and
// nothing orders the two: an update may be lost. Who only looks at a flag, only raises it, or has a
// fence in between, as where blocks take turns, does no such thing.
bool loses_update(const Cell& cell) {
  const bool read = (cell.read & kEventMask) >= present.block_floor &&
                    by_running_thread_last(cell.read) && !fenced_since(cell.read);
  // Of several writers nobody knows which was the last. The second of them was judged.
  return read && !(cell.write & (kSeveralLanes | kSeveralWarps));
}

// Threads poll a word while others write it again and again: what was looked at is not news.
bool is_news(uintptr_t at, Stamp write) {
  struct Known {
    uintptr_t at;
    Stamp write;
    unsigned thread;
    bool operator==(const Known&) const = default;
  };
  static std::array<Known, 1024> known;
  const Known now{at, write, *present.thread};
  Known& before = known[(at / 4 + now.thread * 37) % known.size()];
  return std::exchange(before, now) != now;
}

// Volatile elements of global memory are taken for flags, which threads raise and wait for, or
// look at now and then. One that is used under a lock holds data, and so does one that a thread
// writes over another's value without a fence before it, which a flag is raised with, or that is
// read behind an atomic that was to hand it on and does not.
void judge_volatile(const Cell& cell, uintptr_t at, const Access& access) {
  follow_atomics();
  if (is_lock(at)) return;
  Access plain = access;
  plain.use &= ~kAtomicUse;
  const auto race = [&](Stamp earlier, bool wrote, Conflict found, Story story) {
    Race result = race_of(at, plain, earlier & ~kAtomic, wrote, false, found, story);
    if (story == Story::volatile_data) result.missing = missing_for(earlier);
    return placed(result);
  };
  const auto unordered = [&](Stamp earlier) {
    if (!(earlier & kAtomic) || clearly_before(earlier, present.ordered_floor)) {
      return Conflict::none;
    }
    const Conflict found = conflict(earlier, stamp_of(access.pc), false);
    return found == Conflict::across_streams ? Conflict::none : found;
  };
  const bool writes = access.use & kWrite;
  if (!writes) {
    if (!is_news(at, cell.write)) return;
    const Conflict found = unordered(cell.write);
    if (found == Conflict::none) return;
    if (holds_lock(at, true) || missing_for(cell.write) != Missing::nothing_known) {
      report_race(race(cell.write, true, found, Story::volatile_data));
    }
    return;
  }
  if (const Conflict found = unordered(cell.write); found != Conflict::none) {
    if (loses_update(cell)) {
      suspect_write(race(cell.write, true, found, Story::volatile_update));
      return;
    }
    const bool raises = fenced_since(event_stamp(present.block_begin)) && !holds_lock(at, false);
    if (!raises && !by_running_thread_last(cell.write)) {
      suspect_write(race(cell.write, true, found, Story::volatile_data));
      return;
    }
  }
  if (const Conflict found = unordered(cell.read); found != Conflict::none) {
    if (holds_lock(at, true) || came_after_handing_on(cell.read)) {
      suspect_write(race(cell.read, false, found, Story::volatile_data));
    }
  }
}

// Of an atomic access, or a plain read beside atomics, that is not a race by itself.
void judge_tolerated(uintptr_t at, const Access& access, Stamp earlier, bool wrote, Stamp self,
                     bool shared) {
  const bool atomic = access.use & kAtomicUse;
  if (atomic && (earlier & kAtomic)) {
    if (shared || !wrote || (access.use & kVolatileUse)) return;
    const Stamp plain = plain_write_below(at);
    if (plain != 0 && conflict(plain, self, false) == Conflict::across_blocks) {
      report_race(placed(
          race_of(at, access, plain, true, false, Conflict::across_blocks, Story::accesses)));
    }
    const Stamp other = access.manner & kAtomicOfBlock ? earlier : narrow_atomic(at);
    if (other == 0) return;
    const Conflict found = conflict(other, self, false);
    if (found == Conflict::none || found == Conflict::in_block) return;
    report_race(placed(race_of(at, access, other, true, false, found, Story::narrow_atomic)));
    return;
  }
  const Stamp read = wrote ? self : earlier;
  if (is_verified(read)) return;
  const Conflict found = conflict(earlier, self, shared);
  if (found == Conflict::none || found == Conflict::across_streams) return;
  const bool set = wrote ? sets(earlier) : access.manner & kAtomicSets;
  suspect_read(placed(race_of(at, access, earlier, wrote, shared, found, Story::beside_atomic)),
               read, set);
}

// The plain read that the running thread's atomic decides about.
void look_for_proposal(Stamp read, Stamp self) {
  const bool plain = read != 0 && !(read & kAtomic) && !(read & kSeveralWarps);
  if (!plain || !is_of_running_block(read & kEventMask)) return;
  const bool own = thread_of(read) == thread_of(self) ||
                   ((read & kSeveralLanes) && ((read ^ self) & kWarpMask) == 0);
  if (own) verify_read(read);
}

// A volatile element of shared memory, for threads of several warps, is a flag where it is written
// behind a fence. Lanes of one warp use such memory as if they ran in step, which needs
// __syncwarp().
bool is_flag(uintptr_t at, Stamp earlier, bool wrote, const Access& access) {
  const bool one_warp = ((earlier ^ stamp_of(access.pc)) & (kWarpMask | kSeveralWarps)) == 0;
  if (one_warp) return false;
  return access.use & kWrite ? fenced_since(event_stamp(present.block_begin))
                             : wrote && has_raised(at, thread_of(earlier));
}

// Records the access.
inline void record(Cell& cell, uintptr_t at, unsigned use, Stamp self, bool shared) {
  if (use & kWrite) {
    bool join = (use & kAtomicUse) && (cell.write & kAtomic);
    // Where more than atomicity counts, who comes after all others is the only one.
    if (join && ((use & kVolatileUse) || any_narrow_atomics())) join = !handed_on(cell.write);
    // Its own plain write, which others' atomics race with, says more than a thread's atomic. What
    // a barrier comes behind is remembered for other blocks.
    const Stamp event = cell.write & kEventMask;
    const bool covers_plain = (use & kAtomicUse) && !(use & kVolatileUse) &&
                              !(cell.write & kAtomic) && event >= present.block_floor;
    const bool initialised =
        covers_plain && event >= present.barrier_floor && thread_of(cell.write) == thread_of(self);
    if (covers_plain && !initialised && !shared) know_plain_write(at, cell.write);
    if (!initialised) cell.write = join ? together(cell.write, self, shared) : self;
    cell.read = 0;
    return;
  }
  const bool recent = (cell.read & kEventMask) >= present.barrier_floor;
  if ((use & kAtomicUse) && recent && !(cell.read & kAtomic)) return;  // the plain read says more
  // Atomic readings of several warps must not make plain ones uninteresting.
  Stamp read = together(cell.read, self, shared);
  if ((use & kAtomicUse) && (read & kSeveralWarps)) {
    read = (read & ~kSeveralWarps) | kSeveralLanes;
  }
  cell.read = read;
}

// Returns false if the access reads memory that nobody has written.
bool judge_cell(Cell& cell, uintptr_t at, const Access& access, Stamp self, bool shared) {
  const bool unwritten =
      (access.use & kRead) && !(access.use & kOverwriting) &&
      (shared ? (cell.write & kEventMask) < present.shared_floor : cell.write == kUnwritten);
  const Stamp event_floor = shared ? present.barrier_floor : present.ordered_floor;
  if ((access.use & kVolatileUse) && !shared) judge_volatile(cell, at, access);
  const bool decides = access.manner & (kAtomicSets | kAtomicCounts);
  if (decides && (access.use & kWrite)) look_for_proposal(cell.read, self);
  if ((access.manner & kAtomicOfBlock) && !shared) know_narrow_atomic(at, self);
  for (const bool wrote : {true, false}) {
    if (!wrote && !(access.use & kWrite)) break;
    const Stamp earlier = wrote ? cell.write : cell.read;
    if (clearly_before(earlier, event_floor)) continue;
    // The last of the blocks clears the counter: its own atomic came after those of the others.
    const bool clears = wrote && !shared && access.use == kWrite;
    if (clears && (earlier & kAtomic) && by_running_thread_last(earlier)) continue;
    if (tolerated(earlier, wrote, access, shared)) {
      judge_tolerated(at, access, earlier, wrote, self, shared);
      continue;
    }
    const Conflict found = conflict(earlier, self, shared);
    if (found == Conflict::none) continue;
    if (shared && (access.use & kVolatileUse) && is_flag(at, earlier, wrote, access)) continue;
    Race race = placed(race_of(at, access, earlier, wrote, shared, found, Story::accesses));
    race.missing = was_reported(race) ? Missing::nothing_known : missing_for(earlier);
    if (wrote && !(access.use & (kRead | kAtomicUse)) && !(earlier & kAtomic)) {
      suspect_write(race);
    } else {
      race_found(at);
      const bool plain_read = access.use == kRead && wrote && !(earlier & kAtomic);
      if (plain_read && found != Conflict::across_streams) {
        suspect_update(race);
      } else {
        report_race(race);
      }
    }
    break;
  }
  record(cell, at, access.use, self, shared);
  return !unwritten;
}

// The part of the access that lies in one word.
struct Part {
  uintptr_t word;
  unsigned first, last;  // of its bytes
  bool whole() const { return first == 0 && last == 4; }
};

// The first word of a vector that nobody has written though others of it have been written; 0:
// there is none. `words` has a bit for each that nobody has written. The second and the last of
// four may be padding, of a structure like {double, int}.
uintptr_t unwritten_element(const Access& access, unsigned words) {
  const bool vector = access.size == 8 || access.size == 16;
  if (!vector || (access.use & kWhole) || access.at % 4 != 0) return 0;
  constexpr unsigned kPerhapsPadding = 0b1010;
  if (access.size == 16 && (words & ~kPerhapsPadding) == 0) return 0;
  for (unsigned i = 0; i < access.size / 4; ++i) {
    if (words & (1u << i)) return access.at + 4 * i;
  }
  return 0;
}

// Code that is not instrumented, such as the C library's, tells of nothing that it writes. In
// shared memory it shows: what nobody has written holds the poison.
bool was_written_unseen(const Access& access) {
  const std::span bytes(reinterpret_cast<const unsigned char*>(access.at), access.size);
  return std::ranges::any_of(bytes, [](unsigned char byte) { return byte != present.poison; });
}

void judge_memory(const Access& access, bool shared) {
  const Stamp self =
      stamp_of(access.pc) |
      ((access.use & kAtomicUse) || ((access.use & kVolatileUse) && !shared) ? kAtomic : 0);
  Access seen = access;
  if (self & kAtomic) {
    seen.use |= kAtomicUse;
    const bool set = (access.use & kVolatileUse) || (access.manner & kAtomicSets);
    if (set && (access.use & kWrite)) know_setting(access.pc);
  }
  size_t unwritten = 0;
  unsigned unwritten_words = 0;  // the first of them
  const uintptr_t end = access.at + access.size;
  for (uintptr_t word = access.at & ~uintptr_t{3}; word < end; word += 4) {
    const Part part{word, word < access.at ? static_cast<unsigned>(access.at - word) : 0,
                    end - word < 4 ? static_cast<unsigned>(end - word) : 4};
    Cell* cell = admitted_cell(access, part.word + part.first);
    if (cell == nullptr) return;
    if (!is_split(cell->write)) {
      if (part.whole()) {
        if (judge_cell(*cell, word, seen, self, shared)) continue;
        unwritten += 4;
        if (word - access.at < 16) unwritten_words |= 1u << ((word - access.at) / 4);
        continue;
      }
      split(*cell);
    }
    Cell* bytes = split_cells(split_index(cell->write));
    bool same = part.whole() && (access.use & kWrite);
    for (unsigned i = part.first; i < part.last; ++i) {
      if (bytes[i].write == kUnknown) admit_byte(access, word + i, bytes[i]);
      if (!judge_cell(bytes[i], word + i, seen, self, shared)) ++unwritten;
      same = same && bytes[i].write == self;
    }
    if (same) unite(*cell, self);
  }
  // A volatile flag hands on, in shared memory, too, where it may be a race (`race_volatile`).
  if (((self & kAtomic) || (access.use & kVolatileUse)) && !(access.use & kReturns)) {
    atomic_access(access.at, access.use & kRead, access.use & kWrite, access.manner);
  }
  if (unwritten < access.size) {
    // Padding of structures is copied though nobody has written it.
    if (const uintptr_t at = unwritten_element(access, unwritten_words)) {
      read_unwritten(at, 4, access.pc, shared, true);
    }
    return;
  }
  if (!shared || !was_written_unseen(access)) {
    read_unwritten(access.at, access.size, access.pc, shared, false);
  }
  settle_unwritten(access.at, access.size, shared);
}

}  // namespace

void judge(const Access& access) {
  if (access.size == 0 || on_own_stack(access.at)) return;
  if (!in_kernel()) {
    judge_host_access(access);
    return;
  }
  if (access.use & (kAtomicUse | kVolatileUse)) running_thread_polls();
  if (present.closely != 0) {
    settle_suspects();
    look_for_update(access);
    look_for_overrun(access);
    if (!is_shared(access.at)) look_for_copies(access);
  }
  if (access.use & kRead) resolve_unwritten(access.at, access.size);
  judge_memory(access, is_shared(access.at));
}

}  // namespace convkit::simt::check
