// SPDX-License-Identifier: MIT
// `list`: the stages, and how far the student is.
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/work_folder.h"

namespace convkit {

int run_list(const Kit& kit) {
  fmt::print("{:<16} {:>6}  {:<30} {}\n", "stage", "points", "title", "your work");
  for (const Stage& stage : kit.stages) {
    std::string state = "not started";
    std::error_code error;
    if (const auto checked = last_check(kit, stage)) {
      state = fmt::format("{} of {} cases pass", checked->passed, checked->total);
    } else if (std::filesystem::exists(kit.work(stage), error)) {
      state = "started, not checked yet";
    }
    fmt::print("{:<16} {:>6g}  {:<30} {}\n", stage.id, stage.max_points(), stage.title, state);
  }
  fmt::print("\nBegin a stage: ./convkit start {}\n", kit.stages.front().number);
  return 0;
}

}  // namespace convkit
