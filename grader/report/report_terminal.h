// SPDX-License-Identifier: MIT
// The terminal view of a result.
#pragma once

#include <string>

#include "report/result.h"

namespace convkit {

struct View {
  bool colour = false;
  bool all_cases = false;  // cases that do not fail a line each
  bool details = true;     // map and hint of failing cases
  bool printed = false;    // what the submission printed
  bool chosen = false;     // only some cases were asked for: points, which are of all, are left out
  unsigned max_failures = 8;  // failing cases shown in full; the rest are counted
  double speed_points = 0;    // that the result leaves out
  std::string reproduce;      // "./convkit check 1 --case {}", or "" for none
};

std::string terminal_view(const Result& result, const View& view);
// Each line of a text that may hold what a student wrote, as a terminal can show it, behind `by`.
std::string indented(const std::string& text, const char* by);

}  // namespace convkit
