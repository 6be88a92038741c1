// SPDX-License-Identifier: MIT
// The rewriter's messages about a file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cpu_device/rewrite/edits.h"
#include "cpu_device/rewrite/source.h"

namespace convkit::rewrite {

struct Diagnostic {
  enum class Severity { warning, error };
  Severity severity = Severity::error;
  size_t line = 1, column = 1, length = 1;  // from 1; bytes
  std::string message;                      // one or two sentences
};

// Collects diagnostics. Only the compiler knows whether code below some #if, or the body of a
// macro, will be compiled at all. There a diagnostic is put into the text, where the compiler
// prints it if it gets there.
class Report {
 public:
  Report(const Source& source, Edits& edits) : source_(source), edits_(edits) {}

  void error(const Token& at, std::string message) {
    add(Diagnostic::Severity::error, at, std::move(message));
  }
  void warning(const Token& at, std::string message) {
    add(Diagnostic::Severity::warning, at, std::move(message));
  }

  // While a macro's body is looked at.
  void enter_macro() { in_macro_ = true; }
  void leave_macro() { in_macro_ = false; }

  // Whether code at `at` is compiled for sure.
  bool certain(const Token& at) const { return at.decided && !in_macro_; }

  // Nobody reads more.
  bool full() const { return count_ >= kMost; }

  std::vector<Diagnostic> take();  // in the order of the file

 private:
  static constexpr size_t kMost = 50;

  void add(Diagnostic::Severity severity, const Token& at, std::string message);

  const Source& source_;
  Edits& edits_;
  std::vector<Diagnostic> diagnostics_;
  size_t count_ = 0;
  bool in_macro_ = false;
};

}  // namespace convkit::rewrite
