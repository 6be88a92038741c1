// SPDX-License-Identifier: MIT
// Sources that stand in for files that were not handed in. What they define may be in a file of the
// submission's own: there a stand-in gives way, so that nothing is ever defined twice.
//
// Sources that define what another source of the submission defines, too: a linker would take
// neither.
#pragma once

#include <filesystem>
#include <vector>

#include "compile/build_request.h"
#include "compile/build_tools.h"
#include "cpu_device/cc/object_cache.h"

namespace convkit {

// The objects to link: those of stand-ins without what the submission's own sources define, and
// none where nothing else is in it. A source that failed defines what its text does: its compiler's
// words, and not a stand-in, answer for that. `result.failed` loses the stand-ins of that kind;
// what was found is in `result.stand_ins`.
std::vector<BuildStep> without_clashes(const BuildRequest& request, std::vector<BuildStep> compiled,
                                       ObjectCache& cache, const std::filesystem::path& scratch,
                                       BuildResult& result);

// The objects to link, of which no two define the same name. A source that the stage asks for stays
// before others, then the first in the order of the request. The others become result.failed, with
// both files and the remedy in one sentence each.
std::vector<BuildStep> without_duplicates(const BuildRequest& request,
                                          std::vector<BuildStep> compiled, BuildResult& result);

}  // namespace convkit
