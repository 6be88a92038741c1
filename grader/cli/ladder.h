// SPDX-License-Identifier: MIT
// `bench N --ladder`: what each step of a stage bought.
#pragma once

#include "cli/bench_options.h"
#include "grade/kit.h"

namespace convkit {

// The steps of a [[ladder]] on one shape: on a GPU times, GFLOP/s and the share of the peer; on the
// CPU device global and shared loads, barriers and multiply-adds. A table, and bars as SVG.
int run_ladder(const Kit& kit, const Stage& stage, const BenchOptions& options);

}  // namespace convkit
