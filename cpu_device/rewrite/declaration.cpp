// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/declaration.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

// The `<` of the template arguments, or parameters, that `close` ends.
size_t angles_open(const Stream& s, size_t close) {
  size_t depth = 0;
  for (size_t i = close + 1; i-- > 0 && close - i < kLongestDeclaration;) {
    if (s.is(i, ";") || s.is(i, "{") || s.is(i, "}")) break;
    if (s.is(i, ")") && s.match(i) != kNone) i = s.match(i);
    depth += closing_angles(s[i]);
    if (s.is(i, "<") && --depth == 0) return i;
  }
  return kNone;
}

// Where the specifier, or the part of one, begins that token `last` ends; kNone: it ends none.
size_t specifier_begin(const Stream& s, size_t last) {
  if (s.is(last, ")") || s.is(last, "]")) {
    const size_t open = s.match(last);
    const bool of_specifier =
        open != kNone && (s.is(last, "]") || opens_arguments_of_specifier(s, open));
    return of_specifier ? open : kNone;
  }
  if (closing_angles(s[last]) > 0) return angles_open(s, last);
  const bool word = s[last].is_identifier() && !s.is(last, "else");
  const bool extern_c = s[last].kind == Token::Kind::string;
  return word || extern_c || s.is(last, "::") ? last : kNone;
}

}  // namespace

bool decides_storage(std::string_view word) {
  constexpr std::array<std::string_view, 5> kWords = {"static", "extern", "inline", "constexpr",
                                                      "thread_local"};
  return std::ranges::find(kWords, word) != kWords.end();
}

bool opens_arguments_of_specifier(const Stream& s, size_t open) {
  constexpr std::array<std::string_view, 6> kNames = {
      "__align__", "alignas", "__attribute__", "__declspec", "decltype", "__launch_bounds__"};
  return open > 0 && std::ranges::find(kNames, s[open - 1].text) != kNames.end();
}

size_t declaration_begin(const Stream& s, size_t i) {
  for (size_t steps = 0; i > 0 && steps < kLongestDeclaration && !s.is(i, "template"); ++steps) {
    const size_t before = specifier_begin(s, i - 1);
    if (before == kNone) break;
    i = before;
  }
  return i;
}

}  // namespace convkit::rewrite
