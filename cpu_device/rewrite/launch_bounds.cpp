// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/launch_bounds.h"

#include <algorithm>

#include "cpu_device/rewrite/declaration.h"
#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

// The tokens [first, last) of the first argument of `__launch_bounds__` among the specifiers.
struct Argument {
  size_t first = kNone, last = kNone;
};

Argument find_argument(const Stream& s, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (!s.is(i, "__launch_bounds__") || !s.is(i + 1, "(") || s.match(i + 1) == kNone) continue;
    Argument argument{i + 2, s.match(i + 1)};
    for (size_t k = argument.first; k < argument.last; ++k) {
      if (s.is(k, "<")) return {};  // a comma may be one of template arguments
      if ((s.is(k, "(") || s.is(k, "{") || s.is(k, "[")) && s.match(k) != kNone) k = s.match(k);
      if (s.is(k, ",")) argument.last = k;
    }
    return argument.first < argument.last ? argument : Argument{};
  }
  return {};
}

bool is_certain(const Stream& s, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (!s[i].decided) return false;
  }
  return true;
}

// The `namespace` of which the bracket at `open` holds the members, or kNone.
size_t namespace_before(const Stream& s, size_t open) {
  for (size_t i = open; i > 0 && (s.is_identifier(i - 1) || s.is(i - 1, "::")); --i) {
    if (s.is(i - 1, "namespace")) return i - 1;
  }
  return kNone;
}

bool is_in_namespaces_only(const Stream& s, size_t i) {
  for (size_t open = s.around(i); open != kNone; open = s.around(open)) {
    const bool is_extern = open > 0 && s[open - 1].kind == Token::Kind::string;
    if (!is_extern && namespace_before(s, open) == kNone) return false;
  }
  return true;
}

}  // namespace

size_t template_arguments(const Stream& s, size_t open, size_t close) {
  if (close <= open + 1 || closing_angles(s[close]) != 1) return 0;
  size_t count = 1;
  for (size_t i = open + 1; i < close; ++i) {
    // Which comma separates arguments is certain only without other angles.
    if (s.is(i, "<") || s.is(i, "...") || closing_angles(s[i]) > 0) return 0;
    if ((s.is(i, "(") || s.is(i, "{") || s.is(i, "[")) && s.match(i) != kNone) i = s.match(i);
    if (s.is(i, ",")) ++count;
  }
  return count;
}

std::string text_between(const Stream& s, size_t begin, size_t end) {
  std::string text;
  for (size_t i = begin; i < end; ++i) text += (i == begin ? "" : " ") + std::string(s[i].text);
  return text;
}

std::string namespaces_around(const Stream& s, size_t i) {
  std::string path;
  for (size_t open = s.around(i); open != kNone; open = s.around(open)) {
    const size_t keyword = namespace_before(s, open);
    if (keyword == kNone) continue;  // a function, a class, a block
    for (size_t k = open - 1; k > keyword; --k) {
      if (s.is_identifier(k)) path = std::string(s[k].text) + (path.empty() ? "" : "::") + path;
    }
  }
  return path;
}

std::optional<LaunchBound> read_launch_bound(const Source& source, const Stream& s,
                                             const FunctionHead& head,
                                             const std::set<std::string_view>& macros) {
  const size_t close = s.match(head.parameters);
  const bool defined = head.is_kernel() && close != kNone && s.is(close + 1, "{");
  if (!defined || head.expands || head.qualified || !is_in_namespaces_only(s, head.name)) {
    return std::nullopt;
  }
  LaunchBound bound;
  bound.source = &source;
  bound.space = namespaces_around(s, head.name);
  bound.begin = declaration_begin(s, head.name);
  const Argument argument = find_argument(s, bound.begin, head.name);
  if (argument.first == kNone || !is_certain(s, bound.begin, head.name)) return std::nullopt;
  std::string before = "[[maybe_unused]] static constexpr unsigned ";
  if (s.is(bound.begin, "template")) {
    size_t end = bound.begin + 1;
    while (end < head.name && closing_angles(s[end]) == 0) ++end;
    bound.parameters = template_arguments(s, bound.begin + 1, end);
    if (bound.parameters == 0 || s.is(end + 1, "template")) return std::nullopt;
    before = text_between(s, bound.begin, end + 1) + " " + before;
  }
  for (size_t i = bound.begin; i < head.name; ++i) {
    // A macro's text may hold anything, but in the bound itself it is as good there as here.
    const bool in_argument = i >= argument.first && i < argument.last;
    if (!in_argument && s.is_identifier(i) && macros.contains(s[i].text)) return std::nullopt;
  }
  bound.constant = before + "convkit_bounds_" + std::string(s[head.name].text) +
                   " = static_cast<unsigned>(" + text_between(s, argument.first, argument.last) +
                   "); ";
  return bound;
}

}  // namespace convkit::rewrite
