// SPDX-License-Identifier: MIT
// A rung of a ladder: the solution with one of its files exchanged.
#pragma once

#include <memory>

#include "convkit/temporary_folder.h"
#include "grade/kit.h"

namespace convkit {

// The stage's solution with `step.rung` in the place of `step.in_place_of`, in a folder that is
// deleted with the pointer. Null if this copy of the kit has no solutions; throws KitError if one
// of the two files is not in the solution.
std::unique_ptr<TemporaryFolder> lay_out_rung(const Kit& kit, const Stage& stage,
                                              const LadderStep& step);

}  // namespace convkit
