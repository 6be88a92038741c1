// SPDX-License-Identifier: MIT
// What platforms run to grade: Gradescope's autograder, and the files of a GitHub Classroom
// assignment. Both hold the copy of the kit for students, which has no solutions to be found, so
// that nothing else has to be fetched but the compiler (docs/platforms.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grade/kit.h"
#include "pack/tar_gz.h"
#include "report/platforms.h"

namespace convkit {

struct AutograderOptions {
  std::vector<std::string> stages;  // ids
  PlatformOptions platform = {.hidden_cases = "after_published"};
  unsigned minutes = 10;  // Gradescope's limit on the time of a grading

  bool operator==(const AutograderOptions&) const = default;
};

// setup.sh, run_autograder and the copy of the kit; with the stages' hidden cases where the kit has
// some. Throws KitError and UsageError as students_copy() and Kit::wanted_hidden_cases() do.
std::vector<PackedFile> gradescope_autograder(const Kit& kit, const AutograderOptions& options);

// The workflow, the copy of the kit and the starters of the stages: the repository from which
// GitHub Classroom makes those of students. Students can read all of it: it has no hidden cases.
std::vector<PackedFile> github_assignment(const Kit& kit, const std::vector<std::string>& stages);

// The programs in these copies run on this system only, as this build of the kit is no package.
bool runs_here_only();

// Throws UsageError naming the archive.
void write_zip(const std::filesystem::path& archive, const std::vector<PackedFile>& files);

}  // namespace convkit
