// SPDX-License-Identifier: MIT
// Sources that define what another source of the submission defines, too: a linker would take
// neither.
#pragma once

#include <vector>

#include "compile/build_request.h"
#include "compile/build_tools.h"

namespace convkit {

// The objects to link, of which no two define the same name. A source that the stage asks for stays
// before others, then the first in the order of the request. The others become result.failed, with
// both files and the remedy in one sentence each.
std::vector<BuildStep> without_duplicates(const BuildRequest& request,
                                          std::vector<BuildStep> compiled, BuildResult& result);

}  // namespace convkit
