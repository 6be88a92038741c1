// SPDX-License-Identifier: MIT
// Building a stage of a submission: from its files as they were handed in to a library, or to a
// status and words.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "compile/builder.h"
#include "grade/kit.h"
#include "report/result.h"
#include "submission/intake.h"

namespace convkit {

// A file that was not handed in. What is missed in the starter's shows only when the cases have
// run.
struct MissingFile {
  std::string file;
  std::string note;
  std::vector<std::string> tasks;  // that are to do in it; none where nothing includes it
};

// Changes `folder`, the private copy of the stage's files, and `found.files` with it:
// - A header with the api's name, or with that of one that students include from the folder `kit`,
//   is removed, as a quoted include would find it before the kit's. One with the name of a header
//   of CUDA's stays: it may be another, and is noted.
// - Each missing file is taken from `starter`, so that the other tasks earn their points; a source
//   that looks like it under another name is removed, or everything in it would be there twice.
// Throws KitError where the folder or the starter is at fault.
struct Prepared {
  std::vector<std::string> notes;
  std::vector<MissingFile> missing;
};
Prepared prepare_folder(const Stage& stage, const std::filesystem::path& folder,
                        const std::filesystem::path& starter, const std::filesystem::path& kit,
                        FoundStage& found);

// Those that the starter's stand in for.
std::vector<std::string> files_of(const std::vector<MissingFile>& missing);

// What is missing may be in another file of the submission: the notes then say so.
void mend_notes(const BuildResult& built, std::vector<MissingFile>& missing, StageResult& result);

// Once the cases have run: the note of a missing file goes where no case of its tasks fell short.
void drop_notes_of_what_is_not_missed(const std::vector<MissingFile>& missing, StageResult& result);

// One for each source that lies where no source is compiled.
std::vector<std::string> notes_on_files_not_compiled(const std::vector<std::string>& files);

Status status_of(BuildResult::Status status);

// A full disk or a folder that cannot be made is the machine's fault: it must not end the grading
// of other stages.
BuildResult build_or_explain(Builder& builder, const BuildRequest& request, ThreadPool& pool,
                             const std::function<void(const std::string&)>& progress = {});

BuildResult build_baseline(const Kit& kit, const Stage& stage, Builder& builder, ThreadPool& pool);

}  // namespace convkit
