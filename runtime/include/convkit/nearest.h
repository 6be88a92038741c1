// SPDX-License-Identifier: MIT
// "Did you mean": the known name with the smallest edit distance.
#pragma once

#include <string>
#include <vector>

namespace convkit {

// The nearest of `known` to `name`, or "" when nothing is close (more than a third of the letters
// differ).
std::string nearest(const std::string& name, const std::vector<std::string>& known);

// The names whose beginning is `name`, or nearest to it; empty when nothing is close (more than a
// sixth of the letters differ).
std::vector<std::string> nearest_beginnings(const std::string& name,
                                            const std::vector<std::string>& known);

}  // namespace convkit
