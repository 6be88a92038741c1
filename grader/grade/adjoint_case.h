// SPDX-License-Identifier: MIT
// The checks of the [[adjoint]] tables as cases: drawn on the spot, judged by the identity.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grade/adjoint_baseline.h"
#include "grade/case_runner.h"

namespace convkit {

struct AdjointCase {
  CaseSpec spec;  // without a file
  const AdjointTable* table = nullptr;
  const AdjointCheck* check = nullptr;
  std::string seed;
};

// Of the visible cases: everybody may know it.
inline constexpr const char* kVisibleSeed = "visible";
// What a hidden set's shapes are drawn from: nobody has it who has not the set, whose checksum is
// no secret.
std::string hidden_seed(const std::filesystem::path& manifest);

// The cases of a stage for one seed. `stage` must outlive them.
std::vector<AdjointCase> adjoint_cases(const Stage& stage, const std::string& seed, bool hidden);

// Never throws for what a submission does; a fault of the kit becomes GRADER_ERROR.
CaseResult run_adjoint(CaseRunner& runner, const Stage& stage, const AdjointCase& adjoint,
                       AdjointBaseline& baseline);

}  // namespace convkit
