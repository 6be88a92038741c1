// SPDX-License-Identifier: MIT
// A profile's pictures: the steps of one warp, with a row for each step and a column for each lane,
// and a kernel under the roofline of a card.
#pragma once

#include <string>

#include "profile/profile.h"
#include "profile/roofline.h"

namespace convkit {

// SVG. Each cell has the number of the element that the lane accesses; a barrier is a line across.
// Only the first steps of a long trace are drawn, and the picture says so. `kernel` has a trace.
std::string draw_trace(const ProfiledKernel& kernel);

// SVG, with both axes logarithmic. A dot is where the kernel can be at best, a grey one where it
// would be if all that moves in L1 came from memory. "" where no byte moves.
std::string draw_roofline(const std::string& kernel, const Roofline& roofline);

}  // namespace convkit
