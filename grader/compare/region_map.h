// SPDX-License-Identifier: MIT
// A picture of the wrong region in characters.
#pragma once

#include <string>

#include "compare/field.h"

namespace convkit {

// The image and channel with the most wrong elements, at most 16 x 48 characters under a caption
// that says what a character means:
//
//   y[0,0,:,:], 62 x 62; each character is 4 x 2 elements: . right  # wrong
//   ................................
//   ################################
//
// A character shows the worst state among its elements. A matrix is shown whole; nothing is
// shown where every element has the same state.
std::string region_map(const Field& field);

}  // namespace convkit
