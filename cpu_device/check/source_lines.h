// SPDX-License-Identifier: MIT
// From return addresses to lines of the student's files, by the debug information as the compiler's
// own library reads it.
#pragma once

#include <cstdint>
#include <cstdlib>
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

// Two accesses at `one` and `other`, by two threads of a block, with no barrier between them; the
// block last met at `met`, and threads may wait at `waits` already ("" if none do); all as
// "tile.cu:12". If the barrier stands between the two lines, the access below it came first, and
// the one above it in the next pass of a loop. Says so and where the barrier is missing, after a
// space; else "".
inline std::string advice_on_loop(const std::string& met, const std::string& waits,
                                  const std::string& one, const std::string& other) {
  const auto line_in = [&](const std::string& text) {
    const size_t colon = text.rfind(':');
    const bool same_file = text.substr(0, colon) == met.substr(0, met.rfind(':'));
    return same_file && colon != std::string::npos ? std::atoi(text.c_str() + colon + 1) : 0;
  };
  const bool in_order = line_in(one) < line_in(other);
  const std::string &above = in_order ? one : other, &below = in_order ? other : one;
  if (line_in(above) == 0 || line_in(above) >= line_in(met) || line_in(met) >= line_in(below)) {
    return "";
  }
  return " The barrier at " + met + " is no help: a loop leads from " + below + " back to " +
         above + ", so threads have to meet behind " + below +
         (line_in(waits) > line_in(below) ? ", too. Others wait at " + waits +
                                                ", and this one has gone round it: no `continue`, "
                                                "`return` or `if` may lead there."
                                          : ", too.");
}
// With addresses for lines: what with_known_lines() (grade/device/source_lines.h) replaces by the
// advice, followed by "tile.cu:12,tile.cu:20", `met` and `waits`.
inline constexpr const char* kLoopQuestion = " loop@";

}  // namespace convkit::simt::check
