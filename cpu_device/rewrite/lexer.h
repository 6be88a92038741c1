// SPDX-License-Identifier: MIT
// Turns text into tokens and preprocessor lines; nothing is left out yet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/source.h"

namespace convkit::rewrite {

// The text without line continuations: what the compiler's lexer reads.
struct JoinedText {
  std::vector<char> characters;
  std::vector<uint32_t> at;  // offset in the text of each, and of the end

  explicit JoinedText(std::string_view text);
};

struct RawDirective {
  std::string_view name;
  size_t first = 0, last = 0;  // in Lexed::directive_tokens
  size_t before = 0;           // tokens of Lexed::code before it
  uint32_t begin = 0, end = 0;
};

struct Lexed {
  std::vector<Token> code, directive_tokens;
  std::vector<RawDirective> directives;
};

// Of an identifier, a number or a keyword; g++ takes letters beyond ASCII and `$`, too.
bool is_name_character(char c);

// Tokens refer to `text` and `joined`. Any bytes are accepted: text that is not C++ becomes tokens
// that fit nothing. Takes time linear in the text.
Lexed lex(std::string_view text, const JoinedText& joined);

}  // namespace convkit::rewrite
