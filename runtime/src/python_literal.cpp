// SPDX-License-Identifier: MIT
#include "python_literal.h"

#include <charconv>

#include "convkit/kit_error.h"

namespace convkit {

void PythonLiteral::fail(const std::string& what) const {
  throw FormatError(complaint_ + ": " + what + " at byte " + std::to_string(at_) + ".");
}

char PythonLiteral::peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool PythonLiteral::accept(char c) {
  // The end reads as '\0', which must not stand for a NUL in the text.
  if (peek() != c || at_ == text_.size()) return false;
  ++at_;
  return true;
}

void PythonLiteral::expect(char c) {
  if (!accept(c)) fail(std::string("no '") + c + "'");
}

void PythonLiteral::expect_end() {
  peek();
  if (at_ != text_.size()) fail("more text after the closing brace");
}

std::string PythonLiteral::string() {
  const char quote = peek();
  if (quote != '\'' && quote != '"') fail("no string");
  const size_t end = text_.find(quote, at_ + 1);
  if (end == std::string_view::npos) fail("a string without its closing quote");
  const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
  if (content.find('\\') != std::string_view::npos) fail("an escape in a string");
  at_ = end + 1;
  return std::string(content);
}

bool PythonLiteral::accept_word(std::string_view word) {
  peek();
  if (!text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

bool PythonLiteral::boolean() {
  if (accept_word("True")) return true;
  if (!accept_word("False")) fail("neither True nor False");
  return false;
}

int64_t PythonLiteral::size() {
  if (peek() == '-') fail("a negative size");
  int64_t value = 0;
  const char* begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error == std::errc::result_out_of_range) fail("a size that does not fit 64 bits");
  if (error != std::errc()) fail("no size");
  at_ += static_cast<size_t>(end - begin);
  return value;
}

std::vector<int64_t> PythonLiteral::tuple(size_t limit) {
  std::vector<int64_t> sizes;
  expect('(');
  while (!accept(')')) {
    if (sizes.size() == limit) fail("more than " + std::to_string(limit) + " dimensions");
    sizes.push_back(size());
    // A single element needs its comma: (2) is a number in Python, not a tuple.
    if (!accept(',')) {
      if (sizes.size() == 1) fail("no ',' after the only size");
      expect(')');
      break;
    }
  }
  return sizes;
}

}  // namespace convkit
