// SPDX-License-Identifier: MIT
#include "cpu_device/check/same_value.h"

#include <array>
#include <cstring>
#include <vector>

#include "cpu_device/check/present.h"
#include "cpu_device/check/written.h"

namespace convkit::simt::check {
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
