// SPDX-License-Identifier: MIT
// The [[drawn]] tables as cases: random inputs, and the result that the registered model of the
// operation (compare/precision.h) computes from them in double.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grade/case.h"
#include "stage/stage.h"

namespace convkit {

// The cases of a stage for one seed. `stage` must outlive them.
std::vector<std::unique_ptr<Case>> drawn_cases(const Stage& stage, const std::string& seed,
                                               bool hidden);

}  // namespace convkit
