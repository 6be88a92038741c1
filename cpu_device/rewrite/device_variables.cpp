// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/device_variables.h"

#include <algorithm>
#include <string_view>

#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

// More tokens before a variable's name are no declaration.
constexpr size_t kLongestDeclaration = 64;

bool names_memory(const Token& token) {
  return token.is("__device__") || token.is("__constant__") || token.is("__managed__");
}

bool opens_arguments_of_attribute(const Stream& s, size_t open) {
  if (open == 0) return false;
  const std::string_view name = s[open - 1].text;
  return name == "__align__" || name == "alignas" || name == "__attribute__" || name == "decltype";
}

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

// The first of the specifiers that token `i` is one of.
size_t declaration_begin(const Stream& s, size_t i) {
  for (size_t steps = 0; i > 0 && steps < kLongestDeclaration; ++steps) {
    const size_t last = i - 1;
    size_t before = kNone;
    if (s.is(last, ")") || s.is(last, "]")) {
      const size_t open = s.match(last);
      if (open != kNone && (s.is(last, "]") || opens_arguments_of_attribute(s, open))) {
        before = open;
      }
    } else if (closing_angles(s[last]) > 0) {
      before = angles_open(s, last);
    } else if (s[last].is_identifier() || s.is(last, "::") ||
               s[last].kind == Token::Kind::string) {  // extern "C"
      before = last;
    }
    if (before == kNone) break;
    i = before;
    if (s.is(i, "template")) break;
  }
  return i;
}

// The declaration is of something else, or has its linkage already.
bool decides_otherwise(std::string_view word) {
  for (const std::string_view other : {"static", "inline", "constexpr", "thread_local", "template",
                                       "typedef", "using", "operator", "friend"}) {
    if (word == other) return true;
  }
  return false;
}

}  // namespace

std::optional<DeviceVariable> read_device_variable(const Stream& s, size_t memory) {
  if (!names_memory(s[memory])) return {};
  DeviceVariable variable{declaration_begin(s, memory), kNone};
  size_t angles = 0;
  for (size_t i = variable.begin; i < s.size() && i <= memory + kLongestDeclaration; ++i) {
    const Token& token = s[i];
    const bool brackets = token.is("(") || token.is("[") || token.is("{");
    if (token.is("<")) {
      ++angles;
    } else if (angles > 0) {
      angles -= std::min(angles, closing_angles(token));
      if (brackets && s.match(i) == kNone) return {};
      if (brackets) i = s.match(i);
    } else if (token.is_identifier()) {
      if (decides_otherwise(token.text)) return {};
      if (token.is("extern")) variable.external = true;
      variable.name = i;
    } else if ((token.is("(") && opens_arguments_of_attribute(s, i)) ||
               (token.is("[") && s.is(i + 1, "["))) {
      if (s.match(i) == kNone) return {};
      i = s.match(i);
    } else if (token.is("=") || token.is(";") || token.is("[") || token.is("{") || token.is(",")) {
      const bool named = variable.name != kNone && variable.name > memory &&
                         !is_keyword(s[variable.name].text) && !s.is(variable.name - 1, "::");
      return named ? std::optional(variable) : std::nullopt;
    } else if (!token.is("::") && !token.is("*") && !token.is("&") &&
               token.kind != Token::Kind::string) {
      return {};
    }
  }
  return {};
}

void rewrite_device_variables(const Stream& s, const Scopes& scopes, const Names& names,
                              Edits& edits) {
  for (size_t i = 0; i < s.size(); ++i) {
    if (scopes.function[i] != kNone || scopes.in_block[i]) continue;
    const auto variable = read_device_variable(s, i);
    if (!variable || variable->external || names.is_external(s[variable->name].text)) continue;
    const auto specifiers = s.tokens().subspan(variable->begin, variable->name - variable->begin);
    if (std::ranges::any_of(
            specifiers, [&](const Token& token) { return names.may_give_storage(token.text); })) {
      continue;
    }
    edits.insert(s[i].begin, "static __attribute__((unused)) ");
    i = variable->name;
  }
}

}  // namespace convkit::rewrite
