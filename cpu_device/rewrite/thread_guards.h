// SPDX-License-Identifier: MIT
// The conditions at the beginning of a kernel under which a thread has nothing to do:
// `if (i >= n) return;`, or `if (i < n)` before all that is left of the body. They are computed
// from the indices and the arguments alone, so they can be evaluated for all threads beforehand.
#pragma once

#include <cstddef>
#include <vector>

#include "cpu_device/rewrite/quiet_code.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {

struct ThreadGuard {
  size_t open = kNone, close = kNone;  // the parentheses of the condition
  bool leaves = true;                  // where it is true the thread returns; else it goes on
  // The statement that it decides about: `return;` or `{ return; }`, or what the thread goes on to.
  size_t first = kNone, last = kNone;
};

// In the order of the text; all but the last one leave.
std::vector<ThreadGuard> find_thread_guards(const Stream& stream, size_t body,
                                            const QuietCode& quiet);

}  // namespace convkit::rewrite
