// SPDX-License-Identifier: MIT
// `submit N`: packs the work, and says what is in the archive and what a grader will see.
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/device_choice.h"
#include "convkit/kit_error.h"
#include "convkit/temporary_folder.h"
#include "grade/grade.h"
#include "machine/console.h"
#include "machine/output_file.h"
#include "submission/intake.h"
#include "work/work_folder.h"

namespace convkit {
namespace {

struct SubmitOptions {
  std::vector<std::string> stages;
  std::filesystem::path archive;
  bool check = true;
};

namespace fs = std::filesystem;

// Reads the archive back the way a grader does: what was packed is what will be found.
std::vector<std::string> stages_in(const Kit& kit, const fs::path& archive,
                                   std::vector<std::string>& notes) {
  const TemporaryFolder unpacked("submit");
  std::vector<StageFiles> required;
  for (const Stage& stage : kit.stages) required.push_back({stage.id, stage.files});
  const Submission taken = take_in(archive, unpacked.path());
  notes = taken.notes;
  std::vector<std::string> found;
  const FoundStages of_grader = find_stages(taken, required);
  for (const FoundStage& stage : of_grader.stages) found.push_back(stage.id);
  for (const auto* sentences : {&of_grader.problems, &of_grader.notes}) {
    notes.insert(notes.end(), sentences->begin(), sentences->end());
  }
  return found;
}

int run_submit(const Kit& kit, const SubmitOptions& options) {
  std::vector<const Stage*> stages;
  for (const std::string& name : options.stages) stages.push_back(&kit.stage(name));
  const fs::path work_root = kit.work(*stages.front()).parent_path();
  const fs::path archive = !options.archive.empty() ? options.archive
                           : stages.size() == 1
                               ? work_root / fmt::format("submission-{}.zip", stages.front()->id)
                               : work_root / "submission.zip";

  must_be_writable(archive, Format::zip);

  std::vector<std::string> files;
  for (const Stage* stage : stages) {
    for (const std::string& file : open_work(kit, *stage, {}).files) {
      files.push_back(stage->id + "/" + file);
    }
  }
  pack_zip(archive, work_root, "", files);
  std::vector<std::string> notes;
  const std::vector<std::string> found = stages_in(kit, archive, notes);
  fmt::print("{} holds {} files:\n", archive.string(), files.size());
  for (const std::string& file : files) {
    fmt::print("  {:>8} bytes  {}\n", fs::file_size(work_root / file), file);
  }
  for (const std::string& note : notes) fmt::print("Note: {}\n", note);
  fmt::print("A grader finds in it: {}.\n", fmt::join(found, ", "));
  if (!options.check) return 0;

  GradeOptions grading;
  grading.stage.hidden = false;
  grading.stage.speed = false;
  Result result;
  {
    StatusLine status;
    result = grade(kit, archive, grading, status);
  }
  int code = 0;
  for (const StageResult& stage : result.stages) {
    fmt::print("{}: {} on the visible cases. {}\n", stage.id, name_of(stage.status), stage.message);
    if (stage.status != Status::pass) code = 1;
  }
  if (code != 0) {
    say("The archive was written anyway. See what fails: ./convkit check {}\n",
        stages.front()->number);
  }
  return code;
}

class SubmitCommand final : public CliCommand {
 public:
  SubmitCommand()
      : CliCommand("submit", "pack your work into an archive to hand in", "./convkit submit 1") {}

  void declare(const Options& options) override {
    options.value("stages", o_.stages, "the stages to pack").required();
    options.value("--out", o_.archive, "the archive (default: work/submission-NN_name.zip)");
    options.negative_flag("--no-check", o_.check, "do not run the checks first");
  }
  int run(Kit& kit) override {
    DeviceChoice().apply(kit, o_.stages);
    return run_submit(kit, o_);
  }

 private:
  SubmitOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> submit_command() {
  return std::make_unique<SubmitCommand>();
}

}  // namespace convkit
