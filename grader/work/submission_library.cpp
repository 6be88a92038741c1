// SPDX-License-Identifier: MIT
#include "work/submission_library.h"

#include <fmt/core.h>

#include "convkit/kit_error.h"
#include "machine/console.h"

namespace convkit {

std::filesystem::path build_library(const Kit& kit, const Stage& stage, const WorkFolder& work,
                                    bool debug, SimtMode mode) {
  StatusLine status;
  status.doing(fmt::format("compiling {}", stage.id));
  BuildRequest request = kit.build_request(stage, work.folder, work.files, mode);
  if (debug) {
    request.flags.emplace_back(request.target == BuildTarget::gpu ? "-lineinfo" : "-g");
  }
  Builder builder = kit.builder();
  ThreadPool pool;
  const BuildResult result = builder.build(request, pool);
  if (result.status != BuildResult::Status::ok) {
    throw UsageError(fmt::format("{} does not build: {}", work.folder.string(), result.message));
  }
  return result.library;
}

}  // namespace convkit
