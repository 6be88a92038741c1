// SPDX-License-Identifier: MIT
#include <sys/prctl.h>

#include "process/landlock.h"
#include "process/lockdown.h"
#include "process/system_paths.h"

namespace convkit {

bool open_nothing_but(const std::string& readable) {
  std::vector<PathRule> rules;
  if (!readable.empty()) rules.push_back({readable, PathRule::read});
  for (const char* device : harmless_devices()) {
    rules.push_back({device, PathRule::read | PathRule::write});
  }
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && restrict_by_landlock(rules);
}

}  // namespace convkit
