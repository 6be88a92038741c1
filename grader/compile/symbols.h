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

// The names that an object (ELF64, not yet linked) defines for others. Throw like
// dynamic_symbols().
struct ObjectNames {
  std::vector<std::string> strong;  // once in a program
  std::vector<std::string> all;     // also those that may be there more than once, as of templates
};
ObjectNames names_defined_in(const std::filesystem::path& object);

// The same object, where these strong names are referred to and no longer defined.
std::string without_definitions(const std::vector<std::string>& names,
                                const std::filesystem::path& object);

// Names of all symbols, local and hidden ones too, that begin with `prefix`; sorted, each once.
// Throws like dynamic_symbols().
std::vector<std::string> symbols_that_begin_with(const std::string& prefix,
                                                 const std::filesystem::path& library);

}  // namespace convkit
