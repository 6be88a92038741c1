// SPDX-License-Identifier: MIT
// Errors of compilers that say little to a beginner, in the kit's own words.
#pragma once

#include <string_view>

namespace convkit {

// What to do about a compiler's error, as a sentence; "" where nothing is known. `error`: its words
// without their place. `source`: the line of the source that it quotes, "" where it quotes none.
std::string_view words_for_error(std::string_view error, std::string_view source);

}  // namespace convkit
