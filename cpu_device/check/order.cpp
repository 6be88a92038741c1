// SPDX-License-Identifier: MIT
#include "cpu_device/check/order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cpu_device/check/phases.h"
#include "cpu_device/check/present.h"
#include "simt/atomic_operations.h"

namespace convkit::simt::check {
namespace {

constexpr unsigned kLanes = 32, kWarps = 32;

// met[t][l]: the event up to which thread t knows what lane l of its warp did.
std::array<std::array<uint32_t, kLanes>, kLanes * kWarps> g_met;
std::array<uint32_t, kWarps> g_whole;  // of each warp, the last meeting of all its lanes
bool g_in_parts = false;               // some group was not a whole warp, in this launch

// Events by scope: of any fence, and of one for the whole device.
enum Scope : unsigned { kBlock, kDevice };
using Events = std::array<uint32_t, 2>;
constexpr uint32_t kNever = UINT32_MAX;

// A change of a word that may tell others of what was done before.
struct Release {
  uint32_t event;
  Events fence;           // the thread's last before
  Events early_fence;     // its block's last before the block's last barrier
  Events fence_of_block;  // its block's last
  uint32_t barrier;       // the block's last barrier
  uint32_t block_begin;   // the block's first event
  unsigned thread;
  bool of_block;  // an atomic of that scope
  // Where it gives a lock back: when that was taken, and the thread's first fence after.
  uint32_t taken;
  Events guarded;
};
using Releases = std::vector<Release>;

// An atomic look at a word: everything released there before is known, from these events on.
struct Acquire {
  const Releases* releases;
  size_t count;
  Events from;
  unsigned thread;
  bool of_block;
  bool takes;  // a lock
};

struct Taken {
  uintptr_t word;
  uint32_t event;
  Events guarded;
  bool by_exchange;  // it may be a flag, too, that was raised
};

struct ThreadOrder {
  Events fence{};
  std::vector<Taken> taken;
  std::vector<size_t> unfenced;  // acquires that a fence will complete
};

struct BlockOrder {
  std::vector<ThreadOrder> threads;
  Events fence{}, early_fence{};  // as in Release
  std::vector<Acquire> acquires;
  bool over = false;
};

struct Handed {
  bool follows = false;  // in this launch
  bool fences = false;
  std::unordered_map<uintptr_t, Releases> releases;
  std::unordered_map<uint32_t, BlockOrder> blocks;  // by their first event
  std::unordered_set<uintptr_t> locks;              // words that were taken and given back
};
Handed g_handed;

BlockOrder* order_here() {
  const auto found = g_handed.blocks.find(present.block_begin);
  return found == g_handed.blocks.end() ? nullptr : &found->second;
}

ThreadOrder& running_order(BlockOrder& block) {
  if (block.threads.size() <= *present.thread) block.threads.resize(*present.thread + 1);
  return block.threads[*present.thread];
}

ThreadOrder* known_running_order() {
  BlockOrder* const block = order_here();
  return block != nullptr && block->threads.size() > *present.thread
             ? &block->threads[*present.thread]
             : nullptr;
}

Events early_fences(const BlockOrder& block) {
  const uint32_t barrier = event_of(present.barrier_floor);
  Events early = block.early_fence;
  for (const Scope scope : {kBlock, kDevice}) {
    if (block.fence[scope] < barrier) early[scope] = block.fence[scope];
  }
  return early;
}

bool seen_by_running_thread(const Acquire& acquire) {
  const uint32_t event = acquire.from[kBlock];
  if (event == kNever) return false;
  return acquire.thread == *present.thread || event_stamp(event) < present.barrier_floor ||
         (acquire.thread / kLanes == *present.thread / kLanes &&
          g_whole[acquire.thread / kLanes] > event);
}

// How much of what is needed may be missing.
enum class Lenient { not_at_all, of_scope, of_lock, of_fences, of_time };

bool covers(const Release& release, Stamp access, Scope scope, Lenient lenient, bool takes) {
  const uint32_t event = event_of(access);
  const unsigned thread = thread_of(access);
  const bool one_thread = (access & (kSeveralLanes | kSeveralWarps)) == 0;
  if (event < release.block_begin) return false;
  // Others may have run in between.
  if (present.in_pieces && block_at(event).begin != release.block_begin) return false;
  const bool own = one_thread && thread == release.thread;
  if (lenient == Lenient::of_time) return own && release.event <= event;
  if (event >= release.event) return false;
  if (lenient == Lenient::of_fences) return own || event < release.barrier;
  if (own) {
    const bool unguarded = takes && release.taken != 0 && event >= release.taken &&
                           event < release.guarded[scope] && lenient < Lenient::of_lock;
    return event < release.fence[scope] && !unguarded;
  }
  if (event < release.barrier) {
    return event < std::max(release.fence[scope], release.early_fence[scope]);
  }
  const unsigned warp = thread / kLanes;
  return warp == release.thread / kLanes && (g_in_parts || g_whole[warp] > event) &&
         event < release.fence_of_block[scope];
}

bool handed_on(Stamp earlier, Lenient lenient) {
  const BlockOrder* const here = g_handed.follows ? order_here() : nullptr;
  if (here == nullptr) return false;
  // It also passes on what the releasing blocks had acquired.
  std::vector<uint32_t> blocks;
  const auto look = [&](const Acquire& acquire, uint32_t block) {
    for (size_t i = 0; i < acquire.count; ++i) {
      const Release& release = (*acquire.releases)[i];
      Scope scope = release.block_begin == block ? kBlock : kDevice;
      if (lenient != Lenient::not_at_all) {
        scope = kBlock;
      } else if (scope == kDevice && (acquire.of_block || release.of_block)) {
        continue;
      }
      if (acquire.from[scope] == kNever && lenient < Lenient::of_lock) continue;
      if (covers(release, earlier, scope, lenient, acquire.takes)) return true;
      const bool fenced = std::max(release.fence[scope], release.early_fence[scope]) != 0;
      const bool passes_on = fenced || lenient >= Lenient::of_fences;
      if (passes_on && std::ranges::find(blocks, release.block_begin) == blocks.end()) {
        blocks.push_back(release.block_begin);
      }
    }
    return false;
  };
  for (const Acquire& acquire : here->acquires) {
    const bool own = lenient >= Lenient::of_lock && acquire.thread == *present.thread;
    const bool seen = own || seen_by_running_thread(acquire);
    if (seen && look(acquire, present.block_begin)) return true;
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto found = g_handed.blocks.find(blocks[i]);
    if (found == g_handed.blocks.end()) continue;
    for (const Acquire& acquire : found->second.acquires) {
      if (look(acquire, blocks[i])) return true;
    }
  }
  return false;
}

void acquire(BlockOrder& block, const Releases& releases, bool of_block, bool at_once,
             bool takes = false) {
  const uint32_t now = event_of(present.now);
  const uint32_t from = at_once ? now : kNever;
  const Acquire acquire{&releases, releases.size(), {from, from}, *present.thread, of_block, takes};
  // A loop that polls looks at one word again and again.
  const bool again =
      !block.acquires.empty() && block.acquires.back().releases == acquire.releases &&
      block.acquires.back().thread == acquire.thread && block.acquires.back().takes == takes &&
      at_once == (block.acquires.back().from[kDevice] != kNever);
  if (again) {
    block.acquires.back() = acquire;
    return;
  }
  if (!at_once) running_order(block).unfenced.push_back(block.acquires.size());
  block.acquires.push_back(acquire);
}

void release(BlockOrder& block, Releases& releases, uintptr_t word, bool of_block,
             bool gives_back) {
  ThreadOrder& thread = running_order(block);
  Release release{0,
                  thread.fence,
                  early_fences(block),
                  block.fence,
                  event_of(present.barrier_floor),
                  present.block_begin,
                  *present.thread,
                  of_block,
                  0,
                  {}};
  const auto taken = std::find_if(thread.taken.begin(), thread.taken.end(),
                                  [&](const Taken& one) { return one.word == word; });
  if (gives_back && taken != thread.taken.end()) {
    release.taken = taken->event;
    release.guarded = taken->guarded;
    g_handed.locks.insert(word);
    thread.taken.erase(taken);
  }
  // Only accesses before the fence are passed on: a second release after it adds nothing.
  const bool adds = releases.empty() || releases.back().thread != release.thread ||
                    releases.back().block_begin != release.block_begin ||
                    releases.back().fence != release.fence ||
                    releases.back().barrier != release.barrier || release.taken != 0;
  if (!adds) return;
  release.event = next_event();
  if (!g_handed.follows) return;  // events began again, and all was forgotten
  releases.push_back(release);
}

void take(uintptr_t word, unsigned manner, bool by_exchange) {
  const bool acquires = manner & kAtomicAcquires;
  if (g_handed.follows) {
    BlockOrder& block = g_handed.blocks[present.block_begin];
    Releases& releases = g_handed.releases[word];
    const bool of_block = manner & kAtomicOfBlock;
    if (!releases.empty()) acquire(block, releases, of_block, acquires, true);
    release(block, releases, word, of_block, false);
  }
  const uint32_t event = next_event();
  constexpr size_t kMostLocks = 8;
  std::vector<Taken>& taken = running_order(g_handed.blocks[present.block_begin]).taken;
  std::erase_if(taken, [&](const Taken& one) { return one.word == word; });
  if (taken.size() == kMostLocks) taken.erase(taken.begin());
  const uint32_t guarded = acquires ? event : kNever;
  taken.push_back({word, event, {guarded, guarded}, by_exchange});
}

}  // namespace

void forget_order() {
  forget_phases();
  if (g_in_parts) g_met = {};
  g_whole = {};
  g_in_parts = false;
  g_handed.follows = g_handed.fences = false;
  g_handed.releases.clear();
  g_handed.blocks.clear();
  g_handed.locks.clear();
}

void warp_met(unsigned warp, unsigned lanes, bool whole) {
  const uint32_t event = next_event();
  if (whole) {
    g_whole[warp] = event;
    return;
  }
  g_in_parts = true;
  std::array<uint32_t, kLanes> known{};
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    const auto& of_lane = g_met[warp * kLanes + static_cast<unsigned>(std::countr_zero(rest))];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      known[lane] = lanes >> lane & 1 ? event : std::max(known[lane], of_lane[lane]);
    }
  }
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    g_met[warp * kLanes + static_cast<unsigned>(std::countr_zero(rest))] = known;
  }
}

