// SPDX-License-Identifier: MIT
// `start N`: copies the starter; what the student has written is never touched.
#include <fmt/format.h>

#include "cli/commands.h"
#include "stage/kit_error.h"

namespace convkit {

namespace fs = std::filesystem;

int run_start(const Kit& kit, const StartOptions& options) {
  const Stage& stage = find_stage(kit.stages, options.stage);
  const fs::path starter = kit.starter(stage), work = kit.work(stage);
  unsigned copied = 0, kept = 0;
  for (const std::string& file : list_files(starter)) {
    const fs::path target = work / file;
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    if (fs::exists(target, error)) {
      ++kept;
      continue;
    }
    if (error || !fs::copy_file(starter / file, target, error)) {
      throw UsageError(fmt::format("{} cannot be written: {}.", target.string(), error.message()));
    }
    ++copied;
  }
  fmt::print("{}  {}\n{}\n\n", stage.id, stage.title, stage.summary);
  if (kept > 0) {
    fmt::print("{} of your files in {} were left as they are; {} missing ones were added.\n", kept,
               work.string(), copied);
  } else {
    fmt::print("Your files are in {}\n", work.string());
  }
  fmt::print("Handout:  {}\n", (stage.directory / "README.md").string());
  fmt::print("Next:     edit {}, then run ./convkit check {}\n", stage.files.front(), stage.number);
  return 0;
}

}  // namespace convkit
