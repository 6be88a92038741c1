// SPDX-License-Identifier: MIT
#include "compile/function_text.h"

#include <algorithm>
#include <cctype>

namespace convkit {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

bool is_letter(char ch) {
  return std::isalnum(static_cast<unsigned char>(ch)) != 0 || ch == '_';
}

size_t past_space(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(kSpace, at), text.size());
}

// Behind the parenthesis that closes the one at `at`.
size_t past_parentheses(std::string_view text, size_t at) {
  int open = 0;
  for (; at < text.size(); ++at) {
    open += text[at] == '(';
    open -= text[at] == ')';
    if (open == 0) return at + 1;
  }
  return at;
}

}  // namespace

std::string bare_name(const std::string& function) {
  const std::string before = function.substr(0, function.find_first_of("(<["));
  const size_t colons = before.rfind("::");
  return colons == std::string::npos ? before : before.substr(colons + 2);
}

bool defines_function(std::string_view text, std::string_view name) {
  if (name.empty()) return false;
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    const bool part_of_a_name =
        (at > 0 && is_letter(text[at - 1])) || (end < text.size() && is_letter(text[end]));
    end = past_space(text, end);
    if (part_of_a_name || end == text.size() || text[end] != '(') continue;
    end = past_space(text, past_parentheses(text, end));
    for (const std::string_view word : {"const", "noexcept"}) {
      if (text.substr(end).starts_with(word)) end = past_space(text, end + word.size());
    }
    if (end < text.size() && text[end] == '{') return true;
  }
  return false;
}

}  // namespace convkit
