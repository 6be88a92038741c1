// SPDX-License-Identifier: MIT
#include "grade/prepare_folder.h"

#include <fmt/format.h>

#include <algorithm>

#include "compile/object_key.h"
#include "convkit/kit_error.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

void leave_out(const std::string& file, const fs::path& folder, FoundStage& found) {
  fs::remove(folder / file);
  std::erase(found.files, file);
}

}  // namespace

std::vector<std::string> prepare_folder(const Stage& stage, const fs::path& folder,
                                        const fs::path& starter, FoundStage& found) try {
  std::vector<std::string> notes;
  if (std::find(found.files.begin(), found.files.end(), stage.api) != found.files.end()) {
    leave_out(stage.api, folder, found);
    notes.push_back(fmt::format("`{}`: the kit's own copy is used.", stage.api));
  }
  for (size_t i = 0; i < found.missing.size(); ++i) {
    const std::string& file = found.missing[i];
    const std::string& near = found.nearest[i];
    std::string note = fmt::format("`{}` is missing: graded as not started", file);
    if (!near.empty()) {
      note += fmt::format(" (`{}` is there: rename it?)", near);
      if (is_source(near)) leave_out(near, folder, found);
    }
    fs::copy_file(starter / file, folder / file);
    found.files.push_back(file);
    notes.push_back(note + ".");
  }
  std::sort(found.files.begin(), found.files.end());
  return notes;
} catch (const fs::filesystem_error& error) {
  throw KitError(fmt::format("{} cannot be prepared for the compiler: {}.", folder.string(),
                             error.code().message()));
}

}  // namespace convkit
