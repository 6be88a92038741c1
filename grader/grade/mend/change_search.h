// SPDX-License-Identifier: MIT
// How StageGrader is given a search for changes that mend a function, and what it is told of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grade/case.h"
#include "grade/kit.h"

namespace convkit {

// How much is tried. The compiler's time counts, but what has begun is ended.
struct ChangeLimits {
  double function_s = 0, all_s = 0;  // for one function, and for all of them
  size_t mutants = 0;                // of one program
  bool only_untold = false;          // not for a function whose cause a report tells
};
inline constexpr ChangeLimits kWholeSearch = {120, 240, 6000, false};  // of `check --mend`
inline constexpr ChangeLimits kShortSearch = {20, 20, 600, true};      // of any `check`

// The submission as it was graded.
struct ChangeRequest {
  const Kit& kit;
  const Stage& stage;
  std::filesystem::path folder;
  std::vector<std::string> files;  // relative to it
  SimtMode mode = SimtMode::plain;
  ChangeLimits limits = kWholeSearch;
};

// Called before the search for a function, and with what it says behind it. `one`: the case in
// whose message that is told.
struct ChangeNews {
  std::function<void(const CaseResult& one)> begins;
  std::function<void(bool mends, const std::string& words)> ends;
};

// Whether a report of this case tells the cause: a known mistake that gives the whole output, or
// what check mode has seen; but not of an access out of bounds that nothing explains.
bool tells_cause(const CaseResult& one);
// Whether a case ended with an access out of bounds.
bool is_access(const CaseResult& one);
// The function that a short search is for: that of the first case that fails, where its output is
// wrong or an access ends it, and most cases of the function that fail tell no cause; "" where
// there is none. (What one of many would explain, the others may contradict.)
std::string function_untold(std::span<const CaseResult> results);
// Whether a visible case of the function tells a cause.
bool is_told_in_part(std::span<const CaseResult> results, const std::string& function);

// Tells in the results what mends a function. `cases` and `results` have the same order.
using ChangeSearch = void(const ChangeRequest& request,
                          std::span<const std::unique_ptr<Case>> cases,
                          std::span<CaseResult> results, Builder& builder, ThreadPool& pool,
                          const ChangeNews& news);

}  // namespace convkit
