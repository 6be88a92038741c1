// SPDX-License-Identifier: MIT
// Words of the language and of its libraries, and which of them are mistaken for each other.
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace convkit::repair {

using Words = std::set<std::string_view>;
extern const Words kIntegers, kFloats;
// What stands in a declaration beside type and name.
extern const Words kSpecifiers;
extern const Words kNoDeclarations, kNoStatements;
// What stands in the brackets behind these has no value at run time.
extern const Words kNotEvaluated;
extern const Words kNoNames, kCasts, kAssignments;
// Where a thread is in its grid.
extern const Words kPlaces;

using Families = std::vector<std::vector<std::string_view>>;
// Functions of one signature.
extern const Families kFunctions;
// What other operators one is mistaken for.
extern const std::map<std::string_view, std::vector<std::string_view>> kOperators;
// The enumerators of which one is mistaken for another one, with itself; nullptr: no such name.
const std::vector<std::string_view>* family_of(std::string_view enumerator);

}  // namespace convkit::repair
