// SPDX-License-Identifier: MIT
// From return addresses to lines of the student's files, by the debug information as the compiler's
// own library reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpu_device/check/stamp.h"

namespace convkit::simt::check {

// A confined program can read neither debug information nor sources. With
// CONVKIT_SIMT_LINES=addresses in its environment a line is "code@1a2b", an address in the object
// that it was loaded with (several where only the lines tell which one is meant: "code@1a2b,3c4d"),
// and whoever started the program finds the line.
bool lines_are_addresses();

struct SourceLine {
  // As the compiler was given it, or "code@1a2b"; empty where it is not known.
  std::string file;
  int line = 0;

  // "tile.cu:12"
  std::string text() const;
  // "tile.cu:12: tile[t] = in[t];", or nothing where the file cannot be read.
  std::string quoted() const;

  bool operator==(const SourceLine&) const = default;
};

// The line of the call that returns to `pc`. If functions are inlined into one another, the
// innermost one that belongs neither to the kit nor to the system.
SourceLine line_of(uintptr_t pc);

// The same for an address of which a stamp keeps the lower bits; `near` is an address in the same
// program, if one is known.
SourceLine line_of_stamp(Stamp stamp, uintptr_t near);

// The line of host code that called into the engine, found from the calling thread's stack. Cheap
// enough for every allocation: only addresses are kept until somebody asks. Some of the frames are
// the engine's own: a dozen where nothing is inlined.
struct CallSite {
  static constexpr int kFrames = 32;
  void* frames[kFrames];
  int count = 0;

  SourceLine line() const;
};
CallSite calling_host_code();

// The lines of an instruction: the innermost inlined function's first, then those it was inlined
// into. Empty where there is no debug information.
std::vector<SourceLine> debug_lines(uintptr_t pc);

}  // namespace convkit::simt::check
