// SPDX-License-Identifier: MIT
// Changes of conditions: a part left out or put in, joined otherwise, turned round.
#pragma once

#include <set>
#include <string>

#include "repair/draft.h"

namespace convkit::repair {

// The comparisons that stand in a part of a program: "i < s.oh()".
std::set<std::string> comparisons_in(const Draft& draft, Part part);
// "x % s != 0" and "x % s == 0" for each `x / s` in a part of the code.
std::set<std::string> remainders_in(const Draft& draft, Part part);

// `comparisons`: those of the whole function. A condition may lack one of them, or what one of them
// is for the other axis.
void change_condition(Draft& draft, Part condition, const std::set<std::string>& comparisons);
// `b ? y : x` for `b ? x : y`, and one of the two, wherever they stand in a part.
void change_choices(Draft& draft, Part part);

}  // namespace convkit::repair
