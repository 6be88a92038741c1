// SPDX-License-Identifier: MIT
// `list`: the path through the stages, and how far the student is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "cli/commands.h"
#include "machine/console.h"
#include "work/work_folder.h"

namespace convkit {
namespace {

std::string state_of(const Kit& kit, const Stage& stage) {
  if (const auto checked = last_check(kit, stage)) {
    if (!checked->this_kit) return "checked with another version of the kit";
    return fmt::format("{} of {} cases pass", checked->passed, checked->total);
  }
  std::error_code error;
  return std::filesystem::exists(kit.work(stage), error) ? "started, not checked yet"
                                                         : "not started";
}

bool is_done(const Kit& kit, const Stage& stage) {
  const auto checked = last_check(kit, stage);
  return checked && checked->this_kit && checked->passed == checked->total;
}

// "02, 03"
std::string needs_of(const Stage& stage) {
  std::vector<std::string> numbers;
  for (const std::string& id : stage.needs) numbers.push_back(id.substr(0, id.find('_')));
  return numbers.empty() ? "-" : fmt::format("{}", fmt::join(numbers, ", "));
}

// The first that is not done though all it needs is.
const Stage* next_stage(const Kit& kit) {
  for (const Stage& stage : kit.stages) {
    if (is_done(kit, stage)) continue;
    const bool ready = std::ranges::all_of(stage.needs, [&](const std::string& id) {
      const auto needed = std::ranges::find(kit.stages, id, &Stage::id);
      return needed != kit.stages.end() && is_done(kit, *needed);  // a broken one is not there
    });
    if (ready) return &stage;
  }
  return nullptr;
}

int run_list(const Kit& kit) {
  size_t id_width = 0, title_width = 0, time_width = 4;
  for (const BrokenStage& stage : kit.broken) id_width = std::max(id_width, stage.id.size());
  for (const Stage& stage : kit.stages) {
    id_width = std::max(id_width, stage.id.size());
    title_width = std::max(title_width, stage.title.size());
    time_width = std::max(time_width, stage.time.size());
  }
  const auto row = [&](const auto& id, const auto& points, const auto& share, const auto& time,
                       const auto& needs, const auto& title, const auto& state) {
    fmt::print("{:<{}}  {:>6}  {:>6}  {:<{}}  {:<6}  {:<{}}  {}\n", id, id_width, points, share,
               time, time_width, needs, title, title_width, state);
  };
  row("stage", "points", "course", "time", "needs", "title", "your work");
  double points = 0;
  for (const Stage& stage : kit.stages) {
    points += stage.max_points();
    row(stage.id, fmt::format("{:g}", stage.max_points()),
        kit.broken.empty() ? fmt::format("{:.0f} %", 100 * kit.course.share(stage, kit.stages))
                           : "?",  // of points that nobody knows
        stage.time, needs_of(stage), stage.title, state_of(kit, stage));
  }
  for (const BrokenStage& stage : kit.broken) {
    row(stage.id, "?", "?", "", "", "", "its stage.toml is broken");
  }
  row("all", kit.broken.empty() ? fmt::format("{:g}", points) : "?", "100 %", "", "", "", "");
  for (const std::string& id : kit.course.reference) {
    const auto stage = std::ranges::find(kit.stages, id, &Stage::id);
    if (stage == kit.stages.end()) continue;  // it is broken
    say("\nLater stages may use the reference solution of {}: ./convkit start STAGE --reference {}",
        id, stage->number);
  }
  if (!kit.course.reference.empty()) fmt::print("\n");
  if (const Stage* next = next_stage(kit)) {
    std::error_code error;
    const bool begun = std::filesystem::exists(kit.work(*next), error);
    say("\n{}: ./convkit {} {}\n", begun ? "Go on with" : "Begin a stage",
        begun ? "check" : "start", next->number);
  }
  std::fflush(stdout);  // the stages come first, then what is wrong
  kit.must_be_whole();
  return 0;
}

}  // namespace

std::unique_ptr<CliCommand> list_command() {
  return std::make_unique<PlainCommand>("list", "the stages, and how far you are", "./convkit list",
                                        run_list);
}

}  // namespace convkit
