// SPDX-License-Identifier: MIT
// Functions by their text, for sources that do not compile.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace convkit {

// "ns::gone(float)" -> "gone".
std::string bare_name(const std::string& function);

// Whether a function of this name has its body in the text. The text need not compile; what is in
// comments counts, what macros make does not.
bool defines_function(std::string_view text, std::string_view name);

// A function with its body, by the lines of the text, from 1 on.
struct FunctionText {
  std::string name;
  int first = 0, last = 0;
  std::set<std::string> words;  // that its body has: what it may call
};
// Those of a text that compiles, in order; what is in comments and strings does not count.
std::vector<FunctionText> functions_in(std::string_view text);

}  // namespace convkit
