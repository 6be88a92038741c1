// SPDX-License-Identifier: MIT
// What the verdicts of a grading depend on besides the submission and what is drawn.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grade/kit.h"
#include "report/result.h"

namespace convkit {

// What, as a reader calls it, and which: {"device", "cpu"}, {"03_tiled_conv/stage.toml", its
// sha256}.
using Depends = std::map<std::string, std::string>;

// The kit, its programs, the compiler and the device, and of these stages the files that verdicts
// and points follow from, with their sets of cases. Throws KitError where one cannot be read.
Depends depends_of(const Kit& kit, const std::vector<const Stage*>& stages, bool hidden);

// The same by verdict, so that what changes concerns no others (earlier_verdicts.h): one entry for
// each key below. `depends` is depends_of() of the same. Throws KitError.
Depends fingerprints_of(const Kit& kit, const std::vector<const Stage*>& stages, bool hidden,
                        const Depends& depends);

std::string key_of_all_functions(const Stage& stage);  // what is behind every verdict of the stage
std::string key_of_function(const Stage& stage, const std::string& op);   // its cases
std::string key_of_timing(const Stage& stage, const std::string& speed);  // its [[speed]] table
std::string key_of_limit(const Stage& stage, const std::string& name);
// The limits that cases run under, by name, in the units of stage.toml times CONVKIT_TIME_SCALE.
std::map<std::string, uint64_t> limits_of_cases(const Stage& stage);

}  // namespace convkit
