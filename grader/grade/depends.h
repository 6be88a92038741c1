// SPDX-License-Identifier: MIT
// What the verdicts of a grading depend on besides the submission and what is drawn.
#pragma once

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

}  // namespace convkit
