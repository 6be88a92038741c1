// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {
namespace {

char closing(std::string_view open) {
  if (open == "(") return ')';
  if (open == "[") return ']';
  return open == "{" ? '}' : '\0';
}

}  // namespace

Stream::Stream(const Source& source) : tokens_(source.code()) {
  match_brackets(source.alternatives());
}

Stream::Stream(std::span<const Token> tokens) : tokens_(tokens) {
  match_brackets({});
}

void Stream::match_brackets(std::span<const Alternative> alternatives) {
  match_.assign(tokens_.size(), kNone);
  // The open bracket around each open bracket makes the innermost stand for the whole stack.
  around_.assign(tokens_.size(), kNone);
  std::vector<size_t> brace(tokens_.size(), kNone);  // the innermost at or around each bracket
  size_t open = kNone;
  AlternativeWalk<size_t> walk(alternatives);
  for (size_t i = 0; i < tokens_.size(); ++i) {
    walk.before(i, open);
    around_[i] = open;
    const Token& token = tokens_[i];
    if (token.kind != Token::Kind::punctuator || token.text.size() != 1) continue;
    if (closing(token.text) != '\0') {
      brace[i] = token.is("{") ? i : open == kNone ? kNone : brace[open];
      open = i;
      continue;
    }
    const char c = token.text[0];
    if (c != ')' && c != ']' && c != '}') continue;
    // A brace closes what was left open inside it; a parenthesis that fits nothing is passed over.
    if (c == '}' && open != kNone) open = brace[open];
    if (open == kNone || closing(tokens_[open].text) != c) continue;
    match_[open] = i;
    match_[i] = open;
    open = around_[open];
  }
}

}  // namespace convkit::rewrite