void follow_atomics() {
  g_handed.follows = true;
}

void fenced(bool of_device) {
  const uint32_t event = next_event();  // first: it may forget all
  g_handed.follows = g_handed.fences = true;
  BlockOrder& block = g_handed.blocks[present.block_begin];
  ThreadOrder& thread = running_order(block);
  block.early_fence = early_fences(block);
  for (const Scope scope : {kBlock, kDevice}) {
    if (scope == kDevice && !of_device) break;
    thread.fence[scope] = block.fence[scope] = event;
    for (Taken& taken : thread.taken) {
      if (taken.guarded[scope] == kNever) taken.guarded[scope] = event;
    }
    for (const size_t i : thread.unfenced) {
      uint32_t& from = block.acquires[i].from[scope];
      if (from == kNever) from = event;
    }
  }
  if (of_device) thread.unfenced.clear();
}

void block_is_over() {
  if (BlockOrder* const block = order_here()) {
    block->threads = {};
    block->over = true;
  }
}

bool fenced_since(Stamp access) {
  const ThreadOrder* const thread = known_running_order();
  return thread != nullptr && thread->fence[kBlock] > event_of(access);
}

bool is_lock(uintptr_t word) {
  return g_handed.locks.contains(word);
}

bool holds_lock(uintptr_t but_not, bool surely) {
  const ThreadOrder* const thread = known_running_order();
  if (thread == nullptr) return false;
  return std::any_of(thread->taken.begin(), thread->taken.end(), [&](const Taken& taken) {
    return taken.word != but_not && taken.guarded[kBlock] != kNever &&
           ((!surely && !taken.by_exchange) || is_lock(taken.word));
  });
}

