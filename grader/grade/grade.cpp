// SPDX-License-Identifier: MIT
#include "grade/grade.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "convkit/temporary_folder.h"
#include "grade/depends.h"
#include "grade/journal.h"
#include "grade/stage_build.h"
#include "process/sandbox.h"
#include "process/sandbox_user.h"
#include "report/plain_text.h"
#include "submission/intake.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kCacheBytes = 1ull << 30;  // of compiled submissions, kept between runs

// None of the stage's files is there.
StageResult incomplete(const Stage& stage, const FoundStage& found) {
  StageResult result;
  result.id = stage.id;
  result.title = stage.title;
  result.max_points = stage.max_points();
  result.status = Status::build_failed;
  for (size_t i = 0; i < found.missing.size(); ++i) {
    result.message += fmt::format("{}`{}` is missing", i ? "; " : "", found.missing[i]);
    if (!found.nearest[i].empty()) {
      result.message += fmt::format(" (`{}` is there: rename it?)", found.nearest[i]);
    }
  }
  result.message += ".";
  return result;
}

std::vector<StageFiles> required_files(const std::vector<Stage>& stages) {
  std::vector<StageFiles> required;
  for (const Stage& stage : stages) required.push_back({stage.id, stage.files});
  return required;
}

// On one line of a terminal, whatever a student called the file.
std::string harmless_name(std::string name) {
  std::ranges::replace_if(
      name, [](char ch) { return ch == '\n' || ch == '\t'; }, ' ');
  return plain_text(name);
}

GradingIdentity identity_of(const Kit& kit, const Result& result, const GradeOptions& options) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const auto choice = [](bool taken) { return std::string(taken ? "true" : "false"); };
  GradingIdentity identity = {{"submission", result.submission_sha256},
                              {"sandbox", result.sandbox},
                              {"choice of --no-hidden", choice(options.stage.hidden)},
                              {"choice of --reveal-hidden", choice(options.stage.reveal_hidden)},
                              {"choice of --no-speed", choice(options.stage.speed)},
                              {"choice of --no-check", choice(options.stage.check_again)},
                              {"CONVKIT_TIME_SCALE", variable("CONVKIT_TIME_SCALE")},
                              {"CONVKIT_MEMORY_MIB", variable("CONVKIT_MEMORY_MIB")},
                              {"course.toml", sha256_hex(file_text(kit.root / "course.toml"))}};
  identity.insert(result.depends.begin(), result.depends.end());
  std::string& stages = identity["choice of stages"];
  for (const StageResult& of : result.stages) stages += of.id + " ";
  return identity;
}

// "sandbox and another submission"
std::string differences(const GradingIdentity& before, const GradingIdentity& now) {
  GradingIdentity either = before;
  either.insert(now.begin(), now.end());
  std::vector<std::string> names;
  for (const auto& [name, which] : either) {
    const auto was = before.find(name), is = now.find(name);
    if (was == before.end() || is == now.end() || was->second != is->second) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, " and another "));
}

// Nothing is known about the sandbox yet.
Result unconfined_result(const Kit& kit) {
  Result result;
  result.kit_version = kit.version;
  result.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  result.device = kit.device.gpu ? kit.device.name : "cpu";
  return result;
}

// Those that the submission may hold files of: only their stage.toml could tell.
std::vector<BrokenStage> broken_stages(const Kit& kit, const GradeOptions& options) {
  return options.stages.empty() ? kit.broken : std::vector<BrokenStage>();
}

StageResult not_graded(const BrokenStage& stage) {
  StageResult result;
  result.id = result.title = stage.id;
  result.status = Status::grader_error;
  result.message =
      stage.fault + " The stage was not graded, and its points are unknown; no points were lost.";
  return result;
}

// None: result.error says why, or there are broken ones.
std::vector<FoundStage> stages_to_grade(const Kit& kit, const Submission& taken,
                                        const GradeOptions& options, Result& result) {
  FoundStages found = find_stages(taken, required_files(kit.stages));
  if (!options.stages.empty()) {
    std::erase_if(found.stages, [&](const FoundStage& f) {
      return std::find(options.stages.begin(), options.stages.end(), f.id) == options.stages.end();
    });
  }
  if (found.stages.empty() && !broken_stages(kit, options).empty()) return {};
  if (found.stages.empty()) {
    const std::string wanted =
        options.stages.empty() ? "any stage" : fmt::format("{}", fmt::join(options.stages, ", "));
    result.error = found.problems.empty()
                       ? fmt::format("{} holds no files of {}.", result.submission_name, wanted)
                       : found.problems.front();
    return {};
  }
  for (const auto* sentences : {&found.problems, &found.notes}) {
    result.notes.insert(result.notes.end(), sentences->begin(), sentences->end());
  }
  return std::move(found.stages);
}

Result ended(Result result, ResultFile& file) {
  result.interrupted = interrupted();
  file.write(result, true, true);
  return result;
}

}  // namespace

Result new_result(const Kit& kit) {
  Result result = unconfined_result(kit);
  result.sandbox = probe_sandbox(kit.confine()).description();
  return result;
}

