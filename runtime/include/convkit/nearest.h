// SPDX-License-Identifier: MIT
// "Did you mean": the known name with the smallest edit distance, and how far apart two names are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace convkit {

// The nearest of `known` to `name`, or "" when nothing is close (more than a third of the letters
// differ).
std::string nearest(const std::string& name, const std::vector<std::string>& known);

// The names whose beginning is `name`, or nearest to it; empty when nothing is close (more than a
// sixth of the letters differ).
std::vector<std::string> nearest_beginnings(const std::string& name,
                                            const std::vector<std::string>& known);

// The optimal string alignment distance: insertions, deletions, replacements and swaps of
// neighbouring characters, each at cost 1.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace convkit
