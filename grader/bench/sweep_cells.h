// SPDX-License-Identifier: MIT
// The combinations of a [[sweep]]: built, and timed on a GPU or counted on the CPU device.
#pragma once

#include <filesystem>
#include <vector>

#include "bench/contestants.h"
#include "bench/results.h"

namespace convkit {

struct SweepJob {
  const Kit& kit;
  const Stage& stage;
  const Sweep& sweep;
  std::filesystem::path folder;  // what is built
  double seconds_each;           // time spent on a handful of combinations
  bool again;                    // whatever was found before
};

// All of them, in the sweep's order. What was found before on this device with these files is not
// measured again. Throws UsageError where the file does not let a macro be set.
std::vector<SweepCell> sweep_cells(const SweepJob& job, BenchContestants& build);

}  // namespace convkit
