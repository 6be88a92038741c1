// SPDX-License-Identifier: MIT
#include "cli/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/counted_run.h"
#include "cli/json_file.h"
#include "cli/sweep_cells.h"
#include "cli/wanted_tables.h"
#include "convkit/atomic_file.h"
#include "convkit/kit_error.h"
#include "drawing/heat_map.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// What the cells are compared by, and how it is called.
struct Measure {
  bool counted;
  double flop;
  bool more_is_better() const { return !counted; }
  const char* unit() const { return counted ? "global loads an output" : "GFLOP/s"; }
  std::optional<double> of(const SweepCell& cell) const {
    if (!cell.problem.empty()) return std::nullopt;
    if (!counted) {
      if (cell.seconds == 0) return std::nullopt;  // interrupted before its turn
      return flop / cell.seconds * 1e-9;
    }
    const auto loads = cell.counts.find("global_loads");
    if (loads == cell.counts.end()) return std::nullopt;
    return loads->second;
  }
  bool better(double a, double b) const { return counted ? a < b : a > b; }
  // Of those with equally few loads from global memory, the one with the fewest from shared memory.
  bool better(const SweepCell& a, const SweepCell& b) const {
    if (*of(a) != *of(b)) return better(*of(a), *of(b));
    for (const char* name : {"shared_loads", "barriers"}) {
      if (!counted || a.counts.at(name) == b.counts.at(name)) continue;
      return a.counts.at(name) < b.counts.at(name);
    }
    return false;
  }
};

std::optional<size_t> best_of(const std::vector<SweepCell>& cells, const Measure& measure) {
  std::optional<size_t> best;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (measure.of(cells[i]) && (!best || measure.better(cells[i], cells[*best]))) best = i;
  }
  return best;
}

// How many letters all names share, up to a "_": no table is wide enough for them again and again.
size_t common_prefix(const std::vector<SweepMacro>& macros) {
  std::string prefix = macros.front().name;
  for (const SweepMacro& macro : macros) {
    const auto differ = std::ranges::mismatch(prefix, macro.name).in1;
    prefix.erase(differ, prefix.end());
  }
  return macros.size() == 1 ? 0 : prefix.rfind('_') + 1;  // npos + 1: none
}

void print_table(const Sweep& sweep, const std::vector<SweepCell>& cells, const Measure& measure) {
  const auto best = best_of(cells, measure);
  const size_t prefix = common_prefix(sweep.macros);
  if (prefix > 0) fmt::print("  {}...\n", sweep.macros.front().name.substr(0, prefix));
  for (const SweepMacro& macro : sweep.macros) fmt::print("  {}", macro.name.substr(prefix));
  fmt::print("{}\n", measure.counted ? "  global loads   shared loads  barriers, each an output"
                                     : "         time  spread       GFLOP/s");
  unsigned left_out = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    const SweepCell& cell = cells[i];
    for (size_t m = 0; m < sweep.macros.size(); ++m) {
      fmt::print("  {:>{}}", cell.values[m], sweep.macros[m].name.size() - prefix);
    }
    const auto value = measure.of(cell);
    if (!value) {
      ++left_out;
      fmt::print("  {:>12}\n", "-");
      continue;
    }
    const char* mark = best == i ? measure.counted ? "  <- fewest loads" : "  <- best" : "";
    if (measure.counted) {
      const auto count = [&](const char* name) {
        const auto found = cell.counts.find(name);
        return found == cell.counts.end() ? 0 : found->second;
      };
      fmt::print("  {:>12.2f}  {:>13.2f}  {:>8.2f}{}\n", *value, count("shared_loads"),
                 count("barriers"), mark);
    } else {
      fmt::print("  {:>8.3f} ms  +-{:>3.0f} %  {:>12.1f}{}\n", cell.seconds * 1e3,
                 cell.spread * 100, *value, mark);
    }
  }
  if (left_out > 0) {
    fmt::print("  - : {} of {} do not compile, do not launch, or are wrong; --json says why.\n",
               left_out, cells.size());
  }
}

std::vector<std::string> texts(const std::vector<int64_t>& values) {
  std::vector<std::string> result;
  for (const int64_t value : values) result.push_back(std::to_string(value));
  return result;
}

