// SPDX-License-Identifier: MIT
// The steps of one warp, for the terminal.
#pragma once

#include <string>

#include "profile/profile.h"

namespace convkit {

// "x[0,0,0,0..30] by lanes 0-30": which elements the lanes access, in runs of lanes whose elements
// are equally far from each other; of many runs the first ones.
std::string elements_words(const ProfiledStep& step);
// "4 sectors", "1 wavefront", "8 lanes on one address"
std::string cost_words(const ProfiledStep& step);
// "conv2d_kernel, block 0, warp 1 (threads 32 to 63)"
std::string warp_words(const ProfiledKernel& kernel);

// All steps under the lines of the source that make them. `kernel` has a trace.
std::string trace_text(const ProfiledKernel& kernel);

}  // namespace convkit