Result grade(const Kit& kit, const fs::path& submission, const GradeOptions& options,
             Progress& progress) {
  Journal journal(options.json.empty() ? "" : options.json.string() + ".journal");
  journal.lock();
  ResultFile file(options.json);
  Result result = unconfined_result(kit);
  result.interrupted = true;  // what a reader of the file must think until this one has ended
  result.submission_name =
      harmless_name(submission.filename().empty() ? submission.parent_path().filename().string()
                                                  : submission.filename().string());
  // What a nonce or a journal belongs to may be this file.
  const bool anew = options.nonce.sha256.empty() && !options.resume;
  if (anew) file.write(result, true);
  result.sandbox = probe_sandbox(kit.confine()).description();
  if (anew) file.write(result, true);

  const TemporaryFolder unpacked("intake");
  Submission taken;
  try {
    progress.doing(fmt::format("unpacking {}", result.submission_name));
    taken = take_in(submission, unpacked.path());
  } catch (const SubmissionError& error) {
    result.error = error.what();
    return ended(std::move(result), file);
  }
  if (!options.nonce.sha256.empty() && options.nonce.sha256 != taken.sha256) {
    throw UsageError(fmt::format(
        "The nonce belongs to another submission: the result has the sha256 {}, and {} has {}.",
        options.nonce.sha256, result.submission_name, taken.sha256));
  }
  result.submission_sha256 = taken.sha256;
  result.notes = taken.notes;
  std::vector<FoundStage> found = stages_to_grade(kit, taken, options, result);
  const auto add_broken = [&] {
    for (const BrokenStage& broken : broken_stages(kit, options)) {
      result.stages.push_back(not_graded(broken));
    }
  };
  if (found.empty()) {
    if (result.error.empty()) add_broken();
    return ended(std::move(result), file);
  }

  const auto earlier = options.resume ? journal.read() : std::nullopt;
  result.nonce = earlier                        ? earlier->nonce
                 : options.nonce.digits.empty() ? draw_nonce().digits
                                                : options.nonce.digits;
  if (earlier) result.started = earlier->started;
  std::vector<const Stage*> stages;
  for (const FoundStage& f : found) stages.push_back(&kit.stage(f.id));
  try {
    result.depends = depends_of(kit, stages, options.stage.hidden);
    result.fingerprints = fingerprints_of(kit, stages, options.stage.hidden, result.depends);
  } catch (const std::exception&) {
    // A grader says what is wrong with its stage.
  }
  result.choices = {{"check", options.stage.check_again},
                    {"hidden", options.stage.hidden},
                    {"reveal_hidden", options.stage.reveal_hidden}};
  StageOptions stage_options = options.stage;
  stage_options.nonce = result.nonce;
  std::vector<std::unique_ptr<StageGrader>> graders;
  for (FoundStage& f : found) {
    const Stage& stage = kit.stage(f.id);
    if (f.missing.size() < stage.files.size()) {
      const fs::path folder = taken.root / f.folder;
      Prepared prepared = prepare_folder(stage, folder, kit.starter(stage), kit.root, f);
      graders.push_back(std::make_unique<StageGrader>(kit, stage, folder, f.files, stage_options));
      graders.back()->keep_in(journal.of(stage.id));
      graders.back()->keep(options.earlier ? options.earlier->kept(stage, result)
                                           : journal.of(stage.id).kept());
      graders.back()->add_notes(prepared.notes);
      graders.back()->add_missing(std::move(prepared.missing));
      result.stages.push_back(graders.back()->planned());
    } else {
      graders.push_back(nullptr);
      result.stages.push_back(incomplete(stage, f));
    }
  }
  const GradingIdentity grading = identity_of(kit, result, options);
  if (earlier && earlier->grading != grading) {
    throw UsageError(
        fmt::format("{} was started with another {}, so it cannot be resumed. Without --resume "
                    "the grading starts again.",
                    options.json.string(), differences(earlier->grading, grading)));
  }
  add_broken();  // behind those that have a grader
  journal.open({grading, result.nonce, result.started});
  for (const auto& grader : graders) {
    if (grader && options.earlier) grader->write_kept();
  }
  file.write(result, true);
  open_to_sandbox(unpacked.path(), false);

  std::mutex mutex;
  const auto publish_to = [&](size_t index) {
    return [&, index](const StageResult& stage) {
      const std::lock_guard lock(mutex);
      result.stages[index] = stage;
      file.write(result, false);
    };
  };
  Builder builder = kit.builder();
  ThreadPool pool;
  pool.parallel_for(static_cast<int64_t>(graders.size()), 1, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      if (graders[i]) graders[i]->run_cases(builder, pool, progress, publish_to(i));
    }
  });
  bool untimed = false;
  for (size_t i = 0; i < graders.size(); ++i) {
    if (!graders[i] || interrupted()) continue;
    if (options.speed_later && graders[i]->has_speed_to_measure()) {
      untimed = true;
    } else {
      graders[i]->run_speed(builder, pool, progress, publish_to(i));
    }
  }
  result = ended(std::move(result), file);
  if (!result.interrupted && !untimed) journal.remove();
  ObjectCache(ObjectCache::default_folder()).trim(kCacheBytes);
  return result;
}

}  // namespace convkit
