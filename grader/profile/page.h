// SPDX-License-Identifier: MIT
// A profile as one HTML page that needs nothing else: the source of each kernel, with heat per
// line.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace convkit {

struct ProfiledCase {
  std::string op, name, sizes;
  std::string problem;  // why there are no kernels, or ""
  std::vector<ProfiledKernel> kernels;
};

// Light and dark, readable without colours: the share of each line is a number, too.
std::string profile_page(const std::string& title, const std::vector<ProfiledCase>& cases);

}  // namespace convkit
