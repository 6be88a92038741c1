// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace convkit {

// A line of `text` with a mark below a column, as compilers print it:
//    12 |   k<<<g, b(x);
//       |    ^~~
// Lines and columns count from 1, in bytes. `length` 0: to the end of the name that begins there.
// Nothing of a line that is too long to be read.
std::string excerpt(const std::string& text, size_t line, size_t column, size_t length = 0);

}  // namespace convkit
