// SPDX-License-Identifier: MIT
#include "bench/pictures.h"

#include <fmt/core.h>

#include <algorithm>

namespace convkit {
namespace {

std::vector<std::string> texts(const std::vector<int64_t>& values) {
  std::vector<std::string> result;
  for (const int64_t value : values) result.push_back(std::to_string(value));
  return result;
}

}  // namespace

BarChart picture_of(const LadderResult& result, const std::string& device) {
  BarChart chart;
  chart.title = result.ladder->title;
  chart.subtitle = fmt::format("{}{}, {}", result.ladder->shape.title,
                               result.note.empty() ? "" : " (" + result.note + ")", device);
  if (result.counting) {
    chart.series = {{"accesses to global memory for each multiply-add", {}},
                    {"loads from shared memory for each multiply-add", {}},
                    {"barriers (of a thread) for each output", {}}};
  } else {
    chart.series = {{"GFLOP/s", {}}};
  }
  for (const LadderRung& rung : result.rungs) {
    chart.steps.push_back(rung.step->title);
    const auto add = [&](size_t at, double value) {
      chart.series[at].values.push_back(rung.found() ? std::optional(value) : std::nullopt);
    };
    if (result.counting) {
      add(0, rung.counted.global_accesses() / result.multiply_adds());
      add(1, rung.counted.of("shared_loads") / result.multiply_adds());
      add(2, rung.counted.per_output("barriers"));
    } else {
      add(0, result.gflops(rung));
    }
  }
  return chart;
}

HeatMap picture_of(const SweepResult& result, const std::string& device) {
  const Sweep& sweep = *result.sweep;
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
  map.more_is_better = !result.counting;
  map.unit = result.counting ? "global loads per output: fewer are better; not a measure of time"
                             : "GFLOP/s: more is better";
  map.cells.assign(map.rows.size(), std::vector<std::optional<double>>(map.columns.size()));
  for (const SweepCell& cell : result.cells) {
    const auto value = result.value(cell);
    if (!value) continue;
    const auto index = [&](const SweepMacro& macro, int64_t of) {
      return static_cast<size_t>(std::ranges::find(macro.values, of) - macro.values.begin());
    };
    auto& slot = map.cells[two ? index(row_macro, cell.values[down]) : 0]
                          [index(sweep.macros[across], cell.values[across])];
    if (!slot || result.better(*value, *slot)) slot = value;
  }
  return map;
}

GroupedBars picture_of(const ChartResult& result, const std::string& device) {
  const Chart& chart = *result.chart;
  GroupedBars bars;
  bars.title = chart.title;
  bars.subtitle = device;
  bars.rows = chart.rows;
  for (const ChartShape& shape : chart.shapes) bars.groups.push_back(shape.title);
  for (size_t column = 0; column < chart.columns.size(); ++column) {
    GroupedBars::Panel panel{chart.columns[column], {}};
    for (size_t row = 0; row < chart.rows.size(); ++row) {
      panel.values.emplace_back();
      for (const ChartFigures& figures : result.shapes) {
        panel.values.back().push_back(figures.cells.empty() ? std::nullopt
                                                            : figures.cells[row][column]);
      }
    }
    bars.panels.push_back(std::move(panel));
  }
  return bars;
}

}  // namespace convkit
