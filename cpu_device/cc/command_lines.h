// SPDX-License-Identifier: MIT
// How the compiler is called.
#pragma once

#include <string>
#include <vector>

namespace convkit {

// As it could be typed at a shell, with a line's end.
std::string shell_line(const std::vector<std::string>& argv);

// The caller's, but the compiler speaks English and finds no CUDA toolkit through it.
std::vector<std::string> compiler_environment();

// What -ccbin names: a folder, or a compiler, perhaps by its name as a C compiler.
std::string cxx_compiler(const std::string& named);

// The text with every `what` replaced.
std::string replaced(std::string text, const std::string& what, const std::string& with);

}  // namespace convkit
