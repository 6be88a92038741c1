// SPDX-License-Identifier: MIT
// A student's work as a shared library, and calls of its functions that nobody judges.
#pragma once

#include <filesystem>
#include <string>

#include "grade/kit.h"
#include "session/session.h"
#include "stage/cases.h"
#include "stage/stage.h"
#include "work/work_folder.h"

namespace convkit {

// Builds it for the kit's device, with line numbers for tools where `debug`. Throws UsageError with
// the first of the compiler's sentences. `mode`: of the CPU device.
std::filesystem::path build_library(const Kit& kit, const Stage& stage, const WorkFolder& work,
                                    bool debug, SimtMode mode = SimtMode::plain);

// Calls the function of a visible case with the case's inputs. Throws KitError where the case's
// files are damaged.
Answer call_case(Session& session, const Stage& stage, const CaseSpec& spec);

// What went wrong, in words, or "".
std::string problem_of(const Answer& answer, const Stage& stage, const CaseSpec& spec);

}  // namespace convkit
