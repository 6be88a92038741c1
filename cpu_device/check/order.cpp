// SPDX-License-Identifier: MIT
#include "cpu_device/check/order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <vector>

#include "cpu_device/check/phases.h"
#include "cpu_device/check/present.h"

namespace convkit::simt::check {
namespace {

constexpr unsigned kLanes = 32, kWarps = 32;

// met[t][l]: the event up to which thread t knows what lane l of its warp did.
std::array<std::array<uint32_t, kLanes>, kLanes * kWarps> g_met;
std::array<uint32_t, kWarps> g_whole;  // of each warp, the last meeting of all its lanes
bool g_in_parts = false;               // some group was not a whole warp, in this launch

// An atomic change of a word after a fence.
struct Release {
  uint32_t event;
  uint32_t fence;        // the block's last fence before
  uint32_t barrier;      // and its last barrier
  uint32_t block_begin;  // the block's first event
  unsigned thread;
};
using Releases = std::vector<Release>;

// An atomic look at a word: everything released there before is known.
struct Acquire {
  const Releases* releases;
  size_t count;
  uint32_t event;
  unsigned thread;
};

struct Handed {
  bool fences = false;      // in this launch
  uint32_t last_fence = 0;  // of this block
  std::unordered_map<uintptr_t, Releases> releases;
  std::unordered_map<uint32_t, std::vector<Acquire>> acquires;  // by their block's first event
};
Handed g_handed;

std::vector<Acquire>* acquires_here() {
  const auto found = g_handed.acquires.find(present.block_begin);
  return found == g_handed.acquires.end() ? nullptr : &found->second;
}

bool seen_by_running_thread(const Acquire& acquire) {
  return acquire.thread == *present.thread || event_stamp(acquire.event) < present.barrier_floor ||
         (acquire.thread / kLanes == *present.thread / kLanes &&
          g_whole[acquire.thread / kLanes] > acquire.event);
}

bool covers(const Release& release, uint32_t event, unsigned thread, bool one_thread) {
  if (event < release.block_begin || event >= release.event || event >= release.fence) return false;
  // Others may have run in between.
  if (present.in_pieces && block_at(event).begin != release.block_begin) return false;
  return (one_thread && thread == release.thread) || event < release.barrier ||
         (thread / kLanes == release.thread / kLanes && g_in_parts) ||
         (thread / kLanes == release.thread / kLanes && g_whole[thread / kLanes] > event);
}

}  // namespace

void forget_order() {
  forget_phases();
  if (g_in_parts) g_met = {};
  g_whole = {};
  g_in_parts = false;
  g_handed.fences = false;
  g_handed.last_fence = 0;
  g_handed.releases.clear();
  g_handed.acquires.clear();
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

void fenced() {
  g_handed.fences = true;
  g_handed.last_fence = next_event();
}

bool fenced_since(Stamp access) {
  return g_handed.fences && g_handed.last_fence > event_of(access);
}

void atomic_access(uintptr_t address, bool reads, bool writes) {
  if (!g_handed.fences) return;
  const auto found = g_handed.releases.find(address);
  if (reads && found != g_handed.releases.end()) {
    std::vector<Acquire>& acquires = g_handed.acquires[present.block_begin];
    const Acquire acquire{&found->second, found->second.size(), event_of(present.now),
                          *present.thread};
    // A loop that polls looks at one word again and again.
    if (!acquires.empty() && acquires.back().releases == acquire.releases &&
        acquires.back().thread == acquire.thread) {
      acquires.back() = acquire;
    } else {
      acquires.push_back(acquire);
    }
  }
  if (writes && g_handed.last_fence > present.block_begin) {
    Releases& releases =
        found != g_handed.releases.end() ? found->second : g_handed.releases[address];
    const Release release{next_event(), g_handed.last_fence, event_of(present.barrier_floor),
                          present.block_begin, *present.thread};
    // Only accesses before the fence are passed on: a second release after it adds nothing.
    if (releases.empty() || releases.back().thread != release.thread ||
        releases.back().fence != release.fence || releases.back().barrier != release.barrier) {
      releases.push_back(release);
    }
  }
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
  if (!g_handed.fences) return false;
  const std::vector<Acquire>* here = acquires_here();
  if (here == nullptr) return false;
  const uint32_t event = event_of(earlier);
  const bool one_thread = (earlier & (kSeveralLanes | kSeveralWarps)) == 0;
  // It also passes on what the releasing blocks had acquired.
  std::vector<uint32_t> blocks;
  const auto look = [&](const Acquire& acquire) {
    for (size_t i = 0; i < acquire.count; ++i) {
      const Release& release = (*acquire.releases)[i];
      if (covers(release, event, thread_of(earlier), one_thread)) return true;
      if (std::find(blocks.begin(), blocks.end(), release.block_begin) == blocks.end()) {
        blocks.push_back(release.block_begin);
      }
    }
    return false;
  };
  for (const Acquire& acquire : *here) {
    if (seen_by_running_thread(acquire) && look(acquire)) return true;
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto found = g_handed.acquires.find(blocks[i]);
    if (found == g_handed.acquires.end()) continue;
    for (const Acquire& acquire : found->second) {
      if (look(acquire)) return true;
    }
  }
  return false;
}

uint32_t warp_met_at(unsigned thread) {
  return g_in_parts ? kMostEvents : g_whole[thread / kLanes];
}

bool knows_by_other_means() {
  return phases_are_used() || (g_handed.fences && acquires_here() != nullptr);
}

bool knows_other_blocks() {
  const std::vector<Acquire>* here = g_handed.fences ? acquires_here() : nullptr;
  return here != nullptr && std::any_of(here->begin(), here->end(), seen_by_running_thread);
}

}  // namespace convkit::simt::check
