// SPDX-License-Identifier: MIT
// `bench N --sweep`: which constants make a kernel fast.
#pragma once

#include "cli/bench_options.h"
#include "grade/kit.h"

namespace convkit {

// Tries every combination of a [[sweep]] of the stage (all sweeps, if none is named): a table, and
// a heat map as SVG. On a GPU times; on the CPU device counts, and that they are no times.
int run_sweep(const Kit& kit, const Stage& stage, const BenchOptions& options);

// Where a picture goes: options.svg, else work/results/. `what`: "sweep-blocked".
std::filesystem::path picture_path(const Kit& kit, const Stage& stage, const BenchOptions& options,
                                   const std::string& what);

}  // namespace convkit
