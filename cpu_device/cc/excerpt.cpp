// SPDX-License-Identifier: MIT
#include "cpu_device/cc/excerpt.h"

#include <fmt/core.h>

#include <cctype>

namespace convkit {
namespace {

// Nobody reads more, and a file may be one line of megabytes with a message in each corner.
constexpr size_t kLongestLine = 2000;

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string line_of(const std::string& text, size_t line) {
  size_t begin = 0;
  for (; line > 1 && begin != std::string::npos; --line) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos || begin >= text.size()) return {};
  std::string found = text.substr(begin, text.find('\n', begin) - begin);
  if (!found.empty() && found.back() == '\r') found.pop_back();
  return found;
}

}  // namespace

std::string excerpt(const std::string& text, size_t line, size_t column, size_t length) {
  const std::string source = line_of(text, line);
  if (source.empty() || source.size() > kLongestLine) return {};
  const size_t at = column - 1;
  std::string marks;
  for (size_t i = 0; i < at && i < source.size(); ++i) {
    const bool continues = (static_cast<unsigned char>(source[i]) & 0xc0) == 0x80;  // UTF-8
    if (!continues) marks += source[i] == '\t' ? '\t' : ' ';
  }
  marks += '^';
  for (size_t i = at + 1; i < source.size(); ++i) {
    const bool marked = length > 0 ? i < at + length : in_name(source[at]) && in_name(source[i]);
    if (!marked) break;
    marks += '~';
  }
  return fmt::format("{:>5} | {}\n{:>5} | {}\n", line, source, "", marks);
}

}  // namespace convkit
