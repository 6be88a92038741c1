// SPDX-License-Identifier: MIT
#include "repair/draft.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "repair/axes.h"
#include "repair/words.h"

namespace convkit::repair {

using rewrite::kNone;
using rewrite::Token;

std::optional<Kind> Draft::kind_at(size_t k) const {
  const rewrite::Stream& s = code.tokens();
  std::vector<std::string> path = {std::string(s[k].text)};
  while (code.is_dot(k + 1) && s.is_identifier(k + 2)) {
    k += 2;
    path.emplace_back(s[k].text);
    if (s.is(k + 1, "(") && s.is(k + 2, ")")) {
      path.back() += "()";
      k += 2;
    }
  }
  return variables.kind_of_path(path);
}

std::optional<Kind> Draft::kind_of_target(Part target) const {
  const rewrite::Stream& s = code.tokens();
  const bool follows = s.is(target.begin, "*");
  auto kind = variables.kind_of(s[follows ? target.begin + 1 : target.begin].text);
  const bool is_indexed = follows || s.is(target.end - 1, "]");
  if (kind && kind->indices > 0 && is_indexed) kind->indices = 0;
  return kind;
}

bool Draft::is_integer(Part part) const {
  const rewrite::Stream& s = code.tokens();
  for (size_t k = part.begin; k < part.end; ++k) {
    const Token& token = s[k];
    if (token.kind == Token::Kind::number && token.text.find('.') != token.text.npos) return false;
    if (token.is("[") || token.is("{") || token.is("?")) return false;
    if (token.kind == Token::Kind::string || token.kind == Token::Kind::character) return false;
    if (!token.is_identifier() || (k > part.begin && code.is_dot(k - 1))) continue;
    if (kIntegers.contains(token.text) || kCasts.contains(token.text)) continue;
    const bool is_place = kPlaces.contains(token.text) && code.is_dot(k + 1);
    if (!is_place && kind_at(k) != number_of(false)) return false;
  }
  return !part.empty();
}

bool Draft::has_template_arguments(size_t k, size_t last, size_t end) const {
  const rewrite::Stream& s = code.tokens();
  if (!s.is(last + 1, "<") || (k == last && variables.kind_of(s[k].text))) return false;
  const size_t after = code.past_angles(last + 1, end);
  if (after >= end) return after == end && s.is(end - 1, ">");
  static const Words kFollow = {"(", "{", "::", "<<<", ">", ",", ")", ";", "&", "*", ":"};
  return s.is(after - 1, ">") && (kFollow.contains(s[after].text) || s.is_identifier(after));
}

bool Draft::is_visible(const std::string& piece) const {
  const rewrite::Source source(piece);
  const std::vector<Token>& tokens = source.code();
  for (size_t k = 0; k < tokens.size(); ++k) {
    if (!tokens[k].is_identifier() || kNoNames.contains(tokens[k].text)) continue;
    if (k > 0 && (tokens[k - 1].is(".") || tokens[k - 1].is("->"))) continue;
    const bool calls = k + 1 < tokens.size() && tokens[k + 1].is("(");
    if (kIntegers.contains(tokens[k].text) || kPlaces.contains(tokens[k].text) || calls) continue;
    if (!variables.kind_of(tokens[k].text)) return false;
  }
  return true;
}

unsigned Draft::likeness(std::string_view own, std::string_view other) const {
  if (other_axis(own) == other) return kLikely;
  std::string_view a = own, b = other;
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
  if (std::max(a.size(), b.size()) <= 1) return kLikely;
  return counters.contains(own) == counters.contains(other) ? kPlain : kRare;
}

bool scales_places(std::string_view name) {
  const bool is_constant =
      name.size() > 1 && name[0] == 'k' && std::isupper(static_cast<unsigned char>(name[1]));
  return is_constant || name.find("stride") != name.npos || name.find("dilation") != name.npos;
}

}  // namespace convkit::repair
