// SPDX-License-Identifier: MIT
// What an access that a report names means in the tensors of the case, and together with the cases
// that pass: which side of an image it left, which size an array was given.
#pragma once

#include <memory>
#include <span>

#include "grade/case.h"
#include "report/result.h"

namespace convkit {

// Adds the cause to the results of the functions whose failing visible cases show one, and marks
// them as explained. `cases` and `results` have the same order.
void explain_accesses(std::span<const std::unique_ptr<Case>> cases, std::span<CaseResult> results);

}  // namespace convkit
