// SPDX-License-Identifier: MIT
// Functions by their text, for sources that do not compile.
#pragma once

#include <string>
#include <string_view>

namespace convkit {

// "ns::gone(float)" -> "gone".
std::string bare_name(const std::string& function);

// Whether a function of this name has its body in the text. The text need not compile; what is in
// comments counts, what macros make does not.
bool defines_function(std::string_view text, std::string_view name);

}  // namespace convkit
