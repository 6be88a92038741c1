// SPDX-License-Identifier: MIT
// What the compiler has warned of in a function that is wrong.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "compile/warnings.h"
#include "report/result.h"

namespace convkit {

// Puts the warnings that tell most into the first visible case of each function that failed: those
// in the function itself, and in functions of the submission that it may call. `folder` holds
// `files`.
void add_warnings(const std::vector<Warning>& warnings, const std::filesystem::path& folder,
                  const std::vector<std::string>& files, std::span<CaseResult> cases);

}  // namespace convkit
