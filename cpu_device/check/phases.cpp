// SPDX-License-Identifier: MIT
#include "cpu_device/check/phases.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "cpu_device/check/present.h"

namespace convkit::simt::check {
namespace {

constexpr unsigned kBlockThreads = 1024, kWarpLanes = 32;

// Of each thread of the block, the event up to which it is known what it did. Those of blocks
// before are older than anything that this block does.
using Known = std::array<uint32_t, kBlockThreads>;

// The arrivals at a phase and the next one: nobody can arrive at a third before all have left.
struct Phase {
  unsigned number = 0;
  Known known{};
};
std::map<const void*, std::array<Phase, 2>> g_phases;
std::vector<Known> g_thread_knows;  // of each thread; empty until a barrier is used

void add(Known& known, const Known& other) {
  for (unsigned i = 0; i < kBlockThreads; ++i) known[i] = std::max(known[i], other[i]);
}

}  // namespace

void forget_phases() {
  g_phases.clear();
  g_thread_knows.clear();
}

void phase_arrival(const void* barrier, unsigned phase) {
  const uint32_t event = next_event();  // first: it may forget all
  if (g_thread_knows.empty()) g_thread_knows.resize(kBlockThreads);
  Phase& arrivals = g_phases[barrier][phase % 2];
  if (arrivals.number != phase) arrivals = {phase, {}};
  add(arrivals.known, g_thread_knows[*present.thread]);
  arrivals.known[*present.thread] = event;
}

void phase_passed(const void* barrier, unsigned phase) {
  next_event();
  if (g_thread_knows.empty()) return;
  add(g_thread_knows[*present.thread], g_phases[barrier][phase % 2].known);
}

bool phases_are_used() {
  return !g_thread_knows.empty();
}

bool met_at_phase(Stamp earlier) {
  if (g_thread_knows.empty()) return false;
  const Known& known = g_thread_knows[*present.thread];
  const unsigned other = thread_of(earlier);
  if (!(earlier & (kSeveralLanes | kSeveralWarps))) return known[other] > event_of(earlier);
  // Only the time of the last of them is known, and not who that was: it counts if anyone who may
  // have been has arrived since.
  const bool warps = earlier & kSeveralWarps;
  const unsigned first = warps ? 0 : other / kWarpLanes * kWarpLanes;
  const unsigned end = first + (warps ? kBlockThreads : kWarpLanes);
  for (unsigned thread = first; thread < end; ++thread) {
    if (thread != *present.thread && known[thread] > event_of(earlier)) return true;
  }
  return false;
}

}  // namespace convkit::simt::check
