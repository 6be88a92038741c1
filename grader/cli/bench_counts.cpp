// SPDX-License-Identifier: MIT
#include "cli/bench_counts.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/bench_contestants.h"
#include "cli/console.h"
#include "cli/counted_run.h"
#include "cli/json_file.h"

namespace convkit {
namespace {

using nlohmann::ordered_json;

// False: a contestant could not be counted.
bool show(const Stage& stage, const SpeedCase& speed, const BenchContestants& build,
          const std::vector<BenchContestant>& contestants, ordered_json& out) {
  const CountedShape shape = counted_shape(speed);
  const std::string text = counted_shape_text(speed);
  fmt::print("\n{}  ({}){}{}\n", speed.title, speed.name, text.empty() ? "" : ", ", text);
  ordered_json rows = ordered_json::array();
  bool good = true;
  for (const BenchContestant& contestant : contestants) {
    const Counted counted = count_run(stage, build.session(contestant), speed.op, shape);
    ordered_json row = {{"name", contestant.name}};
    if (!counted.problem.empty()) {
      good = false;
      fmt::print("  {:<16} {}\n", contestant.name, counted.problem);
      row["error"] = counted.problem;
      rows.push_back(row);
      continue;
    }
    if (counted.of("launches") == 0 && !stage.libraries.empty()) {
      fmt::print("  {:<16} launches no kernel of its own; what a library does is not counted\n",
                 contestant.name);
      rows.push_back(row);
      continue;
    }
    fmt::print(
        "  {:<16} {:>3.0f} launches  {:>10.0f} threads  {:>7.2f} barriers a thread  {:>8.2f} "
        "loads an output\n",
        contestant.name, counted.of("launches"), counted.of("threads"),
        counted.of("barriers") / std::max(1.0, counted.of("threads")),
        counted.per_output("global_loads"));
    for (const auto& [name, value] : counted.counts) row[name] = value;
    row["outputs"] = counted.outputs;
    rows.push_back(row);
  }
  out.push_back({{"name", speed.name}, {"rows", rows}});
  return good;
}

}  // namespace

int run_bench_counts(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  fmt::print(
      "{} on the CPU device: no times, because how long a kernel takes here does not predict how\n"
      "long it takes on a GPU. What it does is the same on both; a load is one access to global\n"
      "memory by one thread, whatever its width.\n",
      stage.id);
  BenchContestants build(kit, stage, true);
  const std::vector<BenchContestant> contestants = build.all(options);
  ordered_json out = {{"schema", "convkit-counts-1"},
                      {"kit_version", kit.version},
                      {"stage", stage.id},
                      {"shapes", ordered_json::array()}};
  bool good = true;
  for (const SpeedCase& speed : stage.speed) {
    const auto& wanted = options.shapes;
    if (!wanted.empty() && std::ranges::find(wanted, speed.name) == wanted.end()) continue;
    if (interrupted()) break;
    good = show(stage, speed, build, contestants, out["shapes"]) && good;
  }
  write_json(options.json, out);
  return good ? 0 : 1;
}

}  // namespace convkit
