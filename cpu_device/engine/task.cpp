// SPDX-License-Identifier: MIT
#include "cpu_device/engine/task.h"

#include "cpu_device/engine/hooks.h"

namespace convkit::simt {

std::shared_ptr<Task> task_of_call(const char* name) {
  if (!check_hooks) return nullptr;
  auto task = std::make_shared<Task>();
  task->name = name;
  task->site = check_hooks->call_site();
  return task;
}

std::shared_ptr<Task> task_of_launch(const std::string& kernel, const char* file, int line) {
  if (!check_hooks) return nullptr;
  auto task = std::make_shared<Task>();
  task->name = kernel;
  task->is_launch = true;
  task->file = file;
  task->line = line;
  task->site = check_hooks->call_site();
  return task;
}

}  // namespace convkit::simt
