// SPDX-License-Identifier: MIT
// The program and its libraries in memory, and the variables in them, with their sizes, from the
// symbol tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace convkit::simt::check {

struct Variable {
  uint64_t begin;  // address before relocation, or offset in thread-local storage
  uint64_t bytes;
  std::string symbol;
  bool in_constant_memory = false;  // of a program that was compiled for checks or profiles

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

struct Range {
  uintptr_t begin = 0, bytes = 0;
  bool holds(uintptr_t at) const { return at - begin < bytes; }
};

// The loaded object that holds an address in one of its segments, or in the calling thread's
// storage of its thread-local variables. The path is empty if there is none.
struct LoadedObject {
  std::string path;
  uintptr_t base = 0;
  Range segment;          // that holds the address; empty for thread-local variables
  bool writable = false;  // the segment
  Range made_read_only;   // the part of a writable segment that is, after relocation
  Range thread_local_;
};
LoadedObject loaded_object_at(uintptr_t at);

// Read once for each file.
const ElfVariables& variables_of(const LoadedObject& object);

}  // namespace convkit::simt::check
