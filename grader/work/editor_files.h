// SPDX-License-Identifier: MIT
// What editors need to understand a student's folder: clangd, and VS Code with or without it.
#pragma once

#include <filesystem>
#include <string>

#include "grade/kit.h"

namespace convkit {

// Writes compile_commands.json, .clangd and .vscode/ into the stage's work folder. A file that
// exists is the student's and stays. Returns how many were written. Throws UsageError where one
// cannot be.
unsigned write_editor_files(const Kit& kit, const Stage& stage);

// Whether a file of a work folder, relative to it, is one of these or what clangd keeps there: no
// part of a submission.
bool is_editor_file(const std::string& file);

}  // namespace convkit
