// SPDX-License-Identifier: MIT
#include "cli/after_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "work/work_folder.h"

namespace convkit {
namespace {

// All cases of this name, or of this function, pass.
bool is_done(const std::string& name, const StageResult& result) {
  bool is_known = false;
  for (const CaseResult& c : result.cases) {
    if (c.name != name && c.op != name) continue;
    if (c.status != Status::pass) return false;
    is_known = true;
  }
  return is_known;
}

bool is_done(const Hint& hint, const StageResult& result) {
  return !hint.until.empty() && std::ranges::all_of(hint.until, [&](const std::string& name) {
    return is_done(name, result);
  });
}

const CaseResult* first_case(const StageResult& result, bool (*is)(const CaseResult&)) {
  const auto found = std::ranges::find_if(result.cases, is);
  return found == result.cases.end() ? nullptr : &*found;
}

bool fails(const CaseResult& c) {
  return has_failed(c.status) && c.status != Status::build_failed;
}

// The first case that fails, or of its function the first whose cause is told.
const CaseResult* case_to_mend(const StageResult& result) {
  const CaseResult* first = first_case(result, fails);
  if (!first) return nullptr;
  const auto told = std::ranges::find_if(result.cases, [&](const CaseResult& c) {
    return fails(c) && c.op == first->op && c.explained;
  });
  const bool is_bare = first->status == Status::wrong && first->mistake.empty();
  return is_bare && told != result.cases.end() ? &*told : first;
}

bool is_not_started(const CaseResult& c) {
  return c.status == Status::not_started;
}

// The task behind that of the first case, where some cases were chosen and all pass.
const Task* task_after(const Stage& stage, const std::string& id) {
  const auto at = std::ranges::find(stage.tasks, id, &Task::id);
  return at == stage.tasks.end() || at + 1 == stage.tasks.end() ? nullptr : &*(at + 1);
}

std::string begin_with(const Stage& stage, const Task& task, const std::string& what) {
  return fmt::format("Next: task {} ({}), TODO({}) in {}; then ./convkit check {} {}\n", task.id,
                     task.title, task.id, task.file, stage.number, what);
}

}  // namespace

void give_hint(const Kit& kit, const Stage& stage, std::string id, const StageResult& result) {
  if (id.empty()) {
    const CaseResult* failing =
        first_case(result, [](const CaseResult& c) { return c.status != Status::pass; });
    if (!failing) {
      fmt::print("\nNothing fails, so there is no hint to give. --task names a task.\n");
      return;
    }
    id = failing->task;
  }
  const Task* task = stage.task(id);
  if (!task || task->hints.empty()) {
    fmt::print("\nThere is no hint for task {}.\n", id);
    return;
  }
  auto shown = hints_shown(kit, stage);
  const size_t count = task->hints.size();
  size_t step = std::min<size_t>(shown[task->id], count - 1);
  const bool fails = std::ranges::any_of(result.cases, [&](const CaseResult& c) {
    return c.task == task->id && c.status != Status::pass;
  });
  while (fails && step + 1 < count && is_done(task->hints[step], result)) ++step;
  fmt::print("\nHint {} of {} for task {} ({}, {}):\n  {}\n", step + 1, count, task->id,
             task->title, task->file, task->hints[step].text);
  shown[task->id] = static_cast<unsigned>(step) + 1;
  remember_hints(kit, stage, shown);
}

std::string next_step(const Stage& stage, const StageResult& result, const Asked& asked) {
  if (result.cases.empty() || result.status == Status::grader_error) return "";
  const CaseResult* failing = case_to_mend(result);
  const CaseResult* open = first_case(result, is_not_started);
  if (failing) {
    const std::string ways = fmt::format(
        "Next: mend {0}. ./convkit show {1} {0} shows it in numbers, ./convkit check {1} --task "
        "{2} --hint gives a hint",
        failing->name, stage.number, failing->task);
    const bool has_a_cause = failing->explained && !failing->mistake.empty();
    const Task* task = stage.task(failing->task);
    if (asked.mend.empty() || failing->status != Status::wrong || has_a_cause || !task) {
      return ways + ".\n";
    }
    return fmt::format("{}, and {} tries small changes of your code.\n", ways, asked.mend);
  }
  if (open) {
    const Task* task = stage.task(open->task);
    return task ? begin_with(stage, *task, "--case " + open->name) : "";
  }
  if (!std::ranges::all_of(result.cases,
                           [](const CaseResult& c) { return c.status == Status::pass; })) {
    return "";
  }
  if (!asked.only_some) {
    return fmt::format(
        "Every visible case passes. Next: ./convkit bench {0}, then ./convkit submit {0}\n",
        stage.number);
  }
  const std::string& id = result.cases.front().task;
  const Task* after = task_after(stage, id);
  const bool is_one_task =
      result.cases.size() > 1 &&
      std::ranges::all_of(result.cases, [&](const CaseResult& c) { return c.task == id; });
  return after && is_one_task ? begin_with(stage, *after, "--task " + after->id)
                              : fmt::format("Next: ./convkit check {}\n", stage.number);
}

}  // namespace convkit
