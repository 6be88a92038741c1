// SPDX-License-Identifier: MIT
// What a change of the source did to the counts of one call.
#pragma once

#include <string>

#include "profile/profile.h"

namespace convkit {

// A table of what was counted of all kernels of the call, by the kind of access: before, after, and
// the second as a multiple of the first; then what limited each kernel, and what limits it now.
// Counts that are the same are left out.
std::string comparison(const ProfiledCase& before, const ProfiledCase& after);

}  // namespace convkit
