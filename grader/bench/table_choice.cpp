// SPDX-License-Identifier: MIT
#include "bench/table_choice.h"

#include <fmt/format.h>

#include "convkit/kit_error.h"
#include "convkit/nearest.h"

namespace convkit {

std::vector<size_t> wanted_names(const Stage& stage, const std::vector<std::string>& names,
                                 const char* kind, const BenchOptions& options) {
  if (names.empty()) throw UsageError(fmt::format("{} has no {}.", stage.id, kind));
  std::vector<size_t> wanted;
  for (size_t i = 0; i < names.size(); ++i) {
    if (options.table.empty() || options.table == names[i]) wanted.push_back(i);
  }
  if (wanted.empty()) {
    const std::string near = nearest(options.table, names);
    throw UsageError(fmt::format(
        "{} has no {} `{}`.{} There is: {}.", stage.id, kind, options.table,
        near.empty() ? "" : fmt::format(" Did you mean `{}`?", near), fmt::join(names, ", ")));
  }
  if (wanted.size() > 1 && !options.svg.empty()) {
    throw UsageError(
        fmt::format("--svg draws one {}; name it. There are: {}.", kind, fmt::join(names, ", ")));
  }
  return wanted;
}

BenchSubject single_subject(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  if (options.solution) return {"solution", kit.need_solution(stage)};
  return *bench_subject(kit, stage, options);
}

std::filesystem::path picture_path(const Kit& kit, const Stage& stage, const BenchOptions& options,
                                   const std::string& what) {
  if (!options.svg.empty()) return options.svg;
  const std::filesystem::path folder = kit.work(stage).parent_path() / "results";
  std::filesystem::create_directories(folder);
  return folder / fmt::format("{}-{}.svg", stage.id, what);
}

}  // namespace convkit
