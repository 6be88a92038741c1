// SPDX-License-Identifier: MIT
// The steps of one warp as a picture: a row for each step, a column for each lane.
#pragma once

#include <string>

#include "profile/profile.h"

namespace convkit {

// SVG. Each cell has the number of the element that the lane accesses; a barrier is a line across.
// Only the first steps of a long trace are drawn, and the picture says so. `kernel` has a trace.
std::string draw_trace(const ProfiledKernel& kernel);

}  // namespace convkit
