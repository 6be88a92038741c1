// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>

#include "convkit/kit_error.h"
#include "convkit/temporary_folder.h"
#include "grade/rung.h"
#include "grade/stage_grader.h"
#include "machine/python.h"
#include "process/process.h"
#include "stage/starter.h"
#include "stage/wrong_variant.h"
#include "verify/verify.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

// How a folder is graded: right results only, with speed, or in check mode.
enum class Grading { plain, with_speed, check_mode };

// Which cases are run: of one op only if it is named.
struct Chosen {
  bool training = true;
  std::string only_op = {};
  std::function<bool(const CaseResult&)> enough = {};
};

StageResult grade_folder(const Kit& kit, const Stage& stage, const fs::path& folder,
                         Grading grading, ThreadPool& pool, Progress& progress,
                         const Chosen& chosen = {}) {
  const bool speed = grading == Grading::with_speed;
  StageOptions options;
  options.hidden = false;
  options.speed = speed;
  options.check_mode = grading == Grading::check_mode;
  options.training = chosen.training;
  options.only_op = chosen.only_op;
  options.enough = chosen.enough;
  StageGrader grader(kit, stage, folder, list_files(folder), options);
  Builder builder = kit.builder();
  const auto ignore = [](const StageResult&) {};
  grader.run_cases(builder, pool, progress, ignore);
  if (speed) grader.run_speed(builder, pool, progress, ignore);
  return grader.result();
}

// The findings of `count` jobs that run at the same time; an interrupt leaves the last ones out.
Findings side_by_side(size_t count, const std::function<Finding(size_t, ThreadPool&)>& job) {
  Findings findings(count);
  ThreadPool pool;
  pool.parallel_for(static_cast<int64_t>(count), 1, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      if (!interrupted()) findings[i] = job(i, pool);
    }
  });
  return findings;
}

// A training takes as long as all other cases together: only what must show it, or must not be
// punished for anything, is trained.
bool shown_by_training(const Stage& stage, const WrongVariant& variant) {
  if (variant.status == "PASS") return true;
  return std::ranges::any_of(stage.training,
                             [&](const TrainingTable& table) { return table.op == variant.op; });
}

bool shows(const CaseResult& c, const WrongVariant& variant) {
  return name_of(c.status) == variant.status && (variant.op.empty() || c.op == variant.op) &&
         (variant.mistake.empty() || c.mistake == variant.mistake) &&
         c.message.find(variant.says) != std::string::npos;
}

// The failing case that shows what the variant expects, or the nearest to it.
const CaseResult* showing_case(const StageResult& result, const WrongVariant& variant) {
  const CaseResult* best = nullptr;
  int best_score = -1;
  for (const CaseResult& c : result.cases) {
    if (c.status == Status::pass || c.status == Status::skipped) continue;
    const int score = 4 * (name_of(c.status) == variant.status) + 2 * (c.op == variant.op) +
                      (c.mistake == variant.mistake &&
                       (variant.says.empty() || c.message.find(variant.says) != std::string::npos));
    if (score > best_score) best = &c, best_score = score;
  }
  return best;
}

// The first line that is not empty.
std::string first_line(const std::string& text) {
  const size_t begin = std::min(text.find_first_not_of('\n'), text.size());
  return text.substr(begin, text.find('\n', begin) - begin);
}

Finding judge_variant(const StageResult& result, const WrongVariant& variant) {
  Finding finding;
  finding.what = fmt::format("variant {}", variant.id);
  if (variant.status == "PASS") {
    const bool all = std::all_of(result.cases.begin(), result.cases.end(),
                                 [](const CaseResult& c) { return c.status == Status::pass; });
    finding.good = all && !result.cases.empty();
    finding.status = name_of(all ? Status::pass : result.status);
    finding.message = result.notes.empty() ? result.message : result.notes.front();
    return finding;
  }
  const bool nothing_ran =
      !result.cases.empty() &&
      std::all_of(result.cases.begin(), result.cases.end(),
                  [](const CaseResult& c) { return c.status == Status::skipped; });
  if (nothing_ran) {  // the build itself was refused
    finding.status = name_of(result.status);
    finding.good =
        finding.status == variant.status && result.message.find(variant.says) != std::string::npos;
    finding.message = result.message;
    return finding;
  }
  const CaseResult* c = showing_case(result, variant);
  if (!c) {
    finding.status = name_of(result.status);
    finding.message = "It was not caught. " + result.message;
    return finding;
  }
  finding.status = name_of(c->status);
  finding.good = shows(*c, variant);
  // A named mistake says its sentence in the message's last line.
  const std::string named =
      c->mistake.empty() ? first_line(c->message) : c->message.substr(c->message.rfind('\n') + 1);
  finding.message = fmt::format("{}{}", c->mistake.empty() ? "" : "[" + c->mistake + "] ", named);
  if (!finding.good) {
    finding.message +=
        fmt::format(" (expected {} {} in {})", variant.status, variant.mistake, variant.op);
  }
  return finding;
}

}  // namespace

