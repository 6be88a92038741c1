// SPDX-License-Identifier: MIT
// Lines of the student's files for the addresses in check mode's reports. A runner in check mode is
// confined and can read neither debug information nor sources: it writes "code@1a2b".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "session/session.h"

namespace convkit {

// `printed` with "tile.cu:12" for each "code@1a2b", an address in options.submission, or "an
// unknown line". Lines of options.sources are quoted. Of reports that then name the same lines for
// the same fault, the first stays. addr2line reads the submission, in the compiler's sandbox; where
// that fails, no line is known. Never throws.
std::string with_source_lines(const std::string& printed, const SessionOptions& options);
inline constexpr const char* kUnknownLine = "an unknown line";

// What with_source_lines() does once the lines are known: `lines` gives file and line, or "", for
// the text behind "code@".
struct KnownLine {
  std::string text;  // "tile.cu:12"
  std::string code;  // "tile[t] = in[t];", or "" where the file cannot be read
  // The line in the outermost function, where others were inlined into it; "": as text.
  std::string outermost = {};
  // What called the function: in other files where there are any, the nearest first.
  struct Caller {
    std::string text, code;
  };
  std::vector<Caller> callers = {};
};
std::string with_known_lines(const std::string& printed,
                             const std::function<KnownLine(const std::string&)>& lines);

}  // namespace convkit
