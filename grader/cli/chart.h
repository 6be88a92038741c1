// SPDX-License-Identifier: MIT
// `bench N`, where the stage has charts: figures that the submission itself measures.
#pragma once

#include "cli/bench_options.h"
#include "grade/kit.h"

namespace convkit {

// Each [[chart]] (or the one named options.table) as a table and a picture. What the figures say is
// the submission's word: they earn nothing.
int run_charts(const Kit& kit, const Stage& stage, const BenchOptions& options);

}  // namespace convkit
