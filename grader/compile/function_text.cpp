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

namespace {

// The text with comments and literals as blanks; lines stay where they are.
std::string without_comments(std::string_view text) {
  std::string result(text);
  const auto blank = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < std::min(end, result.size()); ++i) {
      if (result[i] != '\n') result[i] = ' ';
    }
  };
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (text.substr(at).starts_with("//")) {
      end = std::min(text.find('\n', at), text.size());
      blank(at, end);
    } else if (text.substr(at).starts_with("/*")) {
      end = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
      blank(at, end);
    } else if (text[at] == '"' || (text[at] == '\'' && (at == 0 || !is_letter(text[at - 1])))) {
      while (end < text.size() && text[end] != text[at] && text[end] != '\n') {
        end += text[end] == '\\' ? 2 : 1;
      }
      end = std::min(end + 1, text.size());
      blank(at, end);
    }
    at = end;
  }
  return result;
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end > at) words.emplace(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Behind the brace that closes the one at `at`.
size_t past_braces(std::string_view text, size_t at) {
  int open = 0;
  for (; at < text.size(); ++at) {
    open += text[at] == '{';
    open -= text[at] == '}';
    if (open == 0) return at + 1;
  }
  return at;
}

int line_of(std::string_view text, size_t at) {
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// The name before the first parenthesis of a declaration "float f(int a)": "f". Empty where the
// text declares something else, such as a namespace or a class.
std::string declared_function(std::string_view declaration, size_t& name_at) {
  const size_t open = declaration.find('(');
  if (open == declaration.npos || declaration.substr(0, open).find('=') != declaration.npos)
    return "";
  size_t end = open;
  while (end > 0 && kSpace.find(declaration[end - 1]) != kSpace.npos) --end;
  size_t begin = end;
  while (begin > 0 && is_letter(declaration[begin - 1])) --begin;
  name_at = begin;
  return std::string(declaration.substr(begin, end - begin));
}

}  // namespace

std::vector<FunctionText> functions_in(std::string_view source) {
  const std::string plain = without_comments(source);
  const std::string_view text = plain;
  std::vector<FunctionText> functions;
  size_t begin = 0;  // of the declaration that is read
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ';' || text[at] == '}') begin = at + 1;
    if (text[at] == '#') {  // a directive to its end
      while (at < text.size() && (text[at] != '\n' || text[at - 1] == '\\')) ++at;
      begin = at;
    }
    if (at >= text.size() || text[at] != '{') continue;
    std::string_view declaration = text.substr(begin, at - begin);
    size_t name_at = 0;
    std::string name = declared_function(declaration, name_at);
    // Attributes and launch bounds have parentheses of their own.
    while (name.starts_with("__")) {
      const size_t past = past_parentheses(declaration, declaration.find('('));
      begin += past;
      declaration.remove_prefix(past);
      name = declared_function(declaration, name_at);
    }
    if (!name.empty()) {
      const size_t end = past_braces(text, at);
      functions.push_back({name, line_of(text, begin + name_at), line_of(text, end - 1),
                           words_of(text.substr(at, end - at))});
      at = end - 1;
    }
    begin = at + 1;  // into a namespace or a class, or behind the function
  }
  return functions;
}

}  // namespace convkit
