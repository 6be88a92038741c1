// SPDX-License-Identifier: MIT
#include "cpu_device/check/updates.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cpu_device/check/present.h"
#include "cpu_device/check/written.h"

namespace convkit::simt::check {
namespace {

// Accesses that may come between the read and the write, such as those of the value that is added.
constexpr unsigned kMostBetween = 16;

struct OpenUpdate {
  Race race;
  unsigned waited = 0;
};
std::vector<OpenUpdate> g_open;
std::set<std::pair<uintptr_t, Stamp>> g_known;  // instructions of pairs that were looked at

bool completes(const Race& race, const Access& access) {
  const bool same_code = (race.earlier & kPcMask) == (access.pc & kPcMask);
  return same_code && (access.use & kWrite) && !(access.use & kAtomicUse) &&
         access.at == race.access.at && *present.thread == race.thread;
}

}  // namespace

void suspect_update(const Race& race) {
  if (!g_known.emplace(race.access.pc, race.earlier & kPcMask).second) return report_race(race);
  g_open.push_back({race});
  look_closely(kForUpdates, true);
}

void look_for_update(const Access& access) {
  if (g_open.empty()) return;
  std::vector<OpenUpdate> rest;
  for (OpenUpdate& open : std::exchange(g_open, {})) {
    const bool completed = completes(open.race, access);
    if (completed) {
      open.race.story = Story::update;
      open.race.access.use |= kWrite;
    }
    const bool waits =
        !completed && ++open.waited < kMostBetween && *present.thread == open.race.thread;
    if (waits) {
      rest.push_back(open);
    } else {
      report_race(open.race);
    }
  }
  g_open = std::move(rest);
  if (g_open.empty()) look_closely(kForUpdates, false);
}

void settle_updates() {
  if (g_open.empty()) return;
  for (const OpenUpdate& open : std::exchange(g_open, {})) report_race(open.race);
  look_closely(kForUpdates, false);
}

void forget_updates() {
  g_known.clear();
}

namespace {

constexpr size_t kMostBytes = 8;

struct Suspect {
  Race race;
  std::array<unsigned char, kMostBytes> before;
};
std::vector<Suspect> g_suspects;

}  // namespace

void suspect_write(const Race& race) {
  // For structures, the compiler may announce the write before it reads the value.
  if (race.access.size > kMostBytes || (race.access.use & kWhole)) {
    race_found(race.at);
    report_race(race);
    return;
  }
  Suspect suspect{race, {}};
  std::memcpy(suspect.before.data(), reinterpret_cast<const void*>(race.access.at),
              race.access.size);
  g_suspects.push_back(suspect);
  look_closely(kForSuspects, true);
}

void settle_suspects() {
  if (g_suspects.empty()) return;
  for (const Suspect& suspect : g_suspects) {
    const Access& access = suspect.race.access;
    const auto* now = reinterpret_cast<const void*>(access.at);
    if (std::memcmp(now, suspect.before.data(), access.size) == 0) continue;
    race_found(suspect.race.at);
    report_race(suspect.race);
  }
  g_suspects.clear();
  look_closely(kForSuspects, false);
}

namespace {

// An element that an instruction has read plainly, beside atomics that set it, and what it held.
struct Look {
  uintptr_t at;
  size_t size;
  uint64_t value;
};

struct Beside {
  Race race;
  bool unsafe = false;  // whatever the elements hold in the end
  std::vector<Look> looks;
};

struct BesideAtomics {
  std::unordered_map<Stamp, Beside> reads;      // by the instruction that reads
  std::unordered_set<Stamp> verified;           // instructions that read, too
  std::unordered_set<Stamp> setting;            // atomic and volatile ones that set
  std::unordered_map<uintptr_t, Stamp> narrow;  // by element, the last atomic for one block only
  std::unordered_map<uintptr_t, Stamp> below;   // by element, a plain write below atomics
  Stamp last_setting = 0;
};
BesideAtomics g_beside;

uint64_t value_at(uintptr_t at, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(at), std::min(size, sizeof value));
  return value;
}

}  // namespace

void know_setting(uintptr_t pc) {
  const Stamp instruction = pc & kPcMask;
  if (instruction == g_beside.last_setting) return;
  g_beside.last_setting = instruction;
  g_beside.setting.insert(instruction);
}

void verify_read(Stamp read) {
  g_beside.verified.insert(read & kPcMask);
}

bool is_verified(Stamp read) {
  return g_beside.verified.contains(read & kPcMask);
}

bool sets(Stamp atomic) {
  return g_beside.setting.contains(atomic & kPcMask);
}

void suspect_read(const Race& race, Stamp read, bool set) {
  constexpr size_t kMostLooks = 16;
  Beside& beside =
      g_beside.reads.try_emplace(read & kPcMask, Beside{race, false, {}}).first->second;
  if (beside.unsafe) return;
  if (!set || race.shared) {
    beside.race = race;
    beside.unsafe = true;
  } else if (race.earlier_wrote && beside.looks.size() < kMostLooks) {
    beside.looks.push_back(
        {race.access.at, race.access.size, value_at(race.access.at, race.access.size)});
  }
}

Stamp narrow_atomic(uintptr_t at) {
  const auto found = g_beside.narrow.find(at);
  return found == g_beside.narrow.end() ? 0 : found->second;
}

void know_narrow_atomic(uintptr_t at, Stamp self) {
  g_beside.narrow[at] = self;
}

bool any_narrow_atomics() {
  return !g_beside.narrow.empty();
}

Stamp plain_write_below(uintptr_t at) {
  if (g_beside.below.empty()) return 0;
  const auto found = g_beside.below.find(at);
  return found == g_beside.below.end() ? 0 : found->second;
}

void know_plain_write(uintptr_t at, Stamp write) {
  constexpr size_t kMost = 1 << 16;
  if (g_beside.below.size() < kMost) g_beside.below[at] = write;
}

void settle_reads() {
  for (const auto& [read, beside] : g_beside.reads) {
    if (g_beside.verified.contains(read)) continue;
    const bool changed = std::ranges::any_of(
        beside.looks, [](const Look& look) { return value_at(look.at, look.size) != look.value; });
    if (beside.unsafe || changed) report_race(beside.race);
  }
  g_beside = {};
}

}  // namespace convkit::simt::check
