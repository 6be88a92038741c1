// SPDX-License-Identifier: MIT
#include "bench/json_view.h"

#include <nlohmann/json.hpp>

#include "json_text.h"

namespace convkit {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const TimedShape& shape, double peak) {
  ordered_json rows = ordered_json::array();
  for (const TimedCode& code : shape.rows) {
    ordered_json row = {{"name", code.name}};
    if (!code.problem.empty()) {
      row["error"] = code.problem;
    } else {
      const double flops = shape.flop / code.time.median;
      row.update({{"rounds", code.rounds},
                  {"median_ms", code.time.median * 1e3},
                  {"spread", code.time.relative()},
                  {"gflops", flops * 1e-9},
                  {"share_of_peak", shape.share_of_peak(code, peak)},
                  {"baseline_ratio",
                   {{"median", code.ratio.median},
                    {"lower_quartile", code.ratio.lower_quartile},
                    {"upper_quartile", code.ratio.upper_quartile}}}});
      if (code.points) row["points"] = *code.points;
    }
    rows.push_back(row);
  }
  ordered_json out = {{"name", shape.name}, {"title", shape.title}, {"flop", shape.flop}};
  if (shape.points > 0) out["max_points"] = shape.points;
  out["rows"] = rows;
  return out;
}

ordered_json json_of(const CountedShapeRows& shape) {
  ordered_json rows = ordered_json::array();
  for (const CountedCode& code : shape.rows) {
    ordered_json row = {{"name", code.name}};
    if (!code.counted.problem.empty()) {
      row["error"] = code.counted.problem;
    } else if (!code.library_only) {
      for (const auto& [name, value] : code.counted.counts) row[name] = value;
      row["outputs"] = code.counted.outputs;
    }
    rows.push_back(row);
  }
  return {{"name", shape.name}, {"rows", rows}};
}

ordered_json json_of(const LadderResult& result, const LadderRung& rung) {
  ordered_json entry = {{"title", rung.step->title}, {"op", rung.step->op}};
  if (!rung.step->from.empty()) entry["from"] = rung.step->from;
  if (!rung.step->rung.empty()) entry["rung"] = rung.step->rung;
  if (!rung.found()) {
    entry["error"] = rung.problem;
  } else if (result.counting) {
    entry["outputs"] = rung.counted.outputs;
    entry["multiply_adds_per_output"] = result.multiply_adds() / rung.counted.outputs;
    for (const auto& [name, value] : rung.counted.counts) entry[name] = value;
  } else if (rung.seconds > 0) {  // 0: interrupted
    entry["median_ms"] = rung.seconds * 1e3;
    entry["spread"] = rung.spread;
    entry["gflops"] = result.gflops(rung);
    if (const double share = result.share_of_peer(rung); share > 0) entry["share_of_peer"] = share;
  }
  return entry;
}

ordered_json json_of(const SweepResult& result) {
  const Sweep& sweep = *result.sweep;
  ordered_json out = {{"name", sweep.name},
                      {"title", sweep.title},
                      {"file", sweep.file},
                      {"shape", sweep.shape.title},
                      {"op", sweep.shape.op},
                      {"measure", result.unit()},
                      {"combinations", ordered_json::array()}};
  const auto best = result.best();
  for (size_t i = 0; i < result.cells.size(); ++i) {
    const SweepCell& cell = result.cells[i];
    ordered_json entry = {{"values", ordered_json::object()}};
    for (size_t m = 0; m < sweep.macros.size(); ++m) {
      entry["values"][sweep.macros[m].name] = cell.values[m];
    }
    const auto value = result.value(cell);
    if (!value) {
      entry["error"] = cell.problem;
    } else if (result.counting) {
      entry["per_output"] = cell.counts;
    } else {
      entry["median_ms"] = cell.seconds * 1e3;
      entry["spread"] = cell.spread;
      entry["gflops"] = *value;
    }
    if (best == i) entry["best"] = true;
    out["combinations"].push_back(entry);
  }
  return out;
}

