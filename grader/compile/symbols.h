// SPDX-License-Identifier: MIT
// The dynamic symbols of a shared object (ELF64), read without running anything.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

struct Symbols {
  std::vector<std::string> defined;
  std::vector<std::string> undefined;
};

// The file comes out of a compiler that worked on hostile sources: every offset is checked. Throws
// std::runtime_error naming the file where it is not a well-formed ELF64 shared object.
Symbols dynamic_symbols(const std::filesystem::path& library);

// Names of all symbols, local and hidden ones too, that begin with `prefix`; sorted, each once.
// Throws like dynamic_symbols().
std::vector<std::string> symbols_that_begin_with(const std::string& prefix,
                                                 const std::filesystem::path& library);

}  // namespace convkit