Findings verify_starter_drift(const Kit& kit, const Stage& stage) {
  Findings findings;
  for (const std::string& drift : starter_drift(kit.solution(stage), kit.starter(stage))) {
    findings.push_back({false, "DRIFT", "starter", drift});
  }
  if (findings.empty()) {
    findings.push_back({true, "ok", "starter", "It is what the solution gives."});
  }
  return findings;
}

Findings verify_starter(const Kit& kit, const Stage& stage, Progress& progress) {
  ThreadPool pool;
  const StageResult result =
      grade_folder(kit, stage, kit.starter(stage), Grading::plain, pool, progress);
  Finding finding{true, name_of(result.status), "starter graded", result.message};
  for (const CaseResult& c : result.cases) {
    if (c.status == Status::not_started) continue;
    finding = {false, name_of(c.status), "starter graded",
               fmt::format("Case {} is not NOT_STARTED: {}", c.name, first_line(c.message))};
  }
  if (result.status != Status::not_started || result.points != 0) finding.good = false;
  if (finding.good && !result.log.empty()) {
    finding = {false, "WARNINGS", "starter graded", first_line(result.log)};
  }
  return {finding};
}

namespace {

Finding judge_solution(const Kit& kit, const Stage& stage, Grading grading, ThreadPool& pool,
                       Progress& progress) {
  const StageResult result = grade_folder(kit, stage, kit.solution(stage), grading, pool, progress);
  const bool speed = grading == Grading::with_speed;
  const double wanted = stage.max_points() - (speed ? 0 : stage.speed_points());
  Finding finding{result.points >= wanted - 1e-9 && result.log.empty(), name_of(result.status),
                  grading == Grading::check_mode ? "solution in check mode" : "solution graded",
                  fmt::format("{:g} of {:g} points. {}", result.points, wanted, result.message)};
  if (!result.log.empty()) finding.message += " The compiler warns: " + first_line(result.log);
  for (const SpeedResult& s : result.speed) {
    if (speed) finding.message += fmt::format(" {}: {:.1f}x.", s.name, s.ratio);
  }
  for (const CaseResult& c : result.cases) {
    if (c.status != Status::pass) {
      finding.message += fmt::format(" {}: {}", c.name, first_line(c.message));
      break;
    }
  }
  return finding;
}

}  // namespace

Findings verify_solution(const Kit& kit, const Stage& stage, bool speed, Progress& progress) {
  std::vector<Grading> gradings = {Grading::plain};
  if (kit.lacks_gpu(stage)) {
    // Check mode must have nothing to say of what is right.
    gradings.push_back(Grading::check_mode);
  } else if (speed) {
    gradings = {Grading::with_speed};
  }
  return side_by_side(gradings.size(), [&](size_t i, ThreadPool& pool) {
    return judge_solution(kit, stage, gradings[i], pool, progress);
  });
}

namespace {

Finding judge_rung(const Kit& kit, const Stage& stage, const LadderStep& step, Grading grading,
                   ThreadPool& pool, Progress& progress) {
  const bool check = grading == Grading::check_mode;
  const std::string name = fs::path(step.rung).stem().string();
  progress.doing(fmt::format("{}: rung {}", stage.id, name));
  Finding finding;
  finding.what = fmt::format("rung {}{}", name, check ? ", check mode" : "");
  const auto folder = lay_out_rung(kit, stage, step);
  if (!folder) throw KitError("verify needs the solutions, and this copy of the kit has none.");
  Progress silent;
  const StageResult result =
      grade_folder(kit, stage, folder->path(), grading, pool, silent, {.training = false});
  finding.status = name_of(result.status);
  finding.message = result.message;
  const auto missed = std::ranges::find_if(
      result.cases, [](const CaseResult& c) { return c.status != Status::pass; });
  finding.good = missed == result.cases.end() && !result.cases.empty() && result.log.empty();
  if (missed != result.cases.end()) {
    finding.message = fmt::format("{}: {}", missed->name, first_line(missed->message));
  } else if (!result.log.empty()) {
    finding.message = "The compiler warns: " + first_line(result.log);
  }
  return finding;
}

}  // namespace

Findings verify_rungs(const Kit& kit, const Stage& stage, Progress& progress) {
  struct Job {
    const LadderStep* step;
    Grading grading;
  };
  std::set<std::string> seen;  // a rung may be a step of several ladders
  std::vector<Job> jobs;
  for (const Ladder& ladder : stage.ladders) {
    for (const LadderStep& step : ladder.steps) {
      if (step.rung.empty() || !seen.insert(step.rung).second) continue;
      jobs.push_back({&step, Grading::plain});
      if (kit.lacks_gpu(stage)) jobs.push_back({&step, Grading::check_mode});
    }
  }
  return side_by_side(jobs.size(), [&](size_t i, ThreadPool& pool) {
    return judge_rung(kit, stage, *jobs[i].step, jobs[i].grading, pool, progress);
  });
}

