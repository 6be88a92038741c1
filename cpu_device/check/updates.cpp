// SPDX-License-Identifier: MIT
#include "cpu_device/check/updates.h"

#include <array>
#include <cstring>
#include <set>
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
    open.race.update = completes(open.race, access);
    if (open.race.update) open.race.access.use |= kWrite;
    const bool waits =
        !open.race.update && ++open.waited < kMostBetween && *present.thread == open.race.thread;
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

}  // namespace convkit::simt::check
