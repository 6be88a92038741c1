// SPDX-License-Identifier: MIT
// The options of platforms, which `grade --format` and `pack` share.
#pragma once

#include <fmt/core.h>

#include "command_line/command_line.h"
#include "report/platforms.h"

namespace convkit {

// `platform` holds the defaults, and must outlive the command line.
inline void declare_platform(const Options& options, PlatformOptions& platform) {
  options
      .value("--show-hidden", platform.hidden_cases,
             fmt::format("Gradescope: when students see what hidden cases say (default: {})",
                         platform.hidden_cases))
      .one_of({"visible", "after_due_date", "after_published"});
  options
      .value("--points", platform.points,
             "Gradescope: what all points together are there (default: the stages')")
      .between(0.0, 1e6);
}

}  // namespace convkit
