// SPDX-License-Identifier: MIT
// The text of code as it stood before its launches were rewritten.
#pragma once

#include <string>
#include <string_view>

namespace convkit::simt {

// "CONVKIT_SIMT_LAUNCH((k),(1, 2)) (x)" -> "k<<<1, 2>>>(x)". Any text is accepted.
std::string original_text(std::string_view rewritten);

}  // namespace convkit::simt
