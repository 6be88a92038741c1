// SPDX-License-Identifier: MIT
// The part of Python's literal syntax that .npy headers use: strings, booleans, tuples of sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace convkit {

// Reads `text` from front to back. Each function skips white space first and throws FormatError,
// "<complaint>: <what was expected> at byte <n>.", where the text does not fit.
class PythonLiteral {
 public:
  PythonLiteral(std::string_view text, std::string complaint)
      : text_(text), complaint_(std::move(complaint)) {}

  char peek();          // the next character; '\0' at the end
  bool accept(char c);  // takes the next character if it is c
  void expect(char c);
  void expect_end();
  std::string string();  // 'in quotes' of either kind, without escapes
  bool boolean();        // True or False
  // (), (2,) or (2, 3): at most `limit` sizes, each from 0 to INT64_MAX
  std::vector<int64_t> tuple(size_t limit);
  [[noreturn]] void fail(const std::string& what) const;

 private:
  int64_t size();
  bool accept_word(std::string_view word);

  std::string_view text_;
  std::string complaint_;
  size_t at_ = 0;
};

}  // namespace convkit
