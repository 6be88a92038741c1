// SPDX-License-Identifier: MIT
// `start N`: copies the starter; what the student has written is never touched.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <map>
#include <sstream>

#include "cli/commands.h"
#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "machine/console.h"
#include "work/editor_files.h"

namespace convkit {

namespace fs = std::filesystem;

namespace {

struct StartOptions {
  std::string stage;
  std::vector<std::string> reference;  // stages whose solution is copied to the student's files
};

// All of it or nothing: half a file would be kept as the student's work by the next start.
void copy_whole(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (error) {
    throw UsageError(
        fmt::format("{} cannot be made: {}.", to.parent_path().string(), error.message()));
  }
  std::ifstream in(from, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw KitError(fmt::format("{} cannot be read.", from.string()));
  try {
    write_whole(to, text.str());
  } catch (const std::runtime_error& failure) {
    throw UsageError(failure.what());
  }
}

// The solution of an earlier stage that `stage` may use, if the course allows it.
const Stage& allowed_reference(const Kit& kit, const Stage& stage, const std::string& name) {
  const Stage& earlier = kit.stage(name);
  const std::set<std::string> needs = all_needs(stage, kit.stages);
  if (!needs.contains(earlier.id)) {
    throw UsageError(fmt::format("{} does not build on {}. {}", stage.id, earlier.id,
                                 needs.empty()
                                     ? "It needs no other stage."
                                     : fmt::format("It needs {}.", fmt::join(needs, ", "))));
  }
  if (!kit.course.reference.contains(earlier.id)) {
    throw UsageError(fmt::format(
        "This course does not let you use the reference solution of {} (course.toml says so).",
        earlier.id));
  }
  kit.need_solution(earlier);
  return earlier;
}

// Copies the solution's files and their header to the student's folder; copies nothing if a file of
// that name with another text exists.
void copy_reference(const Kit& kit, const Stage& earlier, const fs::path& work) {
  const fs::path solution = kit.solution(earlier);
  std::map<fs::path, fs::path> files = {{work / earlier.api, earlier.directory / earlier.api}};
  for (const std::string& file : list_files(solution)) files[work / file] = solution / file;
  for (const auto& [target, file] : files) {
    std::error_code error;
    if (!fs::exists(target, error) || file_text(target) == file_text(file)) continue;
    throw UsageError(fmt::format(
        "{} already exists, and {} has a file of that name: none of its files was copied.",
        target.string(), earlier.id));
  }
  for (const auto& [target, file] : files) copy_whole(file, target);
  fmt::print(
      "The reference solution of {} is now in the folder of your files. Include {} and call it.\n",
      earlier.id, earlier.api);
}

int run_start(const Kit& kit, const StartOptions& options) {
  const Stage& stage = kit.stage(options.stage);
  const fs::path starter = kit.starter(stage), work = kit.work(stage);
  std::vector<const Stage*> references;
  for (const std::string& name : options.reference) {
    references.push_back(&allowed_reference(kit, stage, name));
  }
  unsigned copied = 0, kept = 0;
  for (const std::string& file : list_files(starter)) {
    const fs::path target = work / file;
    std::error_code error;
    if (fs::exists(target, error)) {
      ++kept;
      continue;
    }
    copy_whole(starter / file, target);
    ++copied;
  }
  fmt::print("{}  {}\n{}\n\n", stage.id, stage.title, stage.summary);
  if (kept > 0) {
    fmt::print("{} of your files in {} {} left as {}; {}.\n", kept, work.string(),
               kept == 1 ? "was" : "were", kept == 1 ? "it is" : "they are",
               copied == 0   ? "none was missing"
               : copied == 1 ? "a missing one was added"
                             : fmt::format("{} missing ones were added", copied));
  } else {
    fmt::print("Your files are in {}\n", work.string());
  }
  if (write_editor_files(kit, stage) > 0) {
    fmt::print(
        "Editor:   clangd and VS Code understand that folder; .vscode has a task that checks.\n");
  }
  for (const Stage* earlier : references) copy_reference(kit, *earlier, work);
  fmt::print("Handout:  {}\n", (stage.directory / "README.md").string());
  say("Next:     edit {}, then run ./convkit check {}\n", stage.begin, stage.number);
  return 0;
}

class StartCommand final : public CliCommand {
 public:
  StartCommand()
      : CliCommand("start", "begin a stage: copies its starter to work/", "./convkit start 1") {}

  void declare(const Options& options) override {
    options.value("stage", o_.stage, kStageHelp).required();
    options
        .value("--reference", o_.reference,
               "also copy the reference solution of this earlier stage, "
               "if your course allows it (may be repeated)")
        .one_value_each();
  }
  int run(Kit& kit) override { return run_start(kit, o_); }

 private:
  StartOptions o_;
};

}  // namespace

std::unique_ptr<CliCommand> start_command() {
  return std::make_unique<StartCommand>();
}

}  // namespace convkit
