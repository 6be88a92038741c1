// SPDX-License-Identifier: MIT
// The variables of a loaded program or library, with their sizes, from its symbol table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace convkit::simt::check {

struct Variable {
  uint64_t begin;  // address before relocation, or offset in thread-local storage
  uint64_t bytes;
  std::string symbol;

  // Without the function or namespace it is in: "tile".
  std::string name() const;
};

struct ElfVariables {
  std::vector<Variable> data;           // by `begin`
  std::vector<Variable> thread_local_;  // by `begin`
};

// Empty where the file cannot be read or has been stripped.
ElfVariables read_elf_variables(const std::string& path);

// The variable that holds the offset; failing that, the one that ends or begins nearest to it. Null
// when there are none.
const Variable* nearest_variable(const std::vector<Variable>& variables, uint64_t at);

}  // namespace convkit::simt::check
