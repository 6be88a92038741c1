// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/lexer.h"

#include <algorithm>
#include <array>

namespace convkit::rewrite {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// Longest first. `<<<` and `>>>` are tokens of CUDA C++.
constexpr std::array<std::string_view, 31> kPunctuators = {
    "<<<", ">>>", "<<=", ">>=", "<=>", "->*", "...", "::", "->", ".*", "##",
    "<<",  ">>",  "<=",  ">=",  "==",  "!=",  "&&",  "||", "++", "--", "+=",
    "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=",  "%:", "%>"};

class Scanner {
 public:
  Scanner(std::string_view text, const JoinedText& joined)
      : text_(text), joined_(joined), view_(joined.characters.data(), joined.characters.size()) {}

  Lexed scan() {
    if (view_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a byte order mark
    while (skip_to_token()) {
      const size_t begin = at_;
      if (!in_directive_ && line_begins_ && (view_[at_] == '#' || looking_at("%:"))) {
        at_ += view_[at_] == '#' ? 1 : 2;
        begin_directive(begin);
        continue;
      }
      line_begins_ = false;
      add(token(), begin);
    }
    end_directive();
    return std::move(lexed_);
  }

 private:
  bool looking_at(std::string_view what) const { return view_.substr(at_, what.size()) == what; }
  char peek(size_t ahead) const { return at_ + ahead < view_.size() ? view_[at_ + ahead] : '\0'; }

  // Past white space and comments; a line's end ends a preprocessor line.
  bool skip_to_token() {
    while (at_ < view_.size()) {
      const char c = view_[at_];
      if (c == '\n') {
        end_directive();
        line_begins_ = true;
        ++at_;
      } else if (is_space(c)) {
        ++at_;
      } else if (looking_at("//")) {
        at_ = std::min(view_.find('\n', at_), view_.size());
      } else if (looking_at("/*")) {
        const size_t end = view_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? view_.size() : end + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  void begin_directive(size_t begin) {
    in_directive_ = true;
    RawDirective directive;
    directive.begin = joined_.at[begin];
    directive.end = joined_.at[at_];
    directive.first = directive.last = lexed_.directive_tokens.size();
    directive.before = lexed_.code.size();
    lexed_.directives.push_back(directive);
    named_ = false;
  }

  void end_directive() { in_directive_ = false; }

  void add(Token::Kind kind, size_t begin) {
    Token token;
    token.kind = kind;
    token.begin = joined_.at[begin];
    // This is not the position of the next character: a line continuation may be in between.
    token.end = joined_.at[at_ - 1] + 1;
    token.text = raw_.empty() ? view_.substr(begin, at_ - begin) : raw_;
    raw_ = {};
    if (!in_directive_) {
      lexed_.code.push_back(token);
      return;
    }
    RawDirective& directive = lexed_.directives.back();
    directive.end = token.end;
    if (!named_) {
      named_ = true;
      directive.name = token.text;
      return;
    }
    lexed_.directive_tokens.push_back(token);
    directive.last = lexed_.directive_tokens.size();
  }

  Token::Kind token() {
    const char c = view_[at_];
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (is_name_character(c) || c == '\\') return name_or_literal();
    if (c == '"') return quoted('"', Token::Kind::string);
    if (c == '\'') return quoted('\'', Token::Kind::character);
    if (c == '<' && names_a_header()) {
      const size_t close = view_.find_first_of(">\n", at_);
      if (close != std::string_view::npos && view_[close] == '>') {
        at_ = close + 1;
        return Token::Kind::header_name;
      }
    }
    for (const std::string_view punctuator : kPunctuators) {
      if (!looking_at(punctuator)) continue;
      at_ += punctuator.size();
      return Token::Kind::punctuator;
    }
    ++at_;
    return Token::Kind::punctuator;
  }

  // Whether the next token is the name in `#include <name>`.
  bool names_a_header() const {
    if (!in_directive_ || !named_) return false;
    const RawDirective& directive = lexed_.directives.back();
    return directive.first == directive.last &&
           (directive.name == "include" || directive.name == "include_next");
  }

  // 1'000, 0x1p-3, 1.5e+3f: C++ calls this a preprocessing number.
  Token::Kind number() {
    while (at_ < view_.size()) {
      const char c = view_[at_], next = peek(1);
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (exponent && (next == '+' || next == '-')) {
        at_ += 2;
      } else if (c == '\'' && is_name_character(next)) {
        at_ += 2;
      } else if (is_name_character(c) || c == '.') {
        ++at_;
      } else {
        break;
      }
    }
    return Token::Kind::number;
  }

  Token::Kind name_or_literal() {
    const size_t begin = at_++;
    while (at_ < view_.size() && is_name_character(view_[at_])) ++at_;
    const std::string_view prefix = view_.substr(begin, at_ - begin);
    if (peek(0) != '"' && peek(0) != '\'') return Token::Kind::identifier;
    const bool plain = prefix == "u8" || prefix == "u" || prefix == "U" || prefix == "L";
    if (plain && peek(0) == '\'') return quoted('\'', Token::Kind::character);
    if (plain) return quoted('"', Token::Kind::string);
    const bool raw =
        prefix == "R" || prefix == "u8R" || prefix == "uR" || prefix == "UR" || prefix == "LR";
    if (raw && peek(0) == '"') return raw_string(begin);
    return Token::Kind::identifier;
  }

  // An unfinished literal ends with its line, so that an apostrophe in text does no harm.
  Token::Kind quoted(char quote, Token::Kind kind) {
    ++at_;
    while (at_ < view_.size() && view_[at_] != '\n') {
      const char c = view_[at_++];
      if (c == quote) {
        skip_suffix();
        return kind;
      }
      if (c == '\\' && at_ < view_.size() && view_[at_] != '\n') ++at_;
    }
    return kind;
  }

  void skip_suffix() {
    if (at_ >= view_.size() || is_digit(view_[at_])) return;
    while (at_ < view_.size() && is_name_character(view_[at_])) ++at_;
  }

  // Line continuations mean nothing in a raw string, so it is read from the text itself.
  Token::Kind raw_string(size_t begin) {
    const size_t quote = joined_.at[at_];
    const size_t open = text_.find_first_of("()\\ \t\v\f\r\n\"", quote + 1);
    if (open == std::string_view::npos || text_[open] != '(' || open - quote - 1 > 16) {
      return quoted('"', Token::Kind::string);
    }
    const std::string closing = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
    size_t end = text_.find(closing, open);
    end = end == std::string_view::npos ? text_.size() : end + closing.size();
    if (in_directive_) end = std::min({end, text_.find('\n', open), text_.size()});
    at_ =
        static_cast<size_t>(std::lower_bound(joined_.at.begin() + static_cast<std::ptrdiff_t>(at_),
                                             joined_.at.end(), static_cast<uint32_t>(end)) -
                            joined_.at.begin());
    at_ = std::min(at_, view_.size());
    raw_ = text_.substr(joined_.at[begin], end - joined_.at[begin]);
    skip_suffix();
    return Token::Kind::string;
  }

  std::string_view text_;
  const JoinedText& joined_;
  std::string_view view_;
  std::string_view raw_;  // the spelling of the raw string just read
  Lexed lexed_;
  size_t at_ = 0;
  bool line_begins_ = true, in_directive_ = false, named_ = false;
};

// The length of a line continuation at `at`: a backslash, white space and a line's end; 0: none.
size_t continuation(std::string_view text, size_t at) {
  if (text[at] != '\\') return 0;
  size_t end = at + 1;
  while (end < text.size() && is_space(text[end])) ++end;
  return end < text.size() && text[end] == '\n' ? end + 1 - at : 0;
}

}  // namespace

JoinedText::JoinedText(std::string_view text) {
  characters.reserve(text.size());
  at.reserve(text.size() + 1);
  for (size_t i = 0; i < text.size();) {
    if (const size_t skipped = continuation(text, i)) {
      i += skipped;
      continue;
    }
    characters.push_back(text[i]);
    at.push_back(static_cast<uint32_t>(i++));
  }
  at.push_back(static_cast<uint32_t>(text.size()));
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

Lexed lex(std::string_view text, const JoinedText& joined) {
  return Scanner(text, joined).scan();
}

}  // namespace convkit::rewrite
