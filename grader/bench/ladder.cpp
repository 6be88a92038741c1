// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <cstdio>

#include "bench/bench.h"
#include "bench/counted_run.h"
#include "bench/json_view.h"
#include "bench/pictures.h"
#include "bench/table_choice.h"
#include "bench/terminal_view.h"
#include "compile/object_key.h"
#include "convkit/atomic_file.h"
#include "grade/rung.h"
#include "grade/speed/speed_runner.h"
#include "machine/console.h"
#include "process/process.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// Builds the steps of a ladder, and finds their figures.
class Climb {
 public:
  Climb(const Kit& kit, const Stage& stage, const Ladder& ladder, const BenchSubject& subject,
        BenchContestants& build)
      : stage_(stage), build_(build) {
    result_.ladder = &ladder;
    result_.counting = kit.lacks_gpu(stage);
    result_.note = result_.counting ? counted_shape_text(ladder.shape) : "";
    result_.counted_flop = counted_shape(ladder.shape).flop;
    fmt::print("{}", heading(result_));
    std::map<std::string, BenchContestant> built;
    for (const LadderStep& step : ladder.steps) {
      // What a library does is not counted: it runs no kernels here.
      if (result_.counting && step.library) {
        fmt::print("  {} is left out: the work of a library is not counted.\n", step.title);
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
      result_.rungs.push_back({&step, "", 0, 0, {}});
      codes_.push_back(built.at(code));
    }
  }

  LadderResult found(double seconds) {
    if (result_.counting) {
      count();
    } else {
      time(seconds);
    }
    return std::move(result_);
  }

 private:
  void count() {
    StatusLine status;
    for (size_t i = 0; i < codes_.size(); ++i) {
      if (interrupted()) return;
      LadderRung& rung = result_.rungs[i];
      status.doing(fmt::format("counting {}", rung.step->title));
      CountedShape shape = counted_shape(result_.ladder->shape);
      for (const auto& [name, param] : rung.step->params) shape.params[name] = param;
      rung.counted = count_run(stage_, build_.session(codes_[i]), rung.step->op, shape);
      rung.problem = rung.counted.problem.empty() ? no_kernel(rung.counted, rung.step->op)
                                                  : rung.counted.problem;
    }
  }

  void time(double seconds) {
    const BenchContestant baseline = build_.submission("baseline", stage_.directory / "baseline");
    std::vector<Contestant> contestants = {{"baseline", build_.timed_session(baseline), "", {}}};
    for (size_t i = 0; i < codes_.size(); ++i) {
      const LadderStep& step = *result_.rungs[i].step;
      contestants.push_back({step.title, build_.timed_session(codes_[i]), step.op, step.params});
    }
    TimingPlan plan;
    plan.budget_s = seconds * static_cast<double>(contestants.size()) / 2;
    std::vector<Timing> timings;
    {
      StatusLine status;
      status.doing(fmt::format("timing {}", result_.ladder->title));
      timings = time_in_turn(stage_, result_.ladder->shape, contestants, plan);
    }
    for (size_t i = 0; i < result_.rungs.size() && !timings.empty(); ++i) {
      LadderRung& rung = result_.rungs[i];
      take_timing(timings[i + 1], stage_, rung.step->op, rung);
    }
  }

  const Stage& stage_;
  BenchContestants& build_;
  LadderResult result_;
  std::vector<BenchContestant> codes_;  // of each rung
};

}  // namespace

int bench_ladders(const Kit& kit, const Stage& stage, const BenchOptions& options) {
  const auto ladders = wanted_tables(stage, stage.ladders, "ladder", options);
  BenchContestants build(kit, stage, bench_mode(kit, stage));
  const BenchSubject subject = single_subject(kit, stage, options);
  const bool gpu_stage = stage.device == "gpu";
  LadderResults results{kit.version, stage.id, gpu_stage ? kit.device.name : "cpu", {}};
  bool good = true;
  for (const Ladder* ladder : ladders) {
    if (interrupted()) break;
    const LadderResult result =
        Climb(kit, stage, *ladder, subject, build).found(options.seconds_of_shape());
    fmt::print("{}", table(result));
    const fs::path picture = picture_path(kit, stage, options, "ladder-" + ladder->name);
    write_whole(picture, draw(picture_of(result, gpu_stage ? kit.device.name : "one core")));
    fmt::print("Picture: {}\n\n", picture.string());
    std::fflush(stdout);
    good = good && result.complete();
    results.ladders.push_back(result);
  }
  if (!options.json.empty()) write_whole(options.json, to_json(results));
  return good ? 0 : 1;
}

}  // namespace convkit
