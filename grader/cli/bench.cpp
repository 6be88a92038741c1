// SPDX-License-Identifier: MIT
// `bench N`: the student's work, the baseline, the reference solution and vendor libraries, timed
// in turn on one core.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/bench_contestants.h"
#include "cli/bench_counts.h"
#include "cli/chart.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/device_choice.h"
#include "cli/json_file.h"
#include "cli/ladder.h"
#include "cli/sweep.h"
#include "convkit/kit_error.h"
#include "grade/fma_peak.h"
#include "grade/speed_runner.h"
#include "grade/verdict.h"

namespace convkit {
namespace {

using nlohmann::ordered_json;

class Bench {
 public:
  Bench(const Kit& kit, const Stage& stage, const BenchOptions& options)
      : kit_(kit), stage_(stage), options_(options), build_(kit, stage, false) {
    for (const BenchContestant& built : build_.all(options)) {
      contestants_.push_back({built.name, build_.session(built), "", {}});
    }
  }

  int run() {
    // Of a GPU nobody has measured it.
    const bool on_gpu = stage_.device == "gpu";
    const double peak = on_gpu ? 0 : measured_fma_peak_flops();
    const std::string where =
        on_gpu ? kit_.device.name
               : fmt::format("one core, measured FMA peak {:.1f} GFLOP/s", peak * 1e-9);
    ordered_json out = {{"schema", "convkit-bench-1"},
                        {"kit_version", kit_.version},
                        {"stage", stage_.id},
                        {"compiler", build_.builder().toolchain().version},
                        {"flags", fmt::format("{}", fmt::join(stage_.flags, " "))},
                        {"device", on_gpu ? kit_.device.name : "cpu"},
                        {"fma_peak_gflops", peak * 1e-9},
                        {"shapes", ordered_json::array()}};
    fmt::print(
        "{}, {}. Times are medians of rounds in turn;\n"
        "x is the baseline's time divided by this one's (median and quartiles of the rounds).\n",
        stage_.id, where);
    for (const SpeedCase& speed : stage_.speed) {
      const auto& wanted = options_.shapes;
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), speed.name) == wanted.end()) {
        continue;
      }
      if (interrupted()) break;
      TimingPlan plan;
      plan.budget_s = options_.seconds;
      std::vector<Timing> timings;
      {
        StatusLine status;
        status.doing(fmt::format("timing {}", speed.title));
        timings = time_in_turn(stage_, speed, contestants_, plan);
      }
      if (interrupted()) break;
      out["shapes"].push_back(show(speed, timings, peak));
    }
    show_geomeans(out);
    write_json(options_.json, out);
    return failed_ ? 1 : 0;
  }

 private:
  ordered_json show(const SpeedCase& speed, const std::vector<Timing>& timings, double peak) {
    fmt::print("\n{}  ({})\n", speed.title, speed.name);
    ordered_json rows = ordered_json::array();
    const Timing& baseline = timings.front();
    for (const Timing& timing : timings) {
      ordered_json row = {{"name", timing.name}};
      if (timing.outcome != Answer::Kind::ok || timing.wrong) {
        failed_ = true;
        const std::string why = timing.wrong
                                    ? timing.message
                                    : verdict_of(timing.failure, stage_, speed.op, -1).message;
        fmt::print("  {:<10} {}\n", timing.name, why);
        row["error"] = why;
        rows.push_back(row);
        continue;
      }
      const size_t rounds = std::min(baseline.seconds.size(), timing.seconds.size());
      if (rounds == 0) continue;
      const std::span<const double> base(baseline.seconds.data(), rounds);
      const std::span<const double> own(timing.seconds.data(), rounds);
      const Spread ratio = ratio_of_pairs(base, own);
      const Spread time = spread(own);
      const double flops = speed.flop / time.median;
      fmt::print(
          "  {:<10} {:>9.3f} ms  +-{:>4.1f} %  {:>7.1f} GFLOP/s  {}{:>6.2f}x "
          "({:.2f} to {:.2f}, {} rounds)\n",
          timing.name, time.median * 1e3, time.relative() * 100, flops * 1e-9,
          peak > 0 ? fmt::format("{:>5.1f} % of peak  ", 100 * flops / peak) : "", ratio.median,
          ratio.lower_quartile, ratio.upper_quartile, rounds);
      row.update({{"rounds", rounds},
                  {"median_ms", time.median * 1e3},
                  {"spread", time.relative()},
                  {"gflops", flops * 1e-9},
                  {"share_of_peak", peak > 0 ? flops / peak : 0},
                  {"baseline_ratio",
                   {{"median", ratio.median},
                    {"lower_quartile", ratio.lower_quartile},
                    {"upper_quartile", ratio.upper_quartile}}}});
      rows.push_back(row);
      log_ratios_[timing.name].push_back(std::log(ratio.median));
    }
    return {{"name", speed.name}, {"title", speed.title}, {"flop", speed.flop}, {"rows", rows}};
  }

  void show_geomeans(ordered_json& out) const {
    fmt::print("\nGeometric mean over the shapes, against the baseline:");
    out["geomean_baseline_ratio"] = ordered_json::object();
    for (const auto& [name, logs] : log_ratios_) {
      double sum = 0;
      for (double value : logs) sum += value;
      const double mean = std::exp(sum / static_cast<double>(logs.size()));
      fmt::print("  {} {:.2f}x", name, mean);
      out["geomean_baseline_ratio"][name] = mean;
    }
    fmt::print("\n");
  }

  const Kit& kit_;
  const Stage& stage_;
  const BenchOptions& options_;
  BenchContestants build_;
  std::vector<Contestant> contestants_;
  std::map<std::string, std::vector<double>> log_ratios_;
  bool failed_ = false;
};

