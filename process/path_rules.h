// SPDX-License-Identifier: MIT
// Which paths a confined program may read, write and execute, as Landlock rules.
#pragma once

#include <vector>

#include "process/confine_options.h"
#include "process/landlock.h"

namespace convkit {

// A compiler may execute what it may read, but nothing it may write. A runner may execute one file,
// and the dynamic linker that file names.
std::vector<PathRule> path_rules(const ConfineOptions& options);

}  // namespace convkit
