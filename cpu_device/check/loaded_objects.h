// SPDX-License-Identifier: MIT
// The program and its libraries in memory, and the variables in them.
#pragma once

#include <cstdint>
#include <string>

#include "cpu_device/check/elf_symbols.h"

namespace convkit::simt::check {

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
