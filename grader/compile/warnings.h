// SPDX-License-Identifier: MIT
// Warnings of the compiler that may tell why a function is wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace convkit {

// The flags that make g++ or clang look for them. They come after those of a stage.
std::vector<std::string> telling_flags(bool clang);

struct Warning {
  std::string file;  // "conv2d.cpp"
  int line = 0;
  std::string kind;  // "uninitialized", as in -Wuninitialized
  std::string text;  // "'sum' is used uninitialized"
};
// The warnings of these kinds in a log, those that tell most first, each place once.
std::vector<Warning> telling_warnings(const std::string& log);

// The log without what only telling_flags() has asked for: a starter uses few of its parameters,
// and nobody wants to read that. `flags`: the stage's.
std::string without_unasked_warnings(const std::string& log, const std::vector<std::string>& flags);

}  // namespace convkit
