// SPDX-License-Identifier: MIT
#include "grade/stage_build.h"

#include <fmt/format.h>

#include <algorithm>

#include "compile/object_key.h"
#include "convkit/file_text.h"
#include "convkit/kit_error.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

void leave_out(const std::string& file, const fs::path& folder, FoundStage& found) {
  fs::remove(folder / file);
  std::erase(found.files, file);
}

// Whether an include finds `file` of the submission by the name of a header of this folder: from
// the top folder, or from a file beside it.
bool is_of(const std::string& file, const fs::path& headers) {
  for (size_t begin = 0;; ++begin) {
    std::error_code error;
    if (fs::is_regular_file(headers / file.substr(begin), error)) return true;
    begin = file.find('/', begin);
    if (begin == file.npos) return false;
  }
}

// Whether a file includes `header` by a path, as in "../header".
bool is_included_by_path(const std::string& header, const fs::path& folder,
                         const FoundStage& found) {
  return std::ranges::any_of(found.files, [&](const std::string& file) {
    return file_text(folder / file).find("/" + header + "\"") != std::string::npos;
  });
}

// A source is compiled; a header that no file of the stage includes does nothing.
bool takes_part(const std::string& file, const fs::path& folder, const FoundStage& found) {
  return is_source(file) || std::ranges::any_of(found.files, [&](const std::string& other) {
           const std::string text = file_text(folder / other);
           return text.find("\"" + file + "\"") != std::string::npos ||
                  text.find("/" + file + "\"") != std::string::npos;
         });
}

// Those named as in `TODO(03.2)` and `CONVKIT_TODO("03.2")`.
std::vector<std::string> tasks_in(const std::string& text, const Stage& stage) {
  std::vector<std::string> tasks;
  for (const Task& task : stage.tasks) {
    const bool named = text.find(fmt::format("TODO({})", task.id)) != std::string::npos ||
                       text.find(fmt::format("TODO(\"{}\")", task.id)) != std::string::npos;
    if (named) tasks.push_back(task.id);
  }
  return tasks;
}

// "`a.cu` is missing: graded as not started (...)." with other words behind the colon.
std::string note_of(const StandIn& found, const std::string& note) {
  std::vector<std::string> files;
  for (const std::string& file : found.defined_in) files.push_back("`" + file + "`");
  const std::string begin = note.substr(0, note.find(": graded as not started"));
  switch (found.left) {
    case StandIn::Left::none:
      return fmt::format("{}: what belongs in it was found in {}.", begin,
                         fmt::join(files, " and "));
    case StandIn::Left::some:
      return fmt::format("{}: what is not in {} is graded as not started.", begin,
                         fmt::join(files, " and "));
    case StandIn::Left::unknown:
      return begin + ".";
    case StandIn::Left::all:
      break;
  }
  return note;
}

}  // namespace

