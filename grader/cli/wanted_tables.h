// SPDX-License-Identifier: MIT
// Which [[sweep]] or [[ladder]] a command line means, and of whose files.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/bench_contestants.h"
#include "cli/bench_options.h"
#include "convkit/kit_error.h"
#include "convkit/nearest.h"
#include "grade/kit.h"

namespace convkit {

// All of `tables`, or the one named options.table. Throws UsageError saying what there is.
template <class Table>
std::vector<const Table*> wanted_tables(const Stage& stage, const std::vector<Table>& tables,
                                        const char* kind, const BenchOptions& options) {
  std::vector<const Table*> wanted;
  std::vector<std::string> names;
  for (const Table& table : tables) {
    names.push_back(table.name);
    if (options.table.empty() || options.table == table.name) wanted.push_back(&table);
  }
  if (tables.empty()) throw UsageError(fmt::format("{} has no {}.", stage.id, kind));
  if (wanted.empty()) {
    const std::string near = nearest(options.table, names);
    throw UsageError(fmt::format(
        "{} has no {} `{}`.{} There is: {}.", stage.id, kind, options.table,
        near.empty() ? "" : fmt::format(" Did you mean `{}`?", near), fmt::join(names, ", ")));
  }
  if (wanted.size() > 1 && !options.svg.empty()) {
    throw UsageError(
        fmt::format("--svg is for one {}: name it. There is: {}.", kind, fmt::join(names, ", ")));
  }
  return wanted;
}

// The one folder that is looked at: the reference solution, if asked for, else one's own work.
inline BenchSubject single_subject(const Kit& kit, const Stage& stage,
                                   const BenchOptions& options) {
  if (options.solution) return {"solution", kit.solution(stage)};
  return *bench_subject(kit, stage, options);
}

}  // namespace convkit
