// SPDX-License-Identifier: MIT
// CONVKIT_TODO("01.1"): the line a starter stub holds until the student has written the task.
#pragma once

// Counts stubs that were reached, and remembers the last. The grader reads it to tell "not started"
// from "wrong"; it can only turn a failing check into another failing check, so there is nothing to
// gain by touching it.
extern "C" {
inline __attribute__((weak, visibility("default"))) unsigned convkit_todo_reached = 0;
inline __attribute__((weak, visibility("default"))) const char* convkit_todo_task = "";
inline __attribute__((weak, visibility("default"))) const char* convkit_todo_function = "";
}

// Delete this line when the task is done: while it is there, an output that nothing has written is
// reported as NOT_STARTED.
#define CONVKIT_TODO(task)                                              \
  ((void)(convkit_todo_task = (task), convkit_todo_function = __func__, \
          convkit_todo_reached = convkit_todo_reached + 1))
