// SPDX-License-Identifier: MIT
// The tables of `bench`. Each function measures, shows every table as soon as it is found, writes
// the JSON and the pictures that the options ask for, and returns the exit code.
#pragma once

#include "bench/bench_options.h"
#include "grade/kit.h"

namespace convkit {

// The student's work, the baseline, the reference solution and vendor libraries, timed in turn on
// one core or on the GPU.
int bench_times(const Kit& kit, const Stage& stage, const BenchOptions& options);

// Runs every shape once on the CPU device, with one image, for launches, threads, barriers and
// accesses to global memory for each output. Those are the same on a GPU; times are not.
int bench_counts(const Kit& kit, const Stage& stage, const BenchOptions& options);

// The steps of a [[ladder]] on one shape: on a GPU times, GFLOP/s and the share of the peer; on the
// CPU device global and shared loads, barriers and multiply-adds. A table, and bars as SVG.
int bench_ladders(const Kit& kit, const Stage& stage, const BenchOptions& options);

// Every combination of a [[sweep]] of the stage (all sweeps, if none is named): a table, and a heat
// map as SVG. On a GPU it shows times; on the CPU device it shows counts and says that they are not
// times.
int bench_sweeps(const Kit& kit, const Stage& stage, const BenchOptions& options);

// The figures of a [[chart]], which the work itself measures: a table for each shape, and bars as
// SVG.
int bench_charts(const Kit& kit, const Stage& stage, const BenchOptions& options);

}  // namespace convkit
