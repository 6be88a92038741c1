// SPDX-License-Identifier: MIT
// The messages of g++ and clang in parts. Excerpts of source lines must be turned off.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace convkit {

// One line of the log.
struct LogLine {
  std::string file;  // empty: the line names no place
  size_t line = 0, column = 0;
  std::string severity;  // "error", "fatal error", "warning", "note", or "" for lines of context
  std::string text;      // what follows; for a line without a place, all of it

  bool is_error() const { return severity == "error" || severity == "fatal error"; }
  // Such lines as "In file included from x.h:3," have their place inside.
  bool is_context() const { return severity.empty(); }
  std::string spelled() const;
};

// An error or a warning with the lines that belong to it.
struct CompilerReport {
  std::vector<LogLine> context;  // before it: where it was included and instantiated from
  LogLine primary;               // without severity: the last lines of the log belong to no message
  std::vector<LogLine> notes;    // after it
};

std::vector<CompilerReport> read_compiler_log(const std::string& log);

// A line of `text` with a mark below a column, as compilers print it:
//    12 |   k<<<g, b(x);
//       |    ^~~
// Lines and columns count from 1, in bytes. `length` 0: to the end of the name that begins there.
// Nothing of a line that is too long to be read.
std::string excerpt(const std::string& text, size_t line, size_t column, size_t length = 0);

}  // namespace convkit
