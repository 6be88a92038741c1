// SPDX-License-Identifier: MIT
// A student's work as a shared library.
#pragma once

#include <filesystem>

#include "grade/kit.h"
#include "work/work_folder.h"

namespace convkit {

// Builds it for the kit's device, with line numbers for tools where `debug`. Throws UsageError with
// the first of the compiler's sentences. `mode`: of the CPU device.
std::filesystem::path build_library(const Kit& kit, const Stage& stage, const WorkFolder& work,
                                    bool debug, SimtMode mode = SimtMode::plain);

}  // namespace convkit
