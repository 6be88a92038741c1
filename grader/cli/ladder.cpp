// SPDX-License-Identifier: MIT
#include "cli/ladder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/bar_chart.h"
#include "cli/console.h"
#include "cli/counted_run.h"
#include "cli/json_file.h"
#include "cli/rung.h"
#include "cli/sweep.h"
#include "cli/wanted_tables.h"
#include "compile/object_key.h"
#include "grade/speed/speed_runner.h"
#include "grade/verdict.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// A step, and what became of it.
struct Rung {
  const LadderStep* step;
  BenchContestant code;
  std::string problem;
  double seconds = 0, spread = 0;
  Counted counted;
  bool found() const { return problem.empty(); }
};

class Climb {
 public:
  Climb(const Kit& kit, const Stage& stage, const Ladder& ladder, const BenchSubject& subject,
        BenchContestants& build)
      : kit_(kit), stage_(stage), ladder_(ladder), build_(build), counting_(kit.lacks_gpu(stage)) {
    std::map<std::string, BenchContestant> built;
    for (const LadderStep& step : ladder.steps) {
      // What a library does is not counted: it runs no kernels here.
      if (counting_ && step.library) {
        fmt::print("  {} is left out: what a library does is not counted.\n", step.title);
        continue;
      }
      const std::string code = step.rung.empty() ? step.from : step.rung;
      if (!built.contains(code)) {
        if (!step.rung.empty()) {
          const auto folder = lay_out_rung(kit, stage, step);
          if (!folder) {
            fmt::print("  {} is left out: this copy of the kit has no solutions.\n", step.title);
            continue;
          }
          built[code] = build.submission(step.rung, folder->path());
        } else if (step.from.empty()) {
          built[code] = build.submission(subject.name, subject.folder);
        } else if (is_source(step.from)) {
          auto peer = build.peer(stage.directory / step.from);
          if (!peer) continue;
          built[code] = *peer;
        } else {
          built[code] = build.submission(step.from, stage.directory / step.from);
        }
      }
      rungs_.push_back({&step, built.at(code), "", 0, 0, {}});
    }
  }

  void count() {
    StatusLine status;
    for (Rung& rung : rungs_) {
      if (interrupted()) return;
      status.doing(fmt::format("counting {}", rung.step->title));
      CountedShape shape = counted_shape(ladder_.shape);
      for (const auto& [name, param] : rung.step->params) shape.params[name] = param;
      rung.counted = count_run(stage_, build_.session(rung.code), rung.step->op, shape);
      rung.problem = rung.counted.problem.empty() ? no_kernel(rung.counted, rung.step->op)
                                                  : rung.counted.problem;
    }
  }

  void time(double seconds) {
    const BenchContestant baseline = build_.submission("baseline", stage_.directory / "baseline");
    std::vector<Contestant> contestants = {{"baseline", build_.session(baseline), "", {}}};
    for (const Rung& rung : rungs_) {
      contestants.push_back(
          {rung.step->title, build_.session(rung.code), rung.step->op, rung.step->params});
    }
    TimingPlan plan;
    plan.budget_s = seconds * static_cast<double>(contestants.size()) / 2;
    std::vector<Timing> timings;
    {
      StatusLine status;
      status.doing(fmt::format("timing {}", ladder_.title));
      timings = time_in_turn(stage_, ladder_.shape, contestants, plan);
    }
    for (size_t i = 0; i < rungs_.size() && !timings.empty(); ++i) {
      const Timing& timing = timings[i + 1];
      if (timing.wrong) {
        rungs_[i].problem = timing.message;
      } else if (timing.outcome != Answer::Kind::ok) {
        rungs_[i].problem = verdict_of(timing.failure, stage_, rungs_[i].step->op, -1).message;
      } else if (!timing.seconds.empty()) {
        const Spread time = spread(timing.seconds);
        rungs_[i].seconds = time.median;
        rungs_[i].spread = time.relative();
      }
    }
  }

  ordered_json show() const {
    ordered_json out = {{"name", ladder_.name},
                        {"title", ladder_.title},
                        {"shape", ladder_.shape.title},
                        {"steps", ordered_json::array()}};
    size_t width = 0;
    for (const Rung& rung : rungs_) width = std::max(width, rung.step->title.size());
    print_head(width);
    const Rung* before = nullptr;
    for (const Rung& rung : rungs_) {
      ordered_json entry = {{"title", rung.step->title}, {"op", rung.step->op}};
      if (!rung.step->from.empty()) entry["from"] = rung.step->from;
      if (!rung.step->rung.empty()) entry["rung"] = rung.step->rung;
      if (!rung.found()) {
        fmt::print("  {:<{}}  {}\n", rung.step->title, width, rung.problem);
        entry["error"] = rung.problem;
      } else if (counting_) {
        show_counts(rung, before, width, entry);
      } else {
        show_time(rung, before, width, entry);
      }
      if (rung.found()) before = &rung;
      out["steps"].push_back(entry);
    }
    return out;
  }

