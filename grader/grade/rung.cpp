// SPDX-License-Identifier: MIT
#include "grade/rung.h"

#include <fmt/format.h>

#include "convkit/kit_error.h"

namespace convkit {

namespace fs = std::filesystem;

std::unique_ptr<TemporaryFolder> lay_out_rung(const Kit& kit, const Stage& stage,
                                              const LadderStep& step) {
  const fs::path solution = kit.solution(stage);
  if (!fs::is_directory(solution)) return nullptr;
  for (const std::string& file : {step.rung, step.in_place_of}) {
    if (!fs::is_regular_file(solution / file)) {
      throw KitError(fmt::format("{}: the step \"{}\" names {}, which is not in {}.",
                                 (stage.directory / "stage.toml").string(), step.title, file,
                                 solution.string()));
    }
  }
  auto folder = std::make_unique<TemporaryFolder>("rung");
  copy_folder(solution, folder->path());
  fs::copy_file(solution / step.rung, folder->path() / step.in_place_of,
                fs::copy_options::overwrite_existing);
  return folder;
}

}  // namespace convkit
