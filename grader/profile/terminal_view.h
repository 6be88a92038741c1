// SPDX-License-Identifier: MIT
// The views of a profile for the terminal.
#pragma once

#include <string>

#include "profile/profile.h"

namespace convkit {

// A kernel's source lines, each with what its accesses cost. Reads the sources; of a file that is
// not there only the numbers of its lines are shown.
std::string annotated_source(const ProfiledKernel& kernel);

// What a change of the source did to the counts of one call: a table of what was counted of all
// kernels of the call, by the kind of access: before, after, and the second as a multiple of the
// first; then what limited each kernel, and what limits it now. Counts that are the same are left
// out.
std::string comparison(const ProfiledCase& before, const ProfiledCase& after);

}  // namespace convkit
