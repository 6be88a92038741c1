// SPDX-License-Identifier: MIT
#include "cpu_device/check/overruns.h"

#include <algorithm>
#include <vector>

#include "cpu_device/check/bad_access.h"
#include "cpu_device/check/places.h"
#include "cpu_device/check/present.h"

namespace convkit::simt::check {
namespace {

// Between the announcement and the access, other parts of the same expression may be evaluated.
constexpr unsigned kPatience = 32;

struct Expected {
  int64_t index;
  uint64_t count;
  unsigned thread;
  unsigned waited = 0;
};
std::vector<Expected> g_expected;

bool inside_one_array(const Access& access, int64_t index) {
  const uintptr_t first = access.at - static_cast<uintptr_t>(index) * access.size;
  const Place place = find_place(first);
  return (place.region == Region::static_shared || place.region == Region::program) &&
         place.holds(first) && place.holds(access.at);
}

}  // namespace

void expect_overrun(int64_t index, uint64_t count) {
  g_expected.push_back({index, count, *present.thread});
  look_closely(kForOverruns, true);
}

void look_for_overrun(const Access& access) {
  for (Expected& expected : g_expected) {
    ++expected.waited;
    if (expected.thread != *present.thread) {
      expected.waited = kPatience;
    } else if (inside_one_array(access, expected.index)) {
      expected.waited = kPatience;
    } else if (find_place(access.at).region != Region::device) {  // which may lie next to an array
      const Place place = array_overrun(access.at, expected.index, expected.count);
      if (place.name.empty() || place.holds(access.at)) continue;
      g_expected.clear();
      look_closely(kForOverruns, false);
      stop_outside(access, access.at, place);
    }
  }
  g_expected.erase(std::remove_if(g_expected.begin(), g_expected.end(),
                                  [](const Expected& e) { return e.waited >= kPatience; }),
                   g_expected.end());
  if (g_expected.empty()) look_closely(kForOverruns, false);
}

}  // namespace convkit::simt::check
