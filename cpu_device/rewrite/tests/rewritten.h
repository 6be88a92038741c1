// SPDX-License-Identifier: MIT
// Short forms for tests of the rewriter.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "cpu_device/rewrite/rewrite.h"

namespace convkit::rewrite::test {

inline Rewritten rewritten(const std::string& text) {
  const Source source(text);
  Names names;
  names.add(source);
  names.finish();
  return rewrite(source, names);
}

// The text for plain mode, where kernels that never wait run their threads as a loop.
inline std::string looped(const std::string& text, const std::string& macro = "") {
  const Source source(text);
  Names names;
  if (!macro.empty()) names.add_macro(macro);
  names.add(source);
  names.finish();
  const QuietCode quiet(names);
  return rewrite(source, names, {}, DeviceCode::whole, &quiet).text;
}

// The new text, or what was wrong.
inline std::string text_of(const std::string& text) {
  const Rewritten result = rewritten(text);
  if (result.diagnostics.empty()) return result.text;
  const Diagnostic& first = result.diagnostics.front();
  return std::to_string(first.line) + ":" + std::to_string(first.column) + ": " + first.message;
}

// What was said, as "line:column: message".
inline std::vector<std::string> said(const std::string& text) {
  std::vector<std::string> lines;
  for (const Diagnostic& each : rewritten(text).diagnostics) {
    const bool error = each.severity == Diagnostic::Severity::error;
    lines.push_back(std::to_string(each.line) + ":" + std::to_string(each.column) +
                    (error ? ": " : ": warning: ") + each.message);
  }
  return lines;
}

inline bool is_said(const std::string& text, const std::string& words) {
  const std::vector<std::string> lines = said(text);
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(words) != std::string::npos;
  });
}

inline long lines_in(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace convkit::rewrite::test
