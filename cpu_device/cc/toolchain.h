// SPDX-License-Identifier: MIT
// The compiler that builds submissions, and the kit's folders it needs; how it is called.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

struct Toolchain {
  std::filesystem::path compiler;    // absolute; empty: none was found
  std::string version;               // first line of `--version`
  std::string processor;             // the processor that -march=native means; part of cache keys
  std::vector<std::string> linkers;  // fast ones that are installed: "mold", "lld", "gold"

  bool is_clang() const { return version.find("clang") != std::string::npos; }

  // The first of compiler_candidates() that is there. Never throws.
  static Toolchain find();
};

// What may compile submissions, best first: `wanted` ($CXX; empty: unset), then `of_the_kit`, the
// compiler the kit was built with, where that has a name of its own such as g++-13 (it was chosen
// because the usual ones are missing or too old, or by the user), then g++, clang++ and c++.
std::vector<std::string> compiler_candidates(const std::string& wanted,
                                             const std::filesystem::path& of_the_kit);

// Absolute path of a program on PATH, or empty.
std::filesystem::path find_on_path(const std::string& program);

// As it could be typed at a shell, with a line's end.
std::string shell_line(const std::vector<std::string>& argv);

// The caller's, but the compiler speaks English and finds no CUDA toolkit through it.
std::vector<std::string> compiler_environment();

// What -ccbin names: a folder, or a compiler, perhaps by its name as a C compiler.
std::string cxx_compiler(const std::string& named);

// The text with every `what` replaced.
std::string replaced(std::string text, const std::string& what, const std::string& with);

}  // namespace convkit
