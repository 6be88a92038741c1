// SPDX-License-Identifier: MIT
// A student's work on a stage, and what is remembered about it between commands.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grade/kit.h"
#include "report/result.h"

namespace convkit {

// The stage's files in `folder` (default: the work folder), without those for editors. Throws
// UsageError saying to `start` first when it does not exist, and naming required files that are
// missing.
struct WorkFolder {
  std::filesystem::path folder;
  std::vector<std::string> files;
};
WorkFolder open_work(const Kit& kit, const Stage& stage, const std::filesystem::path& folder);

// The result of the last check of a stage; it is kept next to the work folder.
struct Progressed {
  unsigned passed = 0, total = 0;
  double points = 0, max_points = 0;
  bool this_kit = true;  // else it was checked with another version, which may have other cases
};
// `result`: without the points for speed, which are not part of a check.
void remember_check(const Kit& kit, const Stage& stage, const StageResult& result);
std::optional<Progressed> last_check(const Kit& kit, const Stage& stage);

// What a check on a device found otherwise than the last one there, in the order of its cases.
// Cases that one of the two did not judge are in neither list.
struct Changes {
  std::vector<std::string> no_longer_passing, newly_passing;
};
Changes changes_since_last_check(const Kit& kit, const Stage& stage, const StageResult& result);
// Which cases pass on the device, for the next check; of those not judged, what was known stays.
void remember_cases(const Kit& kit, const Stage& stage, const StageResult& result);

// How many hints of each task were shown.
std::map<std::string, unsigned> hints_shown(const Kit& kit, const Stage& stage);
void remember_hints(const Kit& kit, const Stage& stage,
                    const std::map<std::string, unsigned>& shown);

}  // namespace convkit