Prepared prepare_folder(const Stage& stage, const fs::path& folder, const fs::path& starter,
                        const fs::path& kit, FoundStage& found) try {
  Prepared prepared;
  if (std::find(found.files.begin(), found.files.end(), stage.api) != found.files.end()) {
    leave_out(stage.api, folder, found);
    if (is_included_by_path(stage.api, folder, found)) {
      fs::create_symlink(fs::canonical(stage.directory / stage.api), folder / stage.api);
    }
    prepared.notes.push_back(fmt::format("`{}`: the kit's own copy is used.", stage.api));
  }
  for (const std::string& file : std::vector<std::string>(found.files)) {
    if (is_of(file, kit / "runtime" / "include")) {
      leave_out(file, folder, found);
      prepared.notes.push_back(fmt::format("`{}`: the kit's own copy is used.", file));
    } else if (stage.device == "gpu" && is_of(file, kit / "cpu_device" / "include")) {
      prepared.notes.push_back(fmt::format(
          "`{}` has the name of a header of CUDA's, and may be used in place of it.", file));
    }
  }
  for (size_t i = 0; i < found.missing.size(); ++i) {
    const std::string& file = found.missing[i];
    const std::string& near = found.nearest[i];
    std::string note = fmt::format("`{}` is missing: graded as not started", file);
    if (fs::is_directory(folder / file)) {  // of the submission's own files
      fs::remove_all(folder / file);
      std::erase_if(found.files, [&](const std::string& f) { return f.starts_with(file + "/"); });
      note = fmt::format("`{}` is a folder, not a file: graded as not started", file);
    } else if (!near.empty()) {
      note += fmt::format(" (`{}` is there: rename it?)", near);
      if (is_source(near)) leave_out(near, folder, found);
    }
    fs::copy_file(starter / file, folder / file);
    found.files.push_back(file);
    prepared.missing.push_back({file, note + ".", {}});
  }
  std::sort(found.files.begin(), found.files.end());
  for (size_t i = 0; i < found.missing.size(); ++i) {
    const std::string& file = found.missing[i];
    if (!takes_part(file, folder, found)) continue;
    prepared.missing[i].tasks = tasks_in(file_text(folder / file), stage);
  }
  return prepared;
} catch (const fs::filesystem_error& error) {
  throw KitError(fmt::format("{} cannot be prepared for the compiler: {}.", folder.string(),
                             error.code().message()));
}

std::vector<std::string> files_of(const std::vector<MissingFile>& missing) {
  std::vector<std::string> files;
  for (const MissingFile& one : missing) files.push_back(one.file);
  return files;
}

void mend_notes(const BuildResult& built, std::vector<MissingFile>& missing, StageResult& result) {
  for (const StandIn& found : built.stand_ins) {
    const auto file = std::ranges::find(missing, found.file, &MissingFile::file);
    if (file == missing.end()) continue;
    const std::string note = note_of(found, file->note);
    std::ranges::replace(result.notes, file->note, note);
    file->note = note;
  }
}

void drop_notes_of_what_is_not_missed(const std::vector<MissingFile>& missing,
                                      StageResult& result) {
  for (const MissingFile& file : missing) {
    const bool missed = std::ranges::any_of(result.cases, [&](const CaseResult& c) {
      return is_judged(c.status) && c.status != Status::pass &&
             std::ranges::find(file.tasks, c.task) != file.tasks.end();
    });
    if (!missed) std::erase(result.notes, file.note);
  }
}

std::vector<std::string> notes_on_files_not_compiled(const std::vector<std::string>& files) {
  std::vector<std::string> notes;
  for (const std::string& file : files) {
    if (is_source(file) && !lies_at_top(file)) {
      notes.push_back(fmt::format("`{}` is in a subfolder, so it was not compiled.", file));
    } else if (file.ends_with(".c") && lies_at_top(file)) {
      notes.push_back(
          fmt::format("`{}` was not compiled: sources end in .cpp, .cc, .cxx or .cu.", file));
    }
  }
  return notes;
}

Status status_of(BuildResult::Status status) {
  switch (status) {
    case BuildResult::Status::ok:
      return Status::pass;
    case BuildResult::Status::timed_out:
      return Status::timed_out;
    case BuildResult::Status::out_of_memory:
    case BuildResult::Status::file_too_large:
    case BuildResult::Status::compiler_crashed:
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

BuildResult build_or_explain(Builder& builder, const BuildRequest& request, ThreadPool& pool,
                             const std::function<void(const std::string&)>& progress) try {
  return builder.build(request, pool, progress);
} catch (const std::exception& error) {
  BuildResult result;
  result.status = BuildResult::Status::no_compiler;
  result.message = error.what();
  return result;
}

BuildResult build_baseline(const Kit& kit, const Stage& stage, Builder& builder, ThreadPool& pool) {
  const std::filesystem::path folder = stage.directory / "baseline";
  return build_or_explain(builder, kit.build_request(stage, folder, list_files(folder)), pool);
}

}  // namespace convkit
