// SPDX-License-Identifier: MIT
// The checks of the [[adjoint]] tables as cases: drawn on the spot, judged by the identity.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grade/adjoint/baseline.h"
#include "grade/case.h"

namespace convkit {

// The cases of a stage for one seed. `stage` and `baseline`, which all of them ask, must outlive
// them.
std::vector<std::unique_ptr<Case>> adjoint_cases(const Stage& stage, const std::string& seed,
                                                 bool hidden, AdjointBaseline& baseline);

}  // namespace convkit
