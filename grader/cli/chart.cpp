// SPDX-License-Identifier: MIT
#include "cli/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "cli/console.h"
#include "cli/json_file.h"
#include "cli/sweep.h"
#include "cli/wanted_tables.h"
#include "compile/object_key.h"
#include "convkit/atomic_file.h"
#include "drawing/grouped_bars.h"
#include "grade/verdict.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using Figure = std::optional<double>;

// [row][column] of one shape, or why there are none.
struct Figures {
  std::string problem;
  std::vector<std::vector<Figure>> cells;
};

std::span<float> floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

Figures measure(const Stage& stage, const Chart& chart, const ChartShape& shape,
                const SessionOptions& options) {
  std::vector<TensorSpec> specs;
  for (const TensorShape& input : shape.inputs) {
    specs.push_back({input.name, DType::float32, input.dims});
  }
  const auto rows = static_cast<int64_t>(chart.rows.size());
  const auto columns = static_cast<int64_t>(chart.columns.size());
  SharedArena inputs(specs), outputs({{chart.output, DType::float32, {rows, columns}}});
  std::mt19937_64 random(1);
  for (size_t i = 0; i < inputs.tensors().size(); ++i) {
    for (float& value : floats(inputs.bytes(i))) {
      value = static_cast<float>(random() >> 40) * 0x1p-23f - 1.0f;
    }
  }
  outputs.poison();
  Session session(options);
  Answer answer = session.start();
  if (answer.kind == Answer::Kind::ok) {
    answer = session.prepare(chart.op, shape.params, inputs, outputs);
  }
  if (answer.kind == Answer::Kind::ok) answer = session.run();
  Figures figures;
  if (answer.kind != Answer::Kind::ok) {
    figures.problem = verdict_of(answer, stage, chart.op, -1).message;
    return figures;
  }
  if (answer.todo_reached > 0) {
    figures.problem = fmt::format("{} is not written yet.", chart.op);
    return figures;
  }
  const std::span<const float> cells = floats(outputs.bytes(0));
  for (int64_t row = 0; row < rows; ++row) {
    figures.cells.emplace_back();
    for (int64_t column = 0; column < columns; ++column) {
      const auto value = static_cast<double>(cells[static_cast<size_t>(row * columns + column)]);
      figures.cells.back().push_back(std::isfinite(value) ? Figure(value) : std::nullopt);
    }
  }
  return figures;
}

std::string text_of(const Figure& figure) {
  return figure ? fmt::format("{:.4g}", *figure) : "-";
}

void print(const Chart& chart, const ChartShape& shape, const Figures& figures) {
  fmt::print("\n{}\n", shape.title);
  if (!figures.problem.empty()) {
    fmt::print("  {}\n", figures.problem);
    return;
  }
  size_t width = 0;
  for (const std::string& row : chart.rows) width = std::max(width, row.size());
  fmt::print("  {:<{}}", "", width);
  for (const std::string& column : chart.columns) fmt::print("  {:>14}", column);
  fmt::print("\n");
  for (size_t row = 0; row < chart.rows.size(); ++row) {
    fmt::print("  {:<{}}", chart.rows[row], width);
    for (const Figure& figure : figures.cells[row]) fmt::print("  {:>14}", text_of(figure));
    fmt::print("\n");
  }
}

ordered_json json_of(const ChartShape& shape, const Figures& figures) {
  ordered_json out = {{"title", shape.title}};
  if (!figures.problem.empty()) {
    out["error"] = figures.problem;
    return out;
  }
  out["cells"] = ordered_json::array();
  for (const auto& row : figures.cells) {
    ordered_json cells = ordered_json::array();
    for (const Figure& figure : row)
      cells.push_back(figure ? ordered_json(*figure) : ordered_json());
    out["cells"].push_back(cells);
  }
  return out;
}

GroupedBars picture_of(const Chart& chart, const std::vector<Figures>& all,
                       const std::string& device) {
  GroupedBars bars;
  bars.title = chart.title;
  bars.subtitle = device;
  bars.rows = chart.rows;
  for (const ChartShape& shape : chart.shapes) bars.groups.push_back(shape.title);
  for (size_t column = 0; column < chart.columns.size(); ++column) {
    GroupedBars::Panel panel{chart.columns[column], {}};
    for (size_t row = 0; row < chart.rows.size(); ++row) {
      panel.values.emplace_back();
      for (const Figures& figures : all) {
        panel.values.back().push_back(figures.cells.empty() ? std::nullopt
                                                            : figures.cells[row][column]);
      }
    }
    bars.panels.push_back(std::move(panel));
  }
  return bars;
}

}  // namespace

int run_charts(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  const auto charts = wanted_tables(stage, stage.charts, "chart", options);
  BenchContestants build(kit, stage, false);
  const BenchSubject subject = single_subject(kit, stage, options);
  const SessionOptions session = build.session(build.submission(subject.name, subject.folder));
  const std::string device = stage.device == "gpu" ? kit.device.name : "one core";
  ordered_json out = {{"schema", "convkit-chart-1"},
                      {"kit_version", kit.version},
                      {"stage", stage.id},
                      {"device", device},
                      {"charts", ordered_json::array()}};
  bool good = true;
  for (const Chart* chart : charts) {
    if (interrupted()) break;
    fmt::print("{}, as measured by {} on {}\n", chart->title, subject.name, device);
    if (kit.lacks_gpu(stage)) {
      fmt::print("Times on the CPU device say nothing of a GPU's.\n");
    }
    ordered_json entry = {{"name", chart->name},
                          {"title", chart->title},
                          {"rows", chart->rows},
                          {"columns", chart->columns},
                          {"shapes", ordered_json::array()}};
    std::vector<Figures> all;
    for (const ChartShape& shape : chart->shapes) {
      if (interrupted()) return 130;
      {
        StatusLine status;
        status.doing(fmt::format("measuring {}", shape.title));
        all.push_back(measure(stage, *chart, shape, session));
      }
      print(*chart, shape, all.back());
      entry["shapes"].push_back(json_of(shape, all.back()));
      good = good && all.back().problem.empty();
    }
    out["charts"].push_back(entry);
    const fs::path picture = picture_path(kit, stage, options, "chart-" + chart->name);
    write_whole(picture, draw(picture_of(*chart, all, device)));
    fmt::print("\nPicture: {}\n", picture.string());
    std::fflush(stdout);
  }
  if (options.chart) write_json(options.json, out);
  return good ? 0 : 1;
}

}  // namespace convkit
