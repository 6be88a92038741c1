// SPDX-License-Identifier: MIT
// The combinations of a [[sweep]]: built, and timed on a GPU or counted on the CPU device.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/bench_contestants.h"
#include "stage/bench_tables.h"

namespace convkit {

// One combination of values.
struct SweepCell {
  std::vector<int64_t> values;  // in the order of the sweep's macros
  std::string problem;          // why there are no figures, or ""
  double seconds = 0, spread = 0;
  std::map<std::string, double> counts;  // instead of seconds, for each output
};

struct SweepJob {
  const Kit& kit;
  const Stage& stage;
  const Sweep& sweep;
  std::filesystem::path folder;  // what is built
  double seconds_each;           // time spent on a handful of combinations
  bool again;                    // whatever was found before
};

// All of them, in the sweep's order. What was found before, on this device with these files, is not
// found anew. Throws UsageError where the file does not let a macro be set.
std::vector<SweepCell> sweep_cells(const SweepJob& job, BenchContestants& build);

}  // namespace convkit
