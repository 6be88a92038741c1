// SPDX-License-Identifier: MIT
// How far apart two names are, for "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace convkit {

// The optimal string alignment distance: insertions, deletions, replacements and swaps of
// neighbouring characters, each at cost 1.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace convkit
