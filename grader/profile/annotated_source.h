// SPDX-License-Identifier: MIT
// A kernel's profile for the terminal: its source lines, each with what its accesses cost.
#pragma once

#include <string>

#include "profile/profile.h"

namespace convkit {

// Reads the sources; of a file that is not there only the numbers of its lines are shown.
std::string annotated_source(const ProfiledKernel& kernel);

}  // namespace convkit
