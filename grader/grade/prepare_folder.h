// SPDX-License-Identifier: MIT
// From the files of a stage as they were handed in to a folder that can be built.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stage/stage.h"
#include "submission/intake.h"

namespace convkit {

// Changes `folder`, the private copy of the stage's files, and `found.files` with it:
// - A header with the api's name is removed, as a quoted include would find it before the kit's.
// - Each missing file is taken from `starter`, so that the other tasks earn their points; a source
//   that looks like it under another name is removed, or everything in it would be there twice.
// Returns a sentence for each. Throws KitError where the folder or the starter is at fault.
std::vector<std::string> prepare_folder(const Stage& stage, const std::filesystem::path& folder,
                                        const std::filesystem::path& starter, FoundStage& found);

}  // namespace convkit
