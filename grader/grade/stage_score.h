// SPDX-License-Identifier: MIT
// Points and summary of a stage, from its cases and speed.
#pragma once

#include "report/result.h"
#include "stage/stage.h"

namespace convkit {

// Groups, points and pending points, from what is known of cases and speed so far.
void score(const Stage& stage, StageResult& result);

// "12 of 54 cases pass; 40 are not started, 2 are wrong."
std::string summary_of(const std::vector<CaseResult>& cases);

}  // namespace convkit
