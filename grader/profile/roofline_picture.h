// SPDX-License-Identifier: MIT
// A kernel under the roofline of a card.
#pragma once

#include <string>

#include "profile/roofline.h"

namespace convkit {

// SVG, with both axes logarithmic. A dot is where the kernel can be at best, a grey one where it
// would be if all that moves in L1 came from memory. "" where no byte moves.
std::string draw_roofline(const std::string& kernel, const Roofline& roofline);

}  // namespace convkit
