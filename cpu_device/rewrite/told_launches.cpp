// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/told_launches.h"

#include <algorithm>

namespace convkit::rewrite {
namespace {

// `#define NAME(...) ... # ...`: its name; else "".
std::string_view macro_that_makes_text(const Directive& directive) {
  const std::span<const Token> tokens = directive.tokens;
  const bool takes_arguments = directive.name == "define" && tokens.size() > 3 &&
                               tokens[1].is("(") && tokens[1].begin == tokens[0].end;
  if (!takes_arguments) return {};
  for (const Token& token : tokens.subspan(2)) {
    if (token.is("#")) return tokens[0].text;
  }
  return {};
}

// Adds each of `macros` that has a launch among its arguments here.
void add_callers(const Stream& s, const std::set<std::string_view>& macros,
                 std::set<std::string_view>& found) {
  for (size_t i = 0; i < s.size(); ++i) {
    if (!s.is(i, "<<<") && !(s.is(i, "<<") && s.is(i + 1, "<"))) continue;
    for (size_t open = s.around(i); open != kNone; open = s.around(open)) {
      const bool is_call = s.is(open, "(") && open > 0 && s.is_identifier(open - 1);
      if (is_call && macros.contains(s[open - 1].text)) found.insert(s[open - 1].text);
    }
  }
}

}  // namespace

std::set<std::string_view> macros_that_tell_launches(std::span<const Source* const> sources) {
  std::set<std::string_view> macros, found;
  for (const Source* source : sources) {
    for (const Directive& directive : source->directives()) {
      const std::string_view name = macro_that_makes_text(directive);
      if (!name.empty()) macros.insert(name);
    }
  }
  if (macros.empty()) return found;
  for (const Source* source : sources) {
    add_callers(Stream(*source), macros, found);
    for (const Directive& directive : source->directives()) {
      if (directive.name == "define") add_callers(Stream(directive.tokens), macros, found);
    }
  }
  return found;
}

void keep_original_texts(const Stream& body, const std::set<std::string_view>& parameters,
                         Edits& edits) {
  const auto is_text = [&](size_t i) {
    return body.is(i, "#") && i + 1 < body.size() && parameters.contains(body[i + 1].text);
  };
  const auto is_literal = [&](size_t i) {
    return i < body.size() && body[i].kind == Token::Kind::string;
  };
  for (size_t i = 0; i < body.size();) {
    bool has_text = false;
    size_t end = i;
    while (is_text(end) || is_literal(end)) {
      has_text = has_text || is_text(end);
      end += is_text(end) ? 2 : 1;
    }
    if (has_text) {
      edits.insert(body[i].begin, "CONVKIT_SIMT_TEXT(");
      edits.insert(body[end - 1].end, ")");
    }
    i = std::max(end, i + 1);
  }
}

}  // namespace convkit::rewrite
