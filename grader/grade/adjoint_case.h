// SPDX-License-Identifier: MIT
// The checks of the [[adjoint]] tables as cases: drawn on the spot, judged by the identity.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grade/adjoint_baseline.h"
#include "grade/case.h"

namespace convkit {

// Of the visible cases: everybody may know it.
inline constexpr const char* kVisibleSeed = "visible";
// What a hidden set's shapes are drawn from: nobody has it who has not the set, whose checksum is
// no secret.
std::string hidden_seed(const std::filesystem::path& manifest);

// The cases of a stage for one seed. `stage` and `baseline`, which all of them ask, must outlive
// them.
std::vector<std::unique_ptr<Case>> adjoint_cases(const Stage& stage, const std::string& seed,
                                                 bool hidden, AdjointBaseline& baseline);

}  // namespace convkit
