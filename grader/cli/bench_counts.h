// SPDX-License-Identifier: MIT
// `bench N` of a GPU stage without a GPU: what the kernels do, counted.
#pragma once

#include "cli/bench_options.h"
#include "grade/kit.h"

namespace convkit {

// Runs every shape once on the CPU device, with one image, and prints launches, threads, barriers
// and accesses to global memory for each output. Those are the same on a GPU; times are not.
int run_bench_counts(const Kit& kit, const Stage& stage, const BenchOptions& options);

}  // namespace convkit
