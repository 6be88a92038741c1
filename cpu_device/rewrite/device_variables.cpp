// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/device_variables.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "cpu_device/rewrite/declaration.h"
#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

bool names_memory(const Token& token) {
  return token.is("__device__") || token.is("__constant__") || token.is("__managed__");
}

// The declaration is of something else.
bool decides_otherwise(std::string_view word) {
  constexpr std::array<std::string_view, 5> kOthers = {"template", "typedef", "using", "operator",
                                                       "friend"};
  return std::ranges::find(kOthers, word) != kOthers.end();
}

bool has(std::span<const Token> specifiers, std::string_view word) {
  return std::ranges::any_of(specifiers, [&](const Token& token) { return token.is(word); });
}

// Whether it can lie in one section with others of its memory: what the compiler places in memory
// that cannot be written, or in a section of its own, cannot.
bool shares_section(std::span<const Token> specifiers) {
  return !has(specifiers, "const") && !has(specifiers, "constexpr") && !has(specifiers, "inline");
}

// Where other specifiers may stand: behind `alignas(16)` and `[[...]]`, if they follow token `i`.
size_t behind_attributes(const Stream& s, size_t i) {
  size_t end = i;
  for (size_t k = i; names_memory(s[k]) || s.is(k, "alignas") || s.is(k, "[");) {
    const bool attribute = !names_memory(s[k]);
    if (attribute && s.match(s.is(k, "[") ? k : k + 1) == kNone) break;
    k = attribute ? s.match(s.is(k, "[") ? k : k + 1) + 1 : k + 1;
    if (attribute) end = k;
  }
  return end;
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
      if (decides_storage(token.text)) {
        (token.is("extern") ? variable.external : variable.settled) = true;
      }
      variable.name = i;
    } else if ((token.is("(") && opens_arguments_of_specifier(s, i)) ||
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
    if (!variable || variable->external) continue;
    if (names.is_external(s[variable->name].text)) continue;
    const auto specifiers = s.tokens().subspan(variable->begin, variable->name - variable->begin);
    const size_t at = s[behind_attributes(s, i)].begin;
    if (has(specifiers, "__constant__") && shares_section(specifiers)) {
      edits.insert(at, "CONVKIT_SIMT_CONSTANT_MEMORY ");
    }
    for (const Token& token : specifiers) {
      if (token.is("__managed__") && !shares_section(specifiers)) edits.replace(token, "");
    }
    const bool settled =
        variable->settled || std::ranges::any_of(specifiers, [&](const Token& token) {
          return names.may_give_storage(token.text);
        });
    if (!settled) edits.insert(at, "static __attribute__((unused)) ");
    i = variable->name;
  }
}

}  // namespace convkit::rewrite