ordered_json json_of(const ChartFigures& figures) {
  ordered_json out = {{"title", figures.shape->title}};
  if (!figures.problem.empty()) {
    out["error"] = figures.problem;
    return out;
  }
  out["cells"] = ordered_json::array();
  for (const auto& row : figures.cells) {
    ordered_json cells = ordered_json::array();
    for (const auto& cell : row) cells.push_back(cell ? ordered_json(*cell) : ordered_json());
    out["cells"].push_back(cells);
  }
  return out;
}

}  // namespace

std::string to_json(const BenchTimes& result) {
  ordered_json out = {{"schema", "convkit-bench-1"},
                      {"kit_version", result.kit_version},
                      {"stage", result.stage},
                      {"compiler", result.compiler},
                      {"flags", result.flags},
                      {"device", result.gpu.empty() ? "cpu" : result.gpu},
                      {"fma_peak_gflops", result.fma_peak_flops * 1e-9},
                      {"shapes", ordered_json::array()},
                      {"geomean_baseline_ratio", ordered_json::object()}};
  for (const TimedShape& shape : result.shapes) {
    out["shapes"].push_back(json_of(shape, result.fma_peak_flops));
  }
  for (const auto& [name, mean] : result.geomean_ratios()) {
    out["geomean_baseline_ratio"][name] = mean;
  }
  return json_text(out);
}

std::string to_json(const BenchCounts& result) {
  ordered_json out = {{"schema", "convkit-counts-1"},
                      {"kit_version", result.kit_version},
                      {"stage", result.stage},
                      {"shapes", ordered_json::array()}};
  for (const CountedShapeRows& shape : result.shapes) out["shapes"].push_back(json_of(shape));
  return json_text(out);
}

std::string to_json(const LadderResults& results) {
  ordered_json out = {{"schema", "convkit-ladder-1"},
                      {"kit_version", results.kit_version},
                      {"stage", results.stage},
                      {"device", results.device},
                      {"ladders", ordered_json::array()}};
  for (const LadderResult& result : results.ladders) {
    ordered_json entry = {{"name", result.ladder->name},
                          {"title", result.ladder->title},
                          {"shape", result.ladder->shape.title},
                          {"steps", ordered_json::array()}};
    for (const LadderRung& rung : result.rungs) entry["steps"].push_back(json_of(result, rung));
    out["ladders"].push_back(entry);
  }
  return json_text(out);
}

std::string to_json(const SweepResults& results) {
  ordered_json out = {{"schema", "convkit-sweep-1"},  {"kit_version", results.kit_version},
                      {"stage", results.stage},       {"device", results.device},
                      {"compiler", results.compiler}, {"sweeps", ordered_json::array()}};
  for (const SweepResult& result : results.sweeps) out["sweeps"].push_back(json_of(result));
  return json_text(out);
}

std::string to_json(const ChartResults& results) {
  ordered_json out = {{"schema", "convkit-chart-1"},
                      {"kit_version", results.kit_version},
                      {"stage", results.stage},
                      {"device", results.device},
                      {"charts", ordered_json::array()}};
  for (const ChartResult& result : results.charts) {
    ordered_json entry = {{"name", result.chart->name},
                          {"title", result.chart->title},
                          {"rows", result.chart->rows},
                          {"columns", result.chart->columns},
                          {"shapes", ordered_json::array()}};
    for (const ChartFigures& figures : result.shapes) entry["shapes"].push_back(json_of(figures));
    out["charts"].push_back(entry);
  }
  return json_text(out);
}

std::string to_json(const SweepCell& cell) {
  return json_text({{"problem", cell.problem},
                    {"seconds", cell.seconds},
                    {"spread", cell.spread},
                    {"counts", cell.counts}});
}

bool from_json(const std::string& text, SweepCell& cell) try {
  const ordered_json found = parse_json(text);
  SweepCell read;
  read.values = cell.values;
  read.problem = found.at("problem").get<std::string>();
  read.seconds = found.at("seconds").get<double>();
  read.spread = found.at("spread").get<double>();
  read.counts = found.at("counts").get<std::map<std::string, double>>();
  cell = std::move(read);
  return true;
} catch (const nlohmann::json::exception&) {  // written by another version
  return false;
}

}  // namespace convkit
