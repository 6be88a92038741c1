// SPDX-License-Identifier: MIT
// `start N`: copies the starter; what the student has written is never touched.
#include <fmt/format.h>

#include <fstream>
#include <span>
#include <sstream>

#include "cli/commands.h"
#include "convkit/atomic_file.h"
#include "stage/kit_error.h"

namespace convkit {

namespace fs = std::filesystem;

namespace {

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
  const std::string bytes = text.str();
  try {
    AtomicFile out(to);
    out.append(std::as_bytes(std::span(bytes)));
    out.commit();
  } catch (const std::runtime_error& failure) {
    throw UsageError(failure.what());
  }
}

}  // namespace

int run_start(const Kit& kit, const StartOptions& options) {
  const Stage& stage = find_stage(kit.stages, options.stage);
  const fs::path starter = kit.starter(stage), work = kit.work(stage);
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
  fmt::print("Handout:  {}\n", (stage.directory / "README.md").string());
  fmt::print("Next:     edit {}, then run ./convkit check {}\n", stage.files.front(), stage.number);
  return 0;
}

}  // namespace convkit