  BarChart chart() const {
    BarChart chart;
    chart.title = ladder_.title;
    chart.subtitle = fmt::format("{}{}, {}", ladder_.shape.title,
                                 counting_ && !counted_shape_text(ladder_.shape).empty()
                                     ? " (" + counted_shape_text(ladder_.shape) + ")"
                                     : "",
                                 stage_.device == "gpu" ? kit_.device.name : "one core");
    std::vector<BarSeries> series;
    if (counting_) {
      series = {{"accesses to global memory for each multiply-add", {}},
                {"loads from shared memory for each multiply-add", {}},
                {"barriers (of a thread) for each output", {}}};
    } else {
      series = {{"GFLOP/s", {}}};
    }
    for (const Rung& rung : rungs_) {
      chart.steps.push_back(rung.step->title);
      const auto add = [&](size_t at, double value) {
        series[at].values.push_back(rung.found() ? std::optional(value) : std::nullopt);
      };
      if (counting_) {
        add(0, global_accesses(rung.counted) / multiply_adds());
        add(1, rung.counted.of("shared_loads") / multiply_adds());
        add(2, rung.counted.per_output("barriers"));
      } else {
        add(0, gflops(rung));
      }
    }
    chart.series = std::move(series);
    return chart;
  }

  bool all_found() const { return std::ranges::all_of(rungs_, &Rung::found); }

 private:
  // To global memory, of whatever kind.
  static double global_accesses(const Counted& counted) {
    return counted.of("global_loads") + counted.of("global_stores") + counted.of("global_atomics");
  }
  // Of the shape that was counted, from its flop: of the operation, not of what a step computes.
  double multiply_adds() const { return counted_shape(ladder_.shape).flop / 2; }
  double gflops(const Rung& rung) const {
    return rung.seconds == 0 ? 0 : ladder_.shape.flop / rung.seconds * 1e-9;
  }
  double share_of_peer(const Rung& rung) const {
    const auto peer = std::ranges::find_if(rungs_, [](const Rung& r) { return r.step->peer; });
    if (peer == rungs_.end() || peer->seconds == 0 || rung.seconds == 0) return 0;
    return peer->seconds / rung.seconds;
  }

  void print_head(size_t width) const {
    if (counting_) {
      fmt::print("  {:<{}}  {:>12}  {:>7}  {:>7}  {:>12}  {:>8}  {:>13}\n", "for each output",
                 width, "global loads", "stores", "atomics", "shared loads", "barriers",
                 "multiply-adds");
    }
  }

  void show_counts(const Rung& rung, const Rung* before, size_t width, ordered_json& entry) const {
    const double loads = rung.counted.per_output("global_loads");
    std::string bought;
    if (before) {
      bought = fmt::format("  {:.2f}x the accesses",
                           global_accesses(rung.counted) / global_accesses(before->counted));
    }
    const double products = multiply_adds() / rung.counted.outputs;
    fmt::print("  {:<{}}  {:>12.2f}  {:>7.2f}  {:>7.2f}  {:>12.2f}  {:>8.3f}  {:>13.0f}{}\n",
               rung.step->title, width, loads, rung.counted.per_output("global_stores"),
               rung.counted.per_output("global_atomics"), rung.counted.per_output("shared_loads"),
               rung.counted.per_output("barriers"), products, bought);
    entry["outputs"] = rung.counted.outputs;
    entry["multiply_adds_per_output"] = products;
    for (const auto& [name, value] : rung.counted.counts) entry[name] = value;
  }

  void show_time(const Rung& rung, const Rung* before, size_t width, ordered_json& entry) const {
    if (rung.seconds == 0) return;  // interrupted
    const double share = share_of_peer(rung);
    fmt::print("  {:<{}}  {:>9.3f} ms  +-{:>4.1f} %  {:>9.1f} GFLOP/s{}{}\n", rung.step->title,
               width, rung.seconds * 1e3, rung.spread * 100, gflops(rung),
               share > 0 ? fmt::format("  {:>6.1f} % of the peer", share * 100) : "",
               before && before->seconds > 0
                   ? fmt::format("  {:.2f}x as fast", before->seconds / rung.seconds)
                   : "");
    entry["median_ms"] = rung.seconds * 1e3;
    entry["spread"] = rung.spread;
    entry["gflops"] = gflops(rung);
    if (share > 0) entry["share_of_peer"] = share;
  }

  const Kit& kit_;
  const Stage& stage_;
  const Ladder& ladder_;
  BenchContestants& build_;
  bool counting_;
  std::vector<Rung> rungs_;
};

}  // namespace

int run_ladder(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  const auto ladders = wanted_tables(stage, stage.ladders, "ladder", options);
  const bool counting = kit.lacks_gpu(stage);
  BenchContestants build(kit, stage, counting);
  const BenchSubject subject = single_subject(kit, stage, options);
  ordered_json out = {{"schema", "convkit-ladder-1"},
                      {"kit_version", kit.version},
                      {"stage", stage.id},
                      {"device", stage.device == "gpu" ? kit.device.name : "cpu"},
                      {"ladders", ordered_json::array()}};
  bool good = true;
  for (const Ladder* ladder : ladders) {
    if (interrupted()) break;
    const std::string shape_text = counting ? counted_shape_text(ladder->shape) : "";
    fmt::print("{}: {}{}\n", ladder->title, ladder->shape.title,
               shape_text.empty() ? "" : ", " + shape_text);
    if (counting) {
      fmt::print(
          "Counts on the CPU device, the same on a GPU; an access is one by one thread, whatever "
          "its\n"
          "width. Multiply-adds are those of the operation.\n");
    }
    Climb climb(kit, stage, *ladder, subject, build);
    if (counting) {
      climb.count();
    } else {
      climb.time(options.seconds);
    }
    out["ladders"].push_back(climb.show());
    const fs::path picture = picture_path(kit, stage, options, "ladder-" + ladder->name);
    write_whole(picture, draw(climb.chart()));
    fmt::print("Picture: {}\n\n", picture.string());
    std::fflush(stdout);
    good = good && climb.all_found();
  }
  write_json(options.json, out);
  return good ? 0 : 1;
}

}  // namespace convkit
