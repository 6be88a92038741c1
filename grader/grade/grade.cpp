// SPDX-License-Identifier: MIT
#include "grade/grade.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "convkit/kit_error.h"
#include "convkit/temporary_folder.h"
#include "grade/journal.h"
#include "grade/stage_build.h"
#include "process/sandbox.h"
#include "process/sandbox_user.h"
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

// What the verdicts of a grading depend on besides the nonce.
std::string what_decides(const Result& result, const GradeOptions& options) {
  std::string text =
      fmt::format("{} {} {} {}\nhidden {} revealed {} speed {}\n", result.kit_version,
                  result.submission_sha256, result.device, result.sandbox, options.stage.hidden,
                  options.stage.reveal_hidden, options.stage.speed);
  for (const StageResult& stage : result.stages) {
    text += stage.id + "\n";
    for (const ReferenceSet& set : stage.references) text += set.manifest_sha256 + "\n";
  }
  return text;
}

Result ended(Result result, ResultFile& file) {
  result.interrupted = interrupted();
  file.write(result, true, true);
  return result;
}

}  // namespace

Result new_result(const Kit& kit) {
  Result result;
  result.kit_version = kit.version;
  result.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  result.device = kit.device.gpu ? kit.device.name : "cpu";
  result.sandbox = probe_sandbox(kit.confine()).description();
  return result;
}

Result grade(const Kit& kit, const fs::path& submission, const GradeOptions& options,
             Progress& progress) {
  ResultFile file(options.json);
  Result result = new_result(kit);
  result.interrupted = true;  // what a reader of the file must think until this one has ended
  result.submission_name = submission.filename().empty()
                               ? submission.parent_path().filename().string()
                               : submission.filename().string();
  // What a nonce or a journal belongs to may be this file.
  if (options.nonce.sha256.empty() && !options.resume) file.write(result, true);

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
  FoundStages found = find_stages(taken, required_files(kit.stages));
  if (!options.stages.empty()) {
    std::erase_if(found.stages, [&](const FoundStage& f) {
      return std::find(options.stages.begin(), options.stages.end(), f.id) == options.stages.end();
    });
  }
  if (found.stages.empty()) {
    const std::string wanted =
        options.stages.empty() ? "any stage" : fmt::format("{}", fmt::join(options.stages, ", "));
    result.error = found.problems.empty()
                       ? fmt::format("{} holds no files of {}.", result.submission_name, wanted)
                       : found.problems.front();
    return ended(std::move(result), file);
  }
  result.notes.insert(result.notes.end(), found.problems.begin(), found.problems.end());

  Journal journal(options.json.empty() ? "" : options.json.string() + ".journal");
  const auto earlier = options.resume ? journal.read() : std::nullopt;
  result.nonce = earlier                        ? earlier->nonce
                 : options.nonce.digits.empty() ? draw_nonce().digits
                                                : options.nonce.digits;
  if (earlier) result.started = earlier->started;
  StageOptions stage_options = options.stage;
  stage_options.nonce = result.nonce;
  std::vector<std::unique_ptr<StageGrader>> graders;
  for (FoundStage& f : found.stages) {
    const Stage& stage = find_stage(kit.stages, f.id);
    if (f.missing.size() < stage.files.size()) {
      const fs::path folder = taken.root / f.folder;
      Prepared prepared = prepare_folder(stage, folder, kit.starter(stage), f);
      graders.push_back(std::make_unique<StageGrader>(kit, stage, folder, f.files, stage_options));
      graders.back()->keep_in(journal.of(stage.id));
      graders.back()->add_notes(prepared.notes);
      graders.back()->add_missing(std::move(prepared.missing));
      result.stages.push_back(graders.back()->planned());
    } else {
      graders.push_back(nullptr);
      result.stages.push_back(incomplete(stage, f));
    }
  }
  const std::string grading = what_decides(result, options);
  if (earlier && earlier->grading != grading) {
    throw UsageError(
        fmt::format("{} was begun with another submission, kit, device, sandbox, set of cases or "
                    "other options, so it cannot be resumed. Without --resume it begins anew.",
                    options.json.string()));
  }
  journal.open({grading, result.nonce, result.started});
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
  for (size_t i = 0; i < graders.size(); ++i) {
    if (graders[i] && !interrupted()) {
      graders[i]->run_speed(builder, pool, progress, publish_to(i));
    }
  }
  result = ended(std::move(result), file);
  if (!result.interrupted) journal.remove();
  ObjectCache(ObjectCache::default_folder()).trim(kCacheBytes);
  return result;
}

}  // namespace convkit
