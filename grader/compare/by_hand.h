// SPDX-License-Identifier: MIT
// One element of an output, computed step by step, so that a reader can follow it by hand.
#pragma once

#include <string>

#include "compare/diagnose.h"
#include "compare/formula/terms.h"

namespace convkit {

// What is read and multiplied, drawn as windows, and what it sums to. Of long sums the first parts.
// Lines joined by '\n'.
std::string drawn(const Terms& terms);

// The element of a wrong output that is looked at first: the worst that is a number and wrong, else
// the first that is wrong in another way.
int64_t telling_element(const Evidence& evidence);

// Element `at` of the output: the formula, the windows, and what was expected and got. "" where no
// formula of the operation is known, or where it sums nothing.
std::string by_hand(const Evidence& evidence, int64_t at);

}  // namespace convkit
