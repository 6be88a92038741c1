// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <span>

#include "bench/bench.h"
#include "bench/counted_run.h"
#include "bench/json_view.h"
#include "bench/pictures.h"
#include "bench/table_choice.h"
#include "bench/terminal_view.h"
#include "convkit/atomic_file.h"
#include "grade/verdict.h"
#include "machine/console.h"
#include "process/process.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

std::span<float> floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

ChartFigures measure(const Stage& stage, const Chart& chart, const ChartShape& shape,
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
  ChartFigures figures{&shape, "", {}};
  if (answer.kind != Answer::Kind::ok) {
    figures.problem = verdict_of(answer, stage, chart.op, -1).message;
    return figures;
  }
  if (answer.todo_reached > 0) {
    figures.problem = not_started_sentence(answer.todo, chart.op);
    figures.not_started = true;
    return figures;
  }
  const std::span<const float> cells = floats(outputs.bytes(0));
  for (int64_t row = 0; row < rows; ++row) {
    figures.cells.emplace_back();
    for (int64_t column = 0; column < columns; ++column) {
      const auto value = static_cast<double>(cells[static_cast<size_t>(row * columns + column)]);
      figures.cells.back().push_back(std::isfinite(value) ? std::optional(value) : std::nullopt);
    }
  }
  return figures;
}

}  // namespace

int bench_charts(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  const auto charts = wanted_tables(stage, stage.charts, "chart", options);
  BenchContestants build(kit, stage, SimtMode::plain);
  const BenchSubject subject = single_subject(kit, stage, options);
  const SessionOptions session = build.session(build.submission(subject.name, subject.folder));
  const std::string device = stage.device == "gpu" ? kit.device.name : "one core";
  ChartResults results{kit.version, stage.id, device, {}};
  bool good = true;
  for (const Chart* chart : charts) {
    if (interrupted()) break;
    fmt::print("{}, as measured by {} on {}\n", chart->title, subject.name, device);
    if (kit.lacks_gpu(stage)) {
      fmt::print("Times on the CPU device say nothing about times on a GPU.\n");
    }
    ChartResult result{chart, {}};
    for (const ChartShape& shape : chart->shapes) {
      if (interrupted()) return 130;
      {
        StatusLine status;
        status.doing(fmt::format("measuring {}", shape.title));
        result.shapes.push_back(measure(stage, *chart, shape, session));
      }
      fmt::print("{}", table(*chart, result.shapes.back()));
      if (result.shapes.back().not_started) break;  // nor is it for another shape
    }
    if (result.shapes.back().not_started) {
      results.charts.push_back(std::move(result));
      continue;
    }
    const fs::path picture = picture_path(kit, stage, options, "chart-" + chart->name);
    write_whole(picture, draw(picture_of(result, device)));
    fmt::print("\nPicture: {}\n", picture.string());
    std::fflush(stdout);
    good = good && result.complete();
    results.charts.push_back(std::move(result));
  }
  if (options.chart && !options.json.empty()) write_whole(options.json, to_json(results));
  return good ? 0 : 1;
}

}  // namespace convkit
