// SPDX-License-Identifier: MIT
#include "cpu_device/check/updates.h"

#include <set>
#include <utility>
#include <vector>

#include "cpu_device/check/present.h"

namespace convkit::simt::check {
namespace {

// Accesses that may come between the read and the write, such as those of the value that is added.
constexpr unsigned kPatience = 16;

struct Suspect {
  Race race;
  unsigned waited = 0;
};
std::vector<Suspect> g_suspects;
std::set<std::pair<uintptr_t, Stamp>> g_known;  // instructions of pairs that were looked at

bool completes(const Race& race, const Access& access) {
  const bool same_code = (race.earlier & kPcMask) == (access.pc & kPcMask);
  return same_code && (access.use & kWrite) && !(access.use & kAtomicUse) &&
         access.at == race.access.at && *present.thread == race.thread;
}

}  // namespace

void suspect_update(const Race& race) {
  if (!g_known.emplace(race.access.pc, race.earlier & kPcMask).second) return report_race(race);
  g_suspects.push_back({race});
  look_closely(kForUpdates, true);
}

void look_for_update(const Access& access) {
  if (g_suspects.empty()) return;
  std::vector<Suspect> rest;
  for (Suspect& suspect : std::exchange(g_suspects, {})) {
    suspect.race.update = completes(suspect.race, access);
    if (suspect.race.update) suspect.race.access.use |= kWrite;
    const bool waits = !suspect.race.update && ++suspect.waited < kPatience &&
                       *present.thread == suspect.race.thread;
    if (waits) {
      rest.push_back(suspect);
    } else {
      report_race(suspect.race);
    }
  }
  g_suspects = std::move(rest);
  if (g_suspects.empty()) look_closely(kForUpdates, false);
}

void settle_updates() {
  if (g_suspects.empty()) return;
  for (const Suspect& suspect : std::exchange(g_suspects, {})) report_race(suspect.race);
  look_closely(kForUpdates, false);
}

void forget_updates() {
  g_known.clear();
}

}  // namespace convkit::simt::check
