// SPDX-License-Identifier: MIT
// A C++ source file as the rewriter sees it: the tokens that may be compiled, and its preprocessor
// lines. Comments, code under `#if 0` and the like are not among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convkit::rewrite {

struct Token {
  enum class Kind : uint8_t { identifier, number, string, character, punctuator, header_name };
  Kind kind = Kind::punctuator;
  // False below an #if whose value only the compiler knows.
  bool decided = true;
  uint32_t begin = 0, end = 0;  // in Source::text()
  std::string_view text;        // without line continuations

  bool is(std::string_view spelling) const { return text == spelling; }
  bool is_identifier() const { return kind == Kind::identifier; }
};

struct Directive {
  std::string_view name;          // "define", "include", ...; empty: `#` alone
  std::span<const Token> tokens;  // after the name
  size_t before = 0;              // how many tokens of Source::code() stand before it
  bool decided = true;
  uint32_t begin = 0, end = 0;  // in Source::text(), from `#` to the last token
};

// Where code has alternatives of which one will be compiled: `#if`, `#else`, `#endif` around tokens
// that are not decided.
struct Alternative {
  enum class Kind : uint8_t { begin, next, end };
  Kind kind;
  size_t before;  // tokens of Source::code() before it
};

struct JoinedText;

class Source {
 public:
  explicit Source(std::string text);
  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;
  ~Source();

  const std::string& text() const { return *text_; }
  const std::vector<Token>& code() const { return code_; }
  // Those that may be obeyed, in order, without the conditional ones.
  const std::vector<Directive>& directives() const { return directives_; }
  const std::vector<Alternative>& alternatives() const { return alternatives_; }

  struct Place {
    size_t line, column;  // from 1; columns count bytes
  };
  Place place(size_t offset) const;

 private:
  // On the heap: tokens refer to both, and a Source may be moved.
  std::unique_ptr<const std::string> text_;
  std::unique_ptr<const JoinedText> joined_;
  std::vector<Token> code_;
  std::vector<Token> directive_tokens_;
  std::vector<Directive> directives_;
  std::vector<Alternative> alternatives_;
  std::vector<uint32_t> line_begins_;
};

}  // namespace convkit::rewrite