int run_bench(const Kit& kit, const BenchOptions& options) {
  const Stage& stage = find_stage(kit.stages, options.stage);
  for (const std::string& shape : options.shapes) {
    const auto is = [&](const SpeedCase& s) { return s.name == shape; };
    if (std::none_of(stage.speed.begin(), stage.speed.end(), is)) {
      throw UsageError(fmt::format("{} has no shape `{}`.", stage.id, shape));
    }
  }
  if (options.sweep) return run_sweep(kit, stage, options);
  if (options.ladder) return run_ladder(kit, stage, options);
  if (options.chart) return run_charts(kit, stage, options);
  const int code = kit.lacks_gpu(stage) ? run_bench_counts(kit, stage, options)
                                        : Bench(kit, stage, options).run();
  if (code != 0 || stage.charts.empty() || !options.shapes.empty()) return code;
  fmt::print("\n");
  return run_charts(kit, stage, options);
}

class BenchCommand final : public CliCommand {
 public:
  BenchCommand()
      : CliCommand("bench", "time your work against the baseline", "./convkit bench 1") {}

  void declare(const Options& options) override {
    device_.declare(options);
    options.value("stage", o_.stage, kStageHelp).required();
    options.value("--dir", o_.folder, kFolderHelp);
    options.value("--shape", o_.shapes, "these shapes only, by name");
    options.value("--seconds", o_.seconds, "time spent on each shape").positive();
    options.value("--json", o_.json, "write the figures here");
    options.flag("--solution", o_.solution, "time the reference solution too");
    options.negative_flag("--no-peers", o_.peers, "leave vendor libraries out");
    sweep_ = table(options, "--sweep",
                   "try the combinations of a kernel's constants; NAME: of one of the stage's "
                   "sweeps");
    ladder_ = table(options, "--ladder",
                    "what each step of the stage bought; NAME: of one of its ladders");
    chart_ = table(options, "--chart",
                   "only the figures that the work itself measures; NAME: of one of the stage's "
                   "charts");
    ladder_->excludes(*sweep_);
    chart_->excludes(*sweep_).excludes(*ladder_);
    options.value("--svg", o_.svg,
                  "of --sweep, --ladder and --chart: the picture (default: in work/results)");
    options.flag("--again", o_.again, "of --sweep: whatever was found before");
  }
  int run(Kit& kit) override {
    o_.sweep = sweep_->given(), o_.ladder = ladder_->given(), o_.chart = chart_->given();
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
