// SPDX-License-Identifier: MIT
// `bench N`: how fast the student's work is, or what it does where there is no GPU.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "bench/bench.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/handed_over.h"
#include "convkit/kit_error.h"
#include "machine/output_file.h"

namespace convkit {
namespace {

int run_bench(const Kit& kit, const BenchOptions& options) {
  const Stage& stage = kit.stage(options.stage);
  for (const std::string& shape : options.shapes) {
    const auto is = [&](const SpeedCase& s) { return s.name == shape; };
    if (std::none_of(stage.speed.begin(), stage.speed.end(), is)) {
      throw UsageError(fmt::format("{} has no shape `{}`.", stage.id, shape));
    }
  }
  std::error_code error;
  if (!options.chart && !std::filesystem::is_directory(stage.directory / "baseline", error)) {
    throw UsageError(fmt::format(
        "This copy of the kit has no baseline of {}, which `bench` compares with.", stage.id));
  }
  if (options.sweep) return bench_sweeps(kit, stage, options);
  if (options.ladder) return bench_ladders(kit, stage, options);
  if (options.chart) return bench_charts(kit, stage, options);
  const int code =
      kit.lacks_gpu(stage) ? bench_counts(kit, stage, options) : bench_times(kit, stage, options);
  if (code != 0 || stage.charts.empty() || !options.shapes.empty()) return code;
  fmt::print("\n");
  return bench_charts(kit, stage, options);
}

class BenchCommand final : public CliCommand {
 public:
  BenchCommand() : CliCommand(kBench.text) {}

  void declare(const Options& options) override {
    device_.declare(options);
    options.value("stage", o_.stage, kStageHelp).required();
    options.value("--dir", o_.folder, kFolderHelp);
    options.value("--shape", o_.shapes, "these shapes only, by name");
    options.value("--seconds", o_.seconds, "time spent on each shape").positive();
    options.value("--json", o_.json, "write the figures here");
    options.flag("--solution", o_.solution, "time the reference solution too");
    options.negative_flag("--no-peers", o_.peers, "do not time vendor libraries");
    sweep_ = table(options, "--sweep",
                   "try the combinations of a kernel's constants; NAME: one of the stage's sweeps");
    ladder_ =
        table(options, "--ladder", "what each step of the stage gained; NAME: one of its ladders");
    chart_ =
        table(options, "--chart",
              "only the figures that the work itself measures; NAME: one of the stage's charts");
    ladder_->excludes(*sweep_);
    chart_->excludes(*sweep_).excludes(*ladder_);
    options.value("--svg", o_.svg,
                  "the picture of --sweep, --ladder or --chart (default: in work/results)");
    options.flag("--again", o_.again, "with --sweep: measure again what was found before");
  }
  int run(Kit& kit) override {
    o_.sweep = sweep_->given(), o_.ladder = ladder_->given(), o_.chart = chart_->given();
    must_be_writable(o_.json, Format::json);
    must_be_writable(o_.svg, Format::svg);
    device_.apply(kit, {o_.stage});
    return run_bench(kit, o_);
  }

 private:
  // Only one of them can be given, so all of them can set the same name.
  Option table(const Options& options, const char* name, const char* help) {
    return options.value(name, o_.table, help).value_optional();
  }

  DeviceChoice device_;
  BenchOptions o_;
  std::optional<Option> sweep_, ladder_, chart_;
};

}  // namespace

std::unique_ptr<CliCommand> bench_command() {
  return std::make_unique<BenchCommand>();
}

}  // namespace convkit
