// SPDX-License-Identifier: MIT
// The parts of `verify`. Each returns one line a finding; an empty list is a proof.
#pragma once

#include <string>
#include <vector>

#include "grade/kit.h"
#include "machine/console.h"

namespace convkit {

struct Finding {
  bool good = false;
  std::string status;   // "WRONG", "ok", ...
  std::string what;     // "variant flipped_kernel"
  std::string message;  // one sentence
};

// One row of the table for each thing that was proven.
using Findings = std::vector<Finding>;

Findings verify_starter_drift(const Kit& kit, const Stage& stage);
// The starter compiles, earns nothing, and says NOT_STARTED everywhere.
Findings verify_starter(const Kit& kit, const Stage& stage, Progress& progress);
// The solution earns everything (without `speed`: everything but the points for speed).
Findings verify_solution(const Kit& kit, const Stage& stage, bool speed, Progress& progress);
// Every rung of the ladders passes all cases that the solution passes (trainings aside), on the CPU
// device in check mode, too.
Findings verify_rungs(const Kit& kit, const Stage& stage, Progress& progress);
// Every wrong variant (assignments/<stage>/wrong/*) is caught and named as it says.
Findings verify_variants(const Kit& kit, const Stage& stage, Progress& progress);
// No case and no wrong variant has a text that new-case or new-variant left to be written.
Findings verify_texts(const Stage& stage);
// generate.py --check.
Findings verify_references(const Kit& kit, const Stage& stage);
// The commands in ```sh blocks of the handout exist and are used rightly.
Findings verify_handout(const Kit& kit, const Stage& stage);

}  // namespace convkit
