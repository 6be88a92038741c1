// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/thread_guards.h"

#include <algorithm>
#include <array>

#include "cpu_device/rewrite/expression.h"
#include "cpu_device/rewrite/quiet_names.h"

namespace convkit::rewrite {
namespace {

// Macros in macros deeper than this are not looked into.
constexpr int kDeepestMacro = 8;

bool is_plain_operator(std::string_view text) {
  static constexpr auto kOperators = std::to_array<std::string_view>(
      {"+", "-", "*",  "/",  "%",  "<",  ">", "<=", ">=", "==", "!=", "!", "~", "&",
       "|", "^", "&&", "||", "<<", ">>", "(", ")",  ",",  ".",  "::", "?", ":"});
  return std::ranges::find(kOperators, text) != kOperators.end();
}

// Whether the token can end a factor, so that `*` or `&` after it takes two operands.
bool ends_factor(const Stream& s, size_t i) {
  if (s.is(i, ")")) {
    const size_t open = s.match(i);
    if (open != kNone && open > 0 && s.is_identifier(open - 1)) return true;  // size_t(i)
    // `(float)*p`: a cast has words only.
    for (size_t k = i; k-- > 0 && k != open;) {
      if (!s.is_identifier(k)) return true;
    }
    return false;
  }
  return (s.is_identifier(i) && !is_builtin_type(s[i].text) && !is_keyword(s[i].text)) ||
         s[i].kind == Token::Kind::number;
}

// An expression of indices, arguments and constants: it reads no memory through a pointer, calls
// nothing but min() and max(), and changes nothing.
bool is_plain(const Stream& s, size_t begin, size_t end, const QuietCode& quiet, int depth = 0) {
  for (size_t i = begin; i < end; ++i) {
    const Token& token = s[i];
    if (!token.decided) return false;
    if (token.kind == Token::Kind::number) continue;
    if (token.kind == Token::Kind::punctuator) {
      if (!is_plain_operator(token.text)) return false;
      const bool needs_factor = token.is("*") || token.is("&");
      if (needs_factor && (i == begin || !ends_factor(s, i - 1))) return false;
      continue;
    }
    if (!token.is_identifier()) return false;
    if (quiet.is_macro(token.text)) {
      bool plain = depth < kDeepestMacro && !s.is(i + 1, "(");
      const bool known = quiet.visit_macro(token.text, [&](const Stream& text) {
        plain = plain && is_plain(text, 0, text.size(), quiet, depth + 1);
      });
      if (!known || !plain) return false;
    } else if (s.is(i + 1, "(")) {
      const bool computes = token.is("min") || token.is("max") || is_builtin_type(token.text);
      if (!computes) return false;
    }
  }
  return true;
}

// `const int i = expression, j = expression`
bool is_plain_declaration(const Stream& s, size_t begin, size_t end, const QuietCode& quiet) {
  const bool has_type =
      is_builtin_type(s[begin].text) || s.is(begin, "auto") || s.is(begin, "constexpr");
  if (!has_type || quiet.is_macro(s[begin].text)) return false;
  size_t first = begin;
  for (size_t i = begin; i <= end; ++i) {
    if (i < end && !s.is(i, "=")) continue;
    if (!is_plain(s, first, i, quiet)) return false;
    first = i + 1;
  }
  return true;
}

// The `;` that ends the statement at `i`, or kNone.
size_t semicolon(const Stream& s, size_t i, size_t end) {
  for (; i < end; ++i) {
    if (s.is(i, ";")) return i;
    if (s.is(i, "{") || s.is(i, "}") || s.is(i, "else")) return kNone;
    if ((s.is(i, "(") || s.is(i, "[")) && s.match(i) != kNone) i = s.match(i);
  }
  return kNone;
}

// What follows the condition, up to the end of the body: nothing else may.
bool read_rest(const Stream& s, size_t end, ThreadGuard& guard) {
  guard.leaves = false;
  guard.last = s.is(guard.first, "{") ? s.match(guard.first) : semicolon(s, guard.first, end);
  if (guard.last == kNone || guard.last + 1 != end) return false;
  for (size_t i = guard.first; i <= guard.last; ++i) {
    if (!s[i].decided) return false;
  }
  return true;
}

bool read_return(const Stream& s, ThreadGuard& guard) {
  const bool braced = s.is(guard.first, "{");
  const size_t at = guard.first + (braced ? 1 : 0);
  if (!s.is(at, "return") || !s.is(at + 1, ";") || (braced && !s.is(at + 2, "}"))) return false;
  guard.last = at + (braced ? 2 : 1);
  return !s.is(guard.last + 1, "else");
}

}  // namespace

std::vector<ThreadGuard> find_thread_guards(const Stream& s, size_t body, const QuietCode& quiet) {
  std::vector<ThreadGuard> guards;
  const size_t end = s.match(body);
  for (size_t i = body + 1; i < end;) {
    if (!s.is(i, "if")) {
      const size_t last = semicolon(s, i, end);
      if (last == kNone || last == i || !is_plain_declaration(s, i, last, quiet)) break;
      i = last + 1;
      continue;
    }
    ThreadGuard guard;
    guard.open = i + 1;
    guard.close = s.is(i + 1, "(") ? s.match(i + 1) : kNone;
    if (guard.close == kNone || !is_plain(s, guard.open + 1, guard.close, quiet)) break;
    guard.first = guard.close + 1;
    if (read_return(s, guard)) {
      guards.push_back(guard);
      i = guard.last + 1;
      continue;
    }
    if (read_rest(s, end, guard)) guards.push_back(guard);
    break;
  }
  return guards;
}

}  // namespace convkit::rewrite