HeatMap heat_map(const Sweep& sweep, const std::vector<SweepCell>& cells, const Measure& measure,
                 const std::string& device) {
  const auto position = [&](const std::string& name) {
    return static_cast<size_t>(std::ranges::find(sweep.macros, name, &SweepMacro::name) -
                               sweep.macros.begin());
  };
  const size_t across = position(sweep.across), down = position(sweep.down);
  const bool two = down < sweep.macros.size() && down != across;
  const SweepMacro one_row{"", {0}};
  const SweepMacro& row_macro = two ? sweep.macros[down] : one_row;
  HeatMap map;
  map.title = sweep.title;
  map.subtitle = fmt::format("{}, {}{}", sweep.shape.title, device,
                             sweep.macros.size() > (two ? 2u : 1u)
                                 ? "; in each cell the best of the other constants"
                                 : "");
  map.across = sweep.macros[across].name + " \u2192";
  map.down = two ? sweep.macros[down].name + " \u2193" : "";
  map.columns = texts(sweep.macros[across].values);
  map.rows = two ? texts(row_macro.values) : std::vector<std::string>{""};
  map.more_is_better = measure.more_is_better();
  map.unit = measure.counted ? "global loads an output: fewer are better; no measure of time"
                             : "GFLOP/s: more is better";
  map.cells.assign(map.rows.size(), std::vector<std::optional<double>>(map.columns.size()));
  for (const SweepCell& cell : cells) {
    const auto value = measure.of(cell);
    if (!value) continue;
    const auto index = [&](const SweepMacro& macro, int64_t of) {
      return static_cast<size_t>(std::ranges::find(macro.values, of) - macro.values.begin());
    };
    auto& slot = map.cells[two ? index(row_macro, cell.values[down]) : 0]
                          [index(sweep.macros[across], cell.values[across])];
    if (!slot || measure.better(*value, *slot)) slot = value;
  }
  return map;
}

ordered_json figures(const Sweep& sweep, const std::vector<SweepCell>& cells,
                     const Measure& measure) {
  ordered_json out = {{"name", sweep.name},
                      {"title", sweep.title},
                      {"file", sweep.file},
                      {"shape", sweep.shape.title},
                      {"op", sweep.shape.op},
                      {"measure", measure.unit()},
                      {"combinations", ordered_json::array()}};
  const auto best = best_of(cells, measure);
  for (size_t i = 0; i < cells.size(); ++i) {
    ordered_json entry = {{"values", ordered_json::object()}};
    for (size_t m = 0; m < sweep.macros.size(); ++m) {
      entry["values"][sweep.macros[m].name] = cells[i].values[m];
    }
    if (!measure.of(cells[i])) {
      entry["error"] = cells[i].problem;
    } else if (measure.counted) {
      entry["per_output"] = cells[i].counts;
    } else {
      entry["median_ms"] = cells[i].seconds * 1e3;
      entry["spread"] = cells[i].spread;
      entry["gflops"] = *measure.of(cells[i]);
    }
    if (best == i) entry["best"] = true;
    out["combinations"].push_back(entry);
  }
  return out;
}

}  // namespace

fs::path picture_path(const Kit& kit, const Stage& stage, const BenchOptions& options,
                      const std::string& what) {
  if (!options.svg.empty()) return options.svg;
  const fs::path folder = kit.work(stage).parent_path() / "results";
  fs::create_directories(folder);
  return folder / fmt::format("{}-{}.svg", stage.id, what);
}

int run_sweep(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  const auto sweeps = wanted_tables(stage, stage.sweeps, "sweep", options);
  BenchContestants build(kit, stage, kit.lacks_gpu(stage));
  const BenchSubject subject = single_subject(kit, stage, options);
  const std::string device = stage.device == "gpu" ? kit.device.name : "one core";
  ordered_json out = {{"schema", "convkit-sweep-1"},
                      {"kit_version", kit.version},
                      {"stage", stage.id},
                      {"device", device},
                      {"compiler", build.builder().toolchain().version},
                      {"sweeps", ordered_json::array()}};
  const auto run = [&](const Sweep& sweep) {
    const Measure measure{kit.lacks_gpu(stage), sweep.shape.flop};
    fmt::print("{}: {} combinations of {}, {}, {}\n", sweep.title, sweep.combinations(),
               (subject.folder / sweep.file).lexically_normal().string(), sweep.shape.title,
               measure.counted && sweep.shape.count
                   ? counted_shape_text(sweep.shape) + ", " + device
                   : device);
    if (measure.counted) {
      fmt::print(
          "Counts, not times: how long a kernel takes on the CPU device says nothing of a GPU. "
          "Fewer\nloads are often faster there, and often not: a large tile leaves few blocks.\n");
    }
    const std::vector<SweepCell> cells =
        sweep_cells({kit, stage, sweep, subject.folder, options.seconds, options.again}, build);
    print_table(sweep, cells, measure);
    out["sweeps"].push_back(figures(sweep, cells, measure));
    if (!best_of(cells, measure)) return false;
    const fs::path picture = picture_path(kit, stage, options, "sweep-" + sweep.name);
    write_whole(picture, draw(heat_map(sweep, cells, measure, device)));
    fmt::print("Picture: {}\n\n", picture.string());
    return true;
  };
  bool any = false;
  for (const Sweep* sweep : sweeps) {
    if (interrupted()) break;
    try {
      any = run(*sweep) || any;
    } catch (const UsageError& error) {
      // Not every file has its constants yet: the other sweeps may be of use.
      if (sweeps.size() == 1) throw;
      fmt::print("{}\n\n", error.what());
    }
    std::fflush(stdout);
  }
  write_json(options.json, out);
  return any ? 0 : 1;
}

}  // namespace convkit
