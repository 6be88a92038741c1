// SPDX-License-Identifier: MIT
// Which [[sweep]], [[ladder]] or [[chart]] a command line means, whose files it uses, and where its
// picture goes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/bench_options.h"
#include "bench/contestants.h"
#include "grade/kit.h"

namespace convkit {

// The places of the names that are wanted: all of them, or options.table. Throws UsageError saying
// what there is.
std::vector<size_t> wanted_names(const Stage& stage, const std::vector<std::string>& names,
                                 const char* kind, const BenchOptions& options);

template <class Table>
std::vector<const Table*> wanted_tables(const Stage& stage, const std::vector<Table>& tables,
                                        const char* kind, const BenchOptions& options) {
  std::vector<std::string> names;
  for (const Table& table : tables) names.push_back(table.name);
  std::vector<const Table*> wanted;
  for (const size_t i : wanted_names(stage, names, kind, options)) wanted.push_back(&tables[i]);
  return wanted;
}

// The one folder that is looked at: the reference solution, if asked for, else one's own work.
BenchSubject single_subject(const Kit& kit, const Stage& stage, const BenchOptions& options);

// options.svg, else work/results/. `what`: "sweep-blocked".
std::filesystem::path picture_path(const Kit& kit, const Stage& stage, const BenchOptions& options,
                                   const std::string& what);

}  // namespace convkit
