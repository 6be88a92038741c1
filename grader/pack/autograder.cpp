// SPDX-License-Identifier: MIT
#include "pack/autograder.h"

#include <fmt/format.h>

#include <set>

#include "convkit/atomic_file.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"
#include "convkit/temporary_folder.h"
#include "pack/students_copy.h"
#include "submission/intake.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

PackedFile packed_kit(const Kit& kit, const std::string& path) {
  const TemporaryFolder folder("pack");
  write_tar_gz(folder.path() / "convkit.tar.gz", "convkit", students_copy(kit));
  return {path, file_text(folder.path() / "convkit.tar.gz")};
}

std::string filled_in(const Kit& kit, const std::string& file,
                      const std::vector<std::pair<std::string, std::string>>& words) {
  std::string text = file_text(kit.root / "grader/pack" / file);
  if (text.empty()) throw KitError(fmt::format("{} is missing.", "grader/pack/" + file));
  for (const auto& [word, meaning] : words) {
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += meaning.size()) {
      text.replace(at, word.size(), meaning);
    }
  }
  return text;
}

void add_folder(std::vector<PackedFile>& files, const fs::path& folder, const std::string& below) {
  for (const std::string& name : list_files(folder)) {
    files.push_back({below + "/" + name, file_text(folder / name)});
  }
}

}  // namespace

std::vector<PackedFile> gradescope_autograder(const Kit& kit, const AutograderOptions& options) {
  std::vector<PackedFile> files = {
      {"setup.sh", filled_in(kit, "gradescope/setup.sh", {{"@SYSTEM@", this_system()}}), true},
      {"run_autograder",
       filled_in(kit, "gradescope/run_autograder",
                 {{"@STAGES@", fmt::format("{}", fmt::join(options.stages, " "))},
                  {"@SHOW_HIDDEN@", options.platform.hidden_cases},
                  {"@POINTS@", fmt::format("{}", options.platform.points)},
                  {"@MINUTES@", std::to_string(options.minutes)}}),
       true}};
  bool some = false, all = true;
  for (const std::string& id : options.stages) {
    const fs::path hidden = kit.wanted_hidden_cases(kit.stage(id));
    (hidden.empty() ? all : some) = hidden.empty() ? false : true;
    if (!hidden.empty()) add_folder(files, hidden, "hidden/" + id);
  }
  if (some && !all) {
    throw UsageError(
        "Some of these stages have hidden cases and others have none. Make those of all with "
        "`refgen`, or pack each stage for an assignment of its own.");
  }
  files.push_back(packed_kit(kit, "convkit.tar.gz"));
  return files;
}

std::vector<PackedFile> github_assignment(const Kit& kit, const std::vector<std::string>& stages) {
  std::vector<PackedFile> files = {
      {".github/workflows/classroom.yml",
       filled_in(kit, "github/classroom.yml",
                 {{"@STAGES@", fmt::format("{}", fmt::join(stages, " "))}})}};
  for (const std::string& id : stages) add_folder(files, kit.starter(kit.stage(id)), id);
  files.push_back(packed_kit(kit, ".github/convkit.tar.gz"));
  return files;
}

bool runs_here_only() {
#ifdef CONVKIT_IS_PACKAGE
  return false;
#else
  return true;
#endif
}

void write_zip(const fs::path& archive, const std::vector<PackedFile>& files) {
  const TemporaryFolder folder("pack");
  std::vector<std::string> names;
  std::set<std::string> programs;
  try {
    for (const PackedFile& file : files) {
      fs::create_directories((folder.path() / file.path).parent_path());
      write_whole(folder.path() / file.path, file.bytes);
      names.push_back(file.path);
      if (file.executable) programs.insert(file.path);
    }
    pack_zip(archive, folder.path(), "", names, programs);
  } catch (const std::runtime_error& failure) {
    throw UsageError(failure.what());
  }
}

}  // namespace convkit