void atomic_access(uintptr_t address, bool reads, bool writes, unsigned manner) {
  if (!g_handed.follows) return;
  const bool of_block = manner & kAtomicOfBlock;
  BlockOrder& block = g_handed.blocks[present.block_begin];
  const auto found = g_handed.releases.find(address);
  if (reads && found != g_handed.releases.end()) {
    acquire(block, found->second, of_block, !(manner & kAtomicRelaxed));
  }
  if (writes) {
    Releases& releases =
        found != g_handed.releases.end() ? found->second : g_handed.releases[address];
    release(block, releases, address, of_block, true);
  }
}

void compared(uintptr_t address, bool took, unsigned manner) {
  if (took) {
    take(address, manner, false);
  } else {
    atomic_access(address, true, false, manner);
  }
}

void exchanged(uintptr_t address, bool took, unsigned manner) {
  if (took) {
    take(address, manner, true);
  } else {
    atomic_access(address, true, true, manner);
  }
}

bool has_raised(uintptr_t word, unsigned thread) {
  const auto found = g_handed.releases.find(word);
  if (found == g_handed.releases.end()) return false;
  return std::ranges::any_of(found->second, [&](const Release& release) {
    return release.thread == thread && release.block_begin == present.block_begin &&
           std::max(release.fence[kBlock], release.early_fence[kBlock]) != 0;
  });
}

bool met_in_warp(Stamp earlier) {
  const unsigned self = *present.thread, other = thread_of(earlier);
  if ((earlier & kSeveralWarps) || self / kLanes != other / kLanes) return false;
  const uint32_t event = event_of(earlier);
  if (g_whole[self / kLanes] > event) return true;
  if (!g_in_parts) return false;
  // If there are several lanes, only one is remembered; it may be the running one itself.
  return g_met[self][other % kLanes] > event || ((earlier & kSeveralLanes) && self == other);
}

bool handed_on(Stamp earlier) {
  return handed_on(earlier, Lenient::not_at_all);
}

Missing missing_for(Stamp earlier) {
  if (handed_on(earlier, Lenient::of_scope)) return Missing::device_scope;
  if (handed_on(earlier, Lenient::of_lock)) return Missing::fence_of_lock;
  if (handed_on(earlier, Lenient::of_fences)) return Missing::fence_of_writer;
  return Missing::nothing_known;
}

bool came_after_handing_on(Stamp earlier) {
  const auto block = g_handed.blocks.find(block_at(event_of(earlier)).begin);
  return block != g_handed.blocks.end() && block->second.over &&
         handed_on(earlier, Lenient::of_time);
}

uint32_t warp_met_at(unsigned thread) {
  return g_in_parts ? kMostEvents : g_whole[thread / kLanes];
}

bool knows_by_other_means() {
  const BlockOrder* const here = g_handed.fences ? order_here() : nullptr;
  return phases_are_used() || (here != nullptr && !here->acquires.empty());
}

bool knows_other_blocks() {
  const BlockOrder* const here = g_handed.fences ? order_here() : nullptr;
  return here != nullptr &&
         std::any_of(here->acquires.begin(), here->acquires.end(), seen_by_running_thread);
}

}  // namespace convkit::simt::check