Findings verify_variants(const Kit& kit, const Stage& stage, Progress& progress) {
  const fs::path solution = kit.solution(stage);
  const auto variants = load_wrong_variants(stage.directory / "wrong", solution);
  return side_by_side(variants.size(), [&](size_t i, ThreadPool& pool) -> Finding {
    const WrongVariant& variant = variants[i];
    progress.doing(fmt::format("{}: variant {}", stage.id, variant.id));
    const bool check = variant.needs == "check";
    const bool gpu = variant.needs == "gpu";
    if (!variant.needs.empty() && gpu == kit.lacks_gpu(stage)) {
      return {true, "SKIPPED", fmt::format("variant {}", variant.id),
              gpu     ? "Only a GPU shows it."
              : check ? "Only the CPU device's check mode is sure to see it."
                      : "Only the CPU device is sure to show it."};
    }
    const TemporaryFolder overlay("verify");
    write_wrong_variant(variant, solution, overlay.path());
    Progress silent;
    // Only a case of the variant's op can show it (judge_variant), and the first that does is
    // enough; what passes must pass all cases.
    Chosen chosen = {.training = shown_by_training(stage, variant)};
    if (variant.status != "PASS") {
      chosen.only_op = variant.op;
      chosen.enough = [&variant](const CaseResult& c) { return shows(c, variant); };
    }
    return judge_variant(
        grade_folder(kit, stage, overlay.path(), check ? Grading::check_mode : Grading::plain, pool,
                     silent, chosen),
        variant);
  });
}

Findings verify_texts(const Stage& stage) {
  std::vector<fs::path> files = {stage.directory / "cases.toml"};
  const fs::path wrong = stage.directory / "wrong";
  if (fs::is_directory(wrong)) {
    for (const auto& entry : fs::recursive_directory_iterator(wrong)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  Findings findings;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    std::string line;
    for (unsigned number = 1; std::getline(in, line); ++number) {
      for (const std::string key : {"summary", "about", "op"}) {
        if (!line.starts_with(key + " = \"TODO")) continue;
        findings.push_back(
            {false, "TODO", "texts",
             fmt::format("{}:{}: `{}` is still to be written.",
                         file.lexically_relative(stage.directory).string(), number, key)});
      }
    }
  }
  return findings;
}

Findings verify_references(const Kit& kit, const Stage& stage) {
  const Generated checked = run_generator(kit.root, {"--stage", stage.id, "--check"});
  return {{checked.good, checked.good ? "ok" : "DIFFERS", "references", checked.sentence}};
}

Findings verify_handout(const Kit& kit, const Stage& stage) {
  const fs::path handout = stage.directory / "README.md";
  std::ifstream in(handout);
  if (!in) return {{false, "MISSING", "handout", fmt::format("{} is missing.", handout.string())}};
  const TemporaryFolder work("verify");
  Findings findings;
  std::string line;
  bool in_block = false;
  unsigned commands = 0;
  while (std::getline(in, line)) {
    if (line.rfind("```", 0) == 0) in_block = !in_block && line == "```sh";
    if (!in_block || line.rfind("./convkit ", 0) != 0) continue;
    const std::string typed = line.substr(0, line.find(" #"));
    ++commands;
    Limits limits;
    limits.wall = std::chrono::minutes(3);
    Command command;
    // Run as typed, by the shell, with this build in the launcher's place.
    command.argv = {"/bin/sh", "-c", "\"$0\"" + typed.substr(std::string("./convkit").size()),
                    (kit.programs.folder() / "convkit").string()};
    command.directory = kit.root;
    command.environment =
        handed_on({"PATH", "HOME", "CONVKIT_CACHE", "CONVKIT_PYTHON", "CONVKIT_LAUNCHER"});
    command.environment.push_back("CONVKIT_WORK=" + work.path().string());
    command.environment.push_back("CONVKIT_ROOT=" + kit.root.string());
    const Completed completed = run_process(command, limits);
    // A starter fails its checks (1); anything above means the command is not what it was.
    const bool good = completed.ending.kind == Ending::Kind::exited && completed.ending.code <= 1;
    if (!good)
      findings.push_back({false, "FAILED", "handout",
                          fmt::format("`{}`: {}", typed, first_line(completed.output))});
  }
  if (findings.empty()) {
    findings.push_back({commands > 0, "ok", "handout", fmt::format("{} commands run.", commands)});
  }
  return findings;
}

}  // namespace convkit
