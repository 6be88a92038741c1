// SPDX-License-Identifier: MIT
// How StageGrader is given a search for changes that mend a function. Few checks ask for one, so
// the search (one_change.h) is linked only into the program that has `check --mend`.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grade/case.h"
#include "grade/kit.h"

namespace convkit {

// The submission as it was graded.
struct ChangeRequest {
  const Kit& kit;
  const Stage& stage;
  std::filesystem::path folder;
  std::vector<std::string> files;  // relative to it
  SimtMode mode = SimtMode::plain;
};

// Tells in the results what mends a function. `cases` and `results` have the same order.
using ChangeSearch = void(const ChangeRequest& request,
                          std::span<const std::unique_ptr<Case>> cases,
                          std::span<CaseResult> results, Builder& builder, ThreadPool& pool,
                          const std::function<void(const std::string&)>& progress);

}  // namespace convkit
