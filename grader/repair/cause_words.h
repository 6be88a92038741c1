// SPDX-License-Identifier: MIT
// What is told of a change that mends a program.
#pragma once

#include <string_view>

#include "repair/mutants.h"

namespace convkit::repair {

// "A factor is missing", of the program as it was.
std::string_view words_of(Cause cause);

}  // namespace convkit::repair
