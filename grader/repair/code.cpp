// SPDX-License-Identifier: MIT
#include "repair/code.h"

#include <algorithm>

#include "repair/words.h"

namespace convkit::repair {

using rewrite::kNone;
using rewrite::Token;

std::string Code::text(Part part) const {
  if (part.empty()) return "";
  return source_.text().substr(s_[part.begin].begin, s_[part.end - 1].end - s_[part.begin].begin);
}

std::string Code::between(size_t i, size_t end) const {
  const size_t begin = s_[i - 1].end;
  return source_.text().substr(begin, s_[end].begin - begin);
}

std::string Code::joined(Part part) const {
  std::string joined;
  for (size_t k = part.begin; k < part.end; ++k) {
    if (k > part.begin) joined += ' ';
    joined += s_[k].text;
  }
  return joined;
}

size_t Code::past(size_t k) const {
  const bool opens = s_.is(k, "(") || s_.is(k, "[") || s_.is(k, "{");
  return opens && s_.match(k) != kNone ? s_.match(k) + 1 : k + 1;
}

size_t Code::semicolon(size_t i, size_t limit) const {
  while (i < limit && !s_.is(i, ";") && !s_.is(i, "}")) i = past(i);
  return std::min(i, limit);
}

size_t Code::comma(size_t i, size_t limit) const {
  while (i < limit && !s_.is(i, ",")) i = past(i);
  return std::min(i, limit);
}

size_t Code::past_angles(size_t k, size_t end) const {
  int depth = 0;
  for (; k < end; ++k) {
    if (s_.is(k, "<")) ++depth;
    if (s_.is(k, ">")) --depth;
    if (s_.is(k, ">>")) depth -= 2;
    if (depth <= 0) return k + 1;
  }
  return end;
}

std::vector<Part> Code::arguments(size_t open) const {
  std::vector<Part> all;
  const size_t close = s_.match(open);
  for (size_t first = open + 1; close != kNone && first < close;) {
    const size_t stop = comma(first, close);
    all.push_back({first, stop});
    first = stop + 1;
  }
  return all;
}

std::string_view Code::cast_before(size_t open) const {
  size_t k = open - 1;
  if (!s_.is(k, ">")) return {};
  while (k > 0 && !s_.is(k, "<")) --k;
  return k > 0 ? s_[k - 1].text : std::string_view{};
}

bool Code::is_address(size_t k, size_t begin) const {
  return s_.is(k, "&") && (k == begin || !ends_value(k - 1));
}

bool Code::ends_value(size_t k) const {
  const Token& token = s_[k];
  if (token.is_identifier()) return !kNoNames.contains(token.text);
  return token.kind == Token::Kind::number || token.is(")") || token.is("]");
}

}  // namespace convkit::repair
