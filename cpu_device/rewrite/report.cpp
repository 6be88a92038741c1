// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/report.h"

#include <algorithm>

namespace convkit::rewrite {
namespace {

// The message as it is written in a string inside a string.
std::string escaped_twice(const std::string& message) {
  std::string result;
  for (const char c : message) {
    if (c == '"' || c == '\\') {
      result += "\\\\\\";
      result += c;
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

void Report::add(Diagnostic::Severity severity, const Token& at, std::string message) {
  if (full()) return;
  ++count_;
  const bool error = severity == Diagnostic::Severity::error;
  if (!certain(at)) {
    edits_.insert(at.begin, std::string(" _Pragma(\"GCC ") + (error ? "error" : "warning") +
                                " \\\"" + escaped_twice(message) + "\\\"\") ");
    return;
  }
  const Source::Place place = source_.place(at.begin);
  const size_t length = std::max<size_t>(1, at.text.size());
  diagnostics_.push_back({severity, place.line, place.column, length, std::move(message)});
}

std::vector<Diagnostic> Report::take() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return a.line != b.line ? a.line < b.line : a.column < b.column;
                   });
  return std::move(diagnostics_);
}

}  // namespace convkit::rewrite
