// SPDX-License-Identifier: MIT
// A profile as one HTML page that needs nothing else: the source of each kernel, with heat per
// line.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace convkit {

// Light and dark, readable without colours: the share of each line is a number, too.
std::string profile_page(const std::string& title, const std::vector<ProfiledCase>& cases);

}  // namespace convkit
