// SPDX-License-Identifier: MIT
// The compiler that builds submissions, and the kit's folders it needs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

struct Toolchain {
  std::filesystem::path compiler;    // absolute; empty: none was found
  std::string version;               // first line of `--version`
  std::string processor;             // what -march=native stands for, part of cache keys
  std::vector<std::string> linkers;  // fast ones that are installed: "mold", "lld", "gold"

  // Looks for $CXX, then g++, clang++ and c++ on PATH. Never throws.
  static Toolchain find();
};

// Absolute path of a program on PATH, or empty.
std::filesystem::path find_on_path(const std::string& program);

}  // namespace convkit
