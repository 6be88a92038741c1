// SPDX-License-Identifier: MIT
// Reading what compilers and linkers say.
#pragma once

#include <string>
#include <vector>

namespace convkit {

// The first error as one sentence: "conv2d.cpp:12:5: 'foo' was not declared in this scope".
// Undefined references become "`helper` is used but not defined in any file".
std::string first_error(const std::string& log);

// The log with every occurrence of `prefix` removed from paths.
std::string without_prefix(std::string log, const std::string& prefix);

}  // namespace convkit
