// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/expression.h"

#include <algorithm>
#include <array>

namespace convkit::rewrite {
namespace {

// Sorted.
constexpr std::array<std::string_view, 88> kKeywords = {
    "alignas",       "alignof",     "and",
    "and_eq",        "asm",         "auto",
    "bitand",        "bitor",       "bool",
    "break",         "case",        "catch",
    "char",          "char16_t",    "char32_t",
    "char8_t",       "class",       "co_await",
    "co_return",     "co_yield",    "compl",
    "concept",       "const",       "const_cast",
    "consteval",     "constexpr",   "constinit",
    "continue",      "decltype",    "default",
    "delete",        "do",          "double",
    "dynamic_cast",  "else",        "enum",
    "explicit",      "export",      "extern",
    "false",         "float",       "for",
    "friend",        "goto",        "if",
    "inline",        "int",         "long",
    "mutable",       "namespace",   "new",
    "noexcept",      "not",         "not_eq",
    "nullptr",       "operator",    "or",
    "or_eq",         "private",     "protected",
    "public",        "register",    "reinterpret_cast",
    "requires",      "return",      "short",
    "signed",        "sizeof",      "static",
    "static_assert", "static_cast", "struct",
    "switch",        "template",    "thread_local",
    "throw",         "true",        "try",
    "typedef",       "typeid",      "typename",
    "union",         "unsigned",    "using",
    "virtual",       "void",        "volatile",
    "while"};

// A list of template arguments longer than this is not one.
constexpr size_t kLongestArguments = 2000;

bool is_name(const Stream& s, size_t i) {
  return s.is_identifier(i) && !is_keyword(s[i].text);
}

// Whether the parenthesis closed at `close` belongs to `if (...)` and the like.
bool closes_condition(const Stream& s, size_t close) {
  const size_t open = s.match(close);
  if (open == kNone || open == 0) return false;
  for (const std::string_view word : {"if", "for", "while", "switch", "catch", "constexpr"}) {
    if (s.is(open - 1, word)) return true;
  }
  return false;
}

// Whether a `(` or `[` after this token calls or indexes what ends here.
bool ends_operand(const Stream& s, size_t i) {
  if (s.is(i, ")")) return !closes_condition(s, i);
  return s.is(i, "]") || is_name(s, i) || closing_angles(s[i]) > 0;
}

// `a ## b`: in a macro, one name. Returns its first token.
size_t pasted_begin(const Stream& s, size_t last) {
  while (last >= 2 && s.is(last - 1, "##")) last -= 2;
  return last;
}

bool is_cast(const Stream& s, size_t i) {
  return s.is(i, "static_cast") || s.is(i, "reinterpret_cast") || s.is(i, "const_cast");
}

bool ends_name(const Stream& s, size_t last) {
  if (is_name(s, last)) return true;
  return last >= 2 && s.is(last - 1, "##") && s[last].kind == Token::Kind::number;
}

}  // namespace

bool is_keyword(std::string_view word) {
  return std::binary_search(kKeywords.begin(), kKeywords.end(), word);
}

size_t closing_angles(const Token& token) {
  if (token.is(">")) return 1;
  if (token.is(">>")) return 2;
  return token.is(">>>") ? 3 : 0;
}

size_t name_begin(const Stream& s, size_t last) {
  size_t begin = pasted_begin(s, last);
  while (begin >= 1 && s.is(begin - 1, "::")) {
    if (begin < 2 || !ends_name(s, begin - 2)) return begin - 1;
    begin = pasted_begin(s, begin - 2);
  }
  return begin;
}

size_t template_open(const Stream& s, size_t close) {
  size_t depth = closing_angles(s[close]), steps = 0;
  for (size_t i = close; i-- > 0 && steps < kLongestArguments; ++steps) {
    const Token& token = s[i];
    if (token.is(")") || token.is("]") || token.is("}")) {
      i = s.match(i);
      if (i == kNone) return kNone;
    } else if (token.is("(") || token.is("[") || token.is("{") || token.is(";")) {
      return kNone;
    } else if (token.is("<")) {
      if (--depth > 0) continue;
      depth = 1;  // unless this is the one sought, it says "less than"
      if (i > 0 && is_cast(s, i - 1)) return i;
      if (i == 0 || !ends_name(s, i - 1)) continue;
      const size_t name = name_begin(s, i - 1);
      // `k<N < 32>`: no launch can be compared with anything, so its name stands further left.
      if (name >= 2 && s.is(name - 1, "<") && ends_name(s, name - 2)) continue;
      return i;
    } else {
      depth += closing_angles(token);
    }
  }
  return kNone;
}

size_t postfix_begin(const Stream& s, size_t end) {
  size_t at = end;
  while (at > 0) {
    const size_t last = at - 1;
    if (s.is(last, ")") || s.is(last, "]")) {
      at = s.match(last);
      if (at == kNone) return kNone;
      if (at > 0 && ends_operand(s, at - 1)) continue;
      if (s.is(last, "]")) return kNone;
      return at > 0 && s.is(at - 1, "decltype") ? at - 1 : at;
    }
    if (closing_angles(s[last]) > 0) {
      at = template_open(s, last);
      if (at == kNone) return kNone;
      if (is_cast(s, at - 1)) return at - 1;
      continue;
    }
    if (!ends_name(s, last)) return kNone;
    at = name_begin(s, last);
    if (s.is(at, "::")) {
      // What stands before it may be `Type<int>` or `decltype(x)`.
      const bool qualified =
          at > 0 && (closing_angles(s[at - 1]) > 0 ||
                     (s.is(at - 1, ")") && s.match(at - 1) != kNone && s.match(at - 1) > 0 &&
                      s.is(s.match(at - 1) - 1, "decltype")));
      if (!qualified) return at;
      continue;
    }
    size_t joint = at;
    if (joint > 0 && s.is(joint - 1, "template")) --joint;
    if (joint == 0) return at;
    if (s.is(joint - 1, ".") || s.is(joint - 1, "->")) {
      at = joint - 1;
    } else if (joint < at && s.is(joint - 1, "::")) {
      at = joint - 1;  // T::template k<3>
    } else {
      return at;
    }
  }
  return kNone;
}

}  // namespace convkit::rewrite
