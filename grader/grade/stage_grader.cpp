// SPDX-License-Identifier: MIT
#include "grade/stage_grader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "build/object_key.h"
#include "grade/case_runner.h"
#include "grade/sanitizer_report.h"
#include "grade/speed_runner.h"
#include "grade/verdict.h"
#include "stage/kit_error.h"

namespace convkit {
namespace {

constexpr size_t kPrintedBytes = 2000;  // kept of what one case printed

Status status_of(BuildResult::Status status) {
  switch (status) {
    case BuildResult::Status::ok:
      return Status::pass;
    case BuildResult::Status::timed_out:
      return Status::timed_out;
    case BuildResult::Status::limit:
      return Status::limit;
    case BuildResult::Status::policy:
      return Status::policy;
    case BuildResult::Status::no_compiler:
      return Status::grader_error;
    case BuildResult::Status::interrupted:
      return Status::skipped;
    case BuildResult::Status::failed:
      break;
  }
  return Status::build_failed;
}

// A full disk or a folder that cannot be made is the machine's fault: it must not end the grading
// of other stages.
BuildResult build_or_explain(Builder& builder, const BuildRequest& request, ThreadPool& pool,
                             const std::function<void(const std::string&)>& progress = {}) try {
  return builder.build(request, pool, progress);
} catch (const std::exception& error) {
  BuildResult result;
  result.status = BuildResult::Status::no_compiler;
  result.message = error.what();
  return result;
}

// Where a name is defined twice: a source that the stage does not ask for is the likely reason.
std::string cause_of_duplicate(const BuildResult& built, const Stage& stage,
                               const std::vector<std::string>& files) {
  if (!built.message.ends_with("is defined twice.")) return "";
  for (const std::string& file : files) {
    const bool wanted =
        std::find(stage.files.begin(), stage.files.end(), file) != stage.files.end();
    if (wanted || !is_source(file) || built.log.find(file) == std::string::npos) continue;
    return fmt::format(" `{}` is not one of the stage's files: if it is a copy, remove it.", file);
  }
  return "";
}

// "12 of 54 cases pass; 40 are not started, 2 are wrong."
std::string summary_of(const std::vector<CaseResult>& cases) {
  static constexpr std::pair<Status, const char*> kWords[] = {
      {Status::wrong, "wrong"},
      {Status::crashed, "crashed"},
      {Status::timed_out, "timed out"},
      {Status::limit, "went over a limit"},
      {Status::policy, "broke a rule"},
      {Status::not_started, "not started"},
      {Status::skipped, "skipped"},
      {Status::pending, "pending"},
      {Status::grader_error, "not judged by the kit's own fault"}};
  const auto count = [&](Status status) {
    return std::count_if(cases.begin(), cases.end(),
                         [&](const CaseResult& c) { return c.status == status; });
  };
  std::string text = fmt::format("{} of {} cases pass", count(Status::pass), cases.size());
  const char* separator = ": ";
  for (const auto& [status, word] : kWords) {
    if (count(status) == 0) continue;
    text += fmt::format("{}{} {}", separator, count(status), word);
    separator = ", ";
  }
  return text + ".";
}

}  // namespace

double speed_points(const SpeedCase& speed, double ratio) {
  if (!(ratio > speed.none)) return 0;
  return speed.points *
         std::min(1.0, std::log(ratio / speed.none) / std::log(speed.full / speed.none));
}

StageGrader::StageGrader(const Kit& kit, const Stage& stage, std::filesystem::path folder,
                         std::vector<std::string> files, StageOptions options)
    : kit_(kit),
      stage_(stage),
      folder_(std::move(folder)),
      files_(std::move(files)),
      options_(std::move(options)) {
  result_.id = stage.id;
  result_.title = stage.title;
  try {
    take_cases(kit.visible_cases(stage), false);
    if (options_.hidden) {
      const std::filesystem::path hidden = kit.wanted_hidden_cases(stage);
      if (!hidden.empty()) take_cases(hidden, true);
    }
  } catch (const std::exception& error) {
    result_.status = Status::grader_error;
    result_.message =
        fmt::format("{} Your code was not judged and no points were lost.", error.what());
  }
  if (!options_.only_case.empty()) {
    std::erase_if(cases_, [&](const CaseSpec& spec) { return spec.name != options_.only_case; });
    options_.speed = false;
  }
  result_ = planned();
}

void StageGrader::take_cases(const std::filesystem::path& folder, bool hidden) {
  CaseSet set = load_case_set(folder, stage_);
  result_.references.push_back(
      {hidden ? "hidden" : "visible", set.cases.size(), set.seed, set.manifest_sha256});
  for (CaseSpec& spec : set.cases) {
    spec.hidden = hidden || spec.hidden;
    cases_.push_back(std::move(spec));
  }
}

void StageGrader::add_notes(const std::vector<std::string>& notes) {
  result_.notes.insert(result_.notes.end(), notes.begin(), notes.end());
}

StageResult StageGrader::planned() const {
  StageResult planned = result_;
  planned.cases.clear();
  planned.speed.clear();
  for (const CaseSpec& spec : cases_) {
    CaseResult pending;
    pending.name = spec.name;
    pending.group = spec.group;
    pending.task = spec.task;
    pending.op = spec.op;
    pending.hidden = spec.hidden;
    pending.message = "Not run yet.";
    planned.cases.push_back(std::move(pending));
  }
  planned.max_points = planned.pending_points = 0;
  for (const Group& group : stage_.groups) planned.max_points += group.points;
  for (const SpeedCase& speed : stage_.speed) {
    if (speed.points == 0) continue;
    SpeedResult pending;
    pending.name = speed.name;
    pending.title = speed.title;
    pending.max_points = pending.pending_points = speed.points;
    pending.message = "Not measured yet.";
    planned.speed.push_back(std::move(pending));
    planned.max_points += speed.points;
  }
  planned.pending_points = planned.max_points;
  return planned;
}

void StageGrader::skip_all(const std::string& why) {
  for (CaseResult& c : result_.cases) {
    c.status = Status::skipped;
    c.message = why;
  }
  for (SpeedResult& s : result_.speed) {
    s.status = Status::skipped;
    s.message = why;
    s.pending_points = 0;
  }
}

void StageGrader::skip_rest(size_t first) {
  for (size_t i = first; i < result_.cases.size(); ++i) {
    result_.cases[i].status = Status::skipped;
    result_.cases[i].message =
        fmt::format("Skipped: the cases before it took all of the stage's {} s.",
                    stage_.limits.all_cases.count());
  }
}

// The later of two results of one case.
void StageGrader::replace_case(const CaseResult& result) {
  for (CaseResult& c : result_.cases) {
    if (c.name == result.name && c.hidden == result.hidden) c = result;
  }
}

void StageGrader::run_cases(Builder& builder, ThreadPool& pool, Progress& progress,
                            const std::function<void(const StageResult&)>& publish) {
  if (result_.status == Status::grader_error) return;
  const Stopwatch build_watch;
  const bool check = options_.check_mode && kit_.lacks_gpu(stage_);
  BuildRequest request = kit_.build_request(stage_, folder_, files_, check);
  request.sanitize = options_.sanitize;
  request.confined = !options_.sanitize;
  const BuildResult built = build_or_explain(builder, request, pool, [&](const std::string& file) {
    progress.doing(fmt::format("{}: compiling {}", stage_.id, file));
  });
  result_.build_s = build_watch.elapsed_s();
  result_.log = built.log;
  for (const std::string& file : files_) {
    if (is_source(file) && !lies_at_top(file)) {
      result_.notes.push_back(
          fmt::format("`{}` lies in a folder of its own: it was not compiled.", file));
    }
  }
  add_notes(built.notes);
  if (built.status != BuildResult::Status::ok) {
    result_.status = status_of(built.status);
    result_.message = built.message + cause_of_duplicate(built, stage_, request.files);
    // Where it was not the submission that failed, everything stays pending.
    if (built.status == BuildResult::Status::interrupted) {
      result_.status = Status::pending;
    } else if (result_.status == Status::grader_error) {
      result_.message += " Your code was not judged and no points were lost.";
    } else {
      skip_all("Skipped: the submission did not build.");
      score_cases();
    }
    publish(result_);
    return;
  }
  library_ = built.library;

  const Stopwatch run_watch;
  const auto budget_s = static_cast<double>(stage_.limits.all_cases.count());
  SessionOptions session = kit_.session_options(stage_, library_, check);
  if (options_.sanitize) use_sanitizers(session, kit_.runner(stage_, RunnerKind::sanitizer));
  CaseRunner runner(stage_, std::move(session), options_.reveal_hidden);
  for (size_t i = 0; i < cases_.size(); ++i) {
    if (interrupted()) break;
    progress.doing(
        fmt::format("{}: case {} ({} of {})", stage_.id, cases_[i].name, i + 1, cases_.size()));
    if (!options_.sanitize && run_watch.elapsed_s() > budget_s) {
      skip_rest(i);
      break;
    }
    result_.cases[i] = runner.run(cases_[i]);
    if (const auto forged = runner.take_forged()) replace_case(*forged);
    if (options_.sanitize) explain_sanitizer(result_.cases[i], folder_);
    if (!options_.sanitize && result_.cases[i].printed.size() > kPrintedBytes) {
      result_.cases[i].printed.resize(kPrintedBytes);
    }
    progress.finished(result_, result_.cases[i]);
    result_.run_s = run_watch.elapsed_s();
    score_cases();
    publish(result_);
  }
  if (!interrupted()) runner.finish();
  if (const auto forged = runner.take_forged()) replace_case(*forged);
  result_.run_s = run_watch.elapsed_s();
  score_cases();
  finish();
  publish(result_);
}

void StageGrader::run_speed(Builder& builder, ThreadPool& pool, Progress& progress,
                            const std::function<void(const StageResult&)>& publish) {
  if (library_.empty() || result_.speed.empty()) return;
  const auto set_all = [&](Status status, const std::string& message) {
    for (SpeedResult& s : result_.speed) {
      s.status = status;
      s.message = message;
      if (status != Status::pending && status != Status::grader_error) s.pending_points = 0;
    }
  };
  if (!options_.speed) {
    set_all(Status::pending, "Not measured in this run.");
  } else if (kit_.lacks_gpu(stage_)) {
    set_all(Status::pending,
            "Pending: speed is measured on a GPU, and this run graded on the CPU device.");
  } else {
    const std::filesystem::path baseline_folder = stage_.directory / "baseline";
    const BuildResult baseline = build_or_explain(
        builder, kit_.build_request(stage_, baseline_folder, list_files(baseline_folder)), pool);
    if (baseline.status == BuildResult::Status::interrupted) return;
    if (baseline.status != BuildResult::Status::ok) {
      set_all(Status::grader_error,
              fmt::format("The baseline does not build: {}", baseline.message));
    } else {
      for (SpeedResult& out : result_.speed) {
        if (interrupted()) break;
        const auto speed = std::find_if(stage_.speed.begin(), stage_.speed.end(),
                                        [&](const SpeedCase& s) { return s.name == out.name; });
        // Nothing is timed that is not right.
        const auto broken = std::find_if(
            result_.cases.begin(), result_.cases.end(),
            [&](const CaseResult& c) { return c.op == speed->op && c.status != Status::pass; });
        if (broken != result_.cases.end()) {
          const bool judged =
              broken->status != Status::pending && broken->status != Status::grader_error;
          out.status = judged ? Status::skipped : Status::pending;
          out.pending_points = judged ? 0 : out.max_points;
          out.message = fmt::format("Not timed: case {} of {} is {}.", broken->name, speed->op,
                                    name_of(broken->status));
          continue;
        }
        progress.doing(fmt::format("{}: timing {}", stage_.id, speed->title));
        measure(*speed, baseline.library, out);
        publish(result_);
      }
    }
  }
  score_cases();
  finish();
  publish(result_);
}

void StageGrader::measure(const SpeedCase& speed, const std::filesystem::path& baseline,
                          SpeedResult& out) {
  try {
    const auto timings = time_in_turn(stage_, speed,
                                      {{"baseline", kit_.session_options(stage_, baseline)},
                                       {"submission", kit_.session_options(stage_, library_)}},
                                      {});
    if (interrupted()) return;
    const Timing& submission = timings[1];
    out.pending_points = 0;
    if (submission.outcome != Answer::Kind::ok) {
      const Verdict verdict = verdict_of(submission.failure, stage_, speed.op, -1);
      out.status = verdict.status;
      out.message = verdict.message;
      if (verdict.status == Status::grader_error) out.pending_points = out.max_points;
      return;
    }
    if (submission.wrong) {
      out.status = Status::wrong;
      out.message = submission.message;
      return;
    }
    const size_t pairs = std::min(timings[0].seconds.size(), submission.seconds.size());
    const std::span<const double> base(timings[0].seconds.data(), pairs);
    const std::span<const double> own(submission.seconds.data(), pairs);
    const Spread ratio = ratio_of_pairs(base, own);
    out.pairs = static_cast<unsigned>(pairs);
    out.ratio = ratio.median;
    out.ratio_low = ratio.lower_quartile;
    out.ratio_high = ratio.upper_quartile;
    out.baseline_ms = median(base) * 1e3;
    out.submission_ms = median(own) * 1e3;
    out.gflops = speed.flop / median(own) * 1e-9;
    out.points = speed_points(speed, out.ratio);
    out.status = out.ratio >= speed.full ? Status::pass : Status::slow;
    out.message = fmt::format(
        "{:.1f}x the baseline's speed (quartiles {:.1f} to {:.1f}, {} pairs); full marks at {:g}x, "
        "none at {:g}x.",
        out.ratio, out.ratio_low, out.ratio_high, out.pairs, speed.full, speed.none);
  } catch (const std::exception& error) {
    out.pending_points = out.max_points;
    if (interrupted()) return;  // a baseline that was interrupted is no fault
    out.status = Status::grader_error;
    out.message = fmt::format("{} No points were lost.", error.what());
  }
}

void StageGrader::score_cases() {
  result_.points = result_.pending_points = 0;
  result_.groups.clear();
  for (const Group& group : stage_.groups) {
    GroupResult scored{group.name, group.title, 0, 0, 0, group.points};
    unsigned open = 0;
    for (const CaseResult& c : result_.cases) {
      if (c.group != group.name) continue;
      ++scored.total;
      scored.passed += c.status == Status::pass;
      open += c.status == Status::pending || c.status == Status::grader_error;
    }
    if (scored.total == 0) continue;
    scored.points = group.points * scored.passed / scored.total;
    result_.points += scored.points;
    result_.pending_points += group.points * open / scored.total;
    result_.groups.push_back(std::move(scored));
  }
  for (const SpeedResult& s : result_.speed) {
    result_.points += s.points;
    result_.pending_points += s.pending_points;
  }
}

void StageGrader::finish() {
  result_.status = combine(result_);
  result_.message = summary_of(result_.cases);
}

}  // namespace convkit
