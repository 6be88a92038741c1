// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/source.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "cpu_device/rewrite/lexer.h"

namespace convkit::rewrite {
namespace {

// The value of an #if, as far as it is known without compiling.

using Value = std::optional<bool>;

// Deep nesting is undecided rather than a deep recursion.
constexpr int kDeepest = 64;

// Whether a macro is defined, where that is known.
Value is_defined(std::string_view macro) {
  if (macro == "__CUDACC__" || macro == "__NVCC__" || macro == "__cplusplus") return true;
  return {};
}

// A recursive descent over `||`, `&&`, `!`; anything unexpected makes the whole undecided.
class ConditionReader {
 public:
  explicit ConditionReader(std::span<const Token> tokens) : tokens_(tokens) {}

  Value whole() {
    const Value value = either();
    return failed_ || at_ != tokens_.size() ? Value() : value;
  }

 private:
  bool next_is(std::string_view text) const {
    return at_ < tokens_.size() && tokens_[at_].is(text);
  }
  bool take(std::string_view text) {
    if (!next_is(text)) return false;
    ++at_;
    return true;
  }

  Value either() {
    Value left = both();
    while (take("||") || take("or")) {
      const Value right = both();
      if (left == true || right == true) {
        left = true;
      } else if (!left || !right) {
        left = {};
      }
    }
    return left;
  }

  Value both() {
    Value left = single();
    while (take("&&") || take("and")) {
      const Value right = single();
      if (left == false || right == false) {
        left = false;
      } else if (!left || !right) {
        left = {};
      }
    }
    return left;
  }

  Value single() {
    if (++depth_ > kDeepest) failed_ = true;
    const Value value = failed_ ? Value() : operand();
    --depth_;
    return value;
  }

  Value operand() {
    if (take("!") || take("not")) {
      const Value value = single();
      return value ? Value(!*value) : Value();
    }
    if (take("(")) {
      const Value value = either();
      if (!take(")")) failed_ = true;
      return value;
    }
    if (at_ == tokens_.size()) {
      failed_ = true;
      return {};
    }
    const Token& token = tokens_[at_++];
    if (token.is("defined")) return defined();
    if (token.is("true")) return true;
    if (token.is("false")) return false;
    if (token.kind == Token::Kind::number) return number(token.text);
    return unknown();
  }

  Value defined() {
    const bool open = take("(");
    if (at_ == tokens_.size()) {
      failed_ = true;
      return {};
    }
    const Value value = is_defined(tokens_[at_++].text);
    if (open && !take(")")) failed_ = true;
    return value;
  }

  Value number(std::string_view text) {
    const bool zero = std::all_of(text.begin(), text.end(), [](char c) {
      return c == '0' || c == 'u' || c == 'U' || c == 'l' || c == 'L';
    });
    const bool decimal = std::all_of(text.begin(), text.end(), [](char c) {
      return (c >= '0' && c <= '9') || c == 'u' || c == 'U' || c == 'l' || c == 'L';
    });
    if (!decimal || !ends_operand()) return unknown();
    return !zero;
  }

  bool ends_operand() const {
    return at_ == tokens_.size() || next_is(")") || next_is("&&") || next_is("||") ||
           next_is("and") || next_is("or");
  }

  // A macro, or arithmetic: skipped up to the next operator that is understood.
  Value unknown() {
    size_t depth = 0;
    while (at_ < tokens_.size() && (depth > 0 || !ends_operand())) {
      if (next_is("(")) ++depth;
      if (next_is(")")) --depth;
      ++at_;
    }
    return {};
  }

  std::span<const Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

// The value of an #if's condition: literals, `defined` of what every compilation of CUDA code
// defines, and what ! && || and parentheses make of them. Nothing else is decided.
Value value_of(std::span<const Token> condition) {
  return ConditionReader(condition).whole();
}

// Whether the lines between two conditional directives are compiled.
enum class Fate : uint8_t { compiled, undecided, skipped };

// One #if ... #endif.
struct Conditional {
  Fate outside;
  Fate fate;
  enum class Taken : uint8_t { no, maybe, yes } taken = Taken::no;  // any branch before this one
  bool has_alternatives = false;  // told to the reader of the code
};

bool is_conditional(std::string_view name) {
  return name == "if" || name == "ifdef" || name == "ifndef" || name == "elif" ||
         name == "elifdef" || name == "elifndef" || name == "else" || name == "endif";
}

// Decides what is compiled, and keeps that.
class Sieve {
 public:
  Sieve(const Lexed& lexed, std::vector<Token>& code, std::vector<Token>& directive_tokens,
        std::vector<Directive>& directives, std::vector<Alternative>& alternatives)
      : lexed_(lexed),
        code_(code),
        directive_tokens_(directive_tokens),
        directives_(directives),
        alternatives_(alternatives) {}

  void run() {
    directive_tokens_ = lexed_.directive_tokens;  // spans refer to these: no push_back from here
    for (size_t i = 0; i < lexed_.directives.size(); ++i) {
      keep_code_before(lexed_.directives[i].before);
      if (is_conditional(lexed_.directives[i].name)) {
        obey(i);
      } else if (fate_ != Fate::skipped) {
        keep(lexed_.directives[i]);
      }
    }
    keep_code_before(lexed_.code.size());
    while (!open_.empty()) end();
  }

 private:
  void keep_code_before(size_t end) {
    for (; next_ < end; ++next_) {
      if (fate_ == Fate::skipped) continue;
      code_.push_back(lexed_.code[next_]);
      code_.back().decided = fate_ == Fate::compiled;
    }
  }

  void keep(const RawDirective& raw) {
    Directive directive;
    directive.name = raw.name;
    directive.before = code_.size();
    directive.decided = fate_ == Fate::compiled;
    directive.begin = raw.begin;
    directive.end = raw.end;
    for (size_t i = raw.first; i < raw.last; ++i) directive_tokens_[i].decided = directive.decided;
    directive.tokens = tokens_of(raw);
    directives_.push_back(directive);
  }

  std::span<const Token> tokens_of(const RawDirective& raw) const {
    return std::span<const Token>(directive_tokens_).subspan(raw.first, raw.last - raw.first);
  }

  void obey(size_t index) {
    const RawDirective& raw = lexed_.directives[index];
    if (raw.name.starts_with("if")) {
      open_.push_back({fate_, fate_});
      branch(condition(index));
    } else if (open_.empty()) {
      return;  // an error of the program
    } else if (raw.name == "endif") {
      end();
    } else {
      branch(raw.name == "else" ? std::optional<bool>(true) : condition(index));
    }
  }

  std::optional<bool> condition(size_t index) const {
    const RawDirective& raw = lexed_.directives[index];
    if (raw.name == "if" || raw.name == "elif") return value_of(tokens_of(raw));
    if (raw.first == raw.last) return {};
    if (raw.name == "ifndef" && guards_what_follows(index)) return true;
    auto value = is_defined(directive_tokens_[raw.first].text);
    if (value && raw.name.ends_with("ndef")) value = !*value;
    return value;
  }

  // `#ifndef NAME` with `#define NAME` after it: the lines in between count if they are read.
  bool guards_what_follows(size_t index) const {
    if (index + 1 == lexed_.directives.size()) return false;
    const RawDirective &guard = lexed_.directives[index], &next = lexed_.directives[index + 1];
    return next.name == "define" && next.before == guard.before && next.first < next.last &&
           directive_tokens_[next.first].text == directive_tokens_[guard.first].text;
  }

  void branch(std::optional<bool> value) {
    using Taken = Conditional::Taken;
    Conditional& conditional = open_.back();
    if (conditional.taken == Taken::yes) value = false;
    if (conditional.taken == Taken::maybe && value != false) value = {};
    Fate fate = conditional.outside;
    if (value == false) fate = Fate::skipped;
    if (!value && fate == Fate::compiled) fate = Fate::undecided;
    // An earlier branch may be compiled instead.
    if (conditional.taken == Taken::maybe) {
      alternatives_.push_back({Alternative::Kind::next, code_.size()});
    } else if (!value && conditional.outside != Fate::skipped) {
      alternatives_.push_back({Alternative::Kind::begin, code_.size()});
      conditional.has_alternatives = true;
      conditional.taken = Taken::maybe;
    }
    if (value == true) conditional.taken = Taken::yes;
    conditional.fate = fate_ = fate;
  }

  void end() {
    if (open_.back().has_alternatives) {
      alternatives_.push_back({Alternative::Kind::end, code_.size()});
    }
    fate_ = open_.back().outside;
    open_.pop_back();
  }

  const Lexed& lexed_;
  std::vector<Token>& code_;
  std::vector<Token>& directive_tokens_;
  std::vector<Directive>& directives_;
  std::vector<Alternative>& alternatives_;
  std::vector<Conditional> open_;
  Fate fate_ = Fate::compiled;
  size_t next_ = 0;
};

}  // namespace

Source::Source(std::string text)
    : text_(std::make_unique<const std::string>(std::move(text))),
      joined_(std::make_unique<const JoinedText>(*text_)) {
  const Lexed lexed = lex(*text_, *joined_);
  Sieve(lexed, code_, directive_tokens_, directives_, alternatives_).run();
  line_begins_.push_back(0);
  for (size_t i = 0; i < text_->size(); ++i) {
    if ((*text_)[i] == '\n') line_begins_.push_back(static_cast<uint32_t>(i + 1));
  }
}

Source::Source(Source&&) noexcept = default;
Source& Source::operator=(Source&&) noexcept = default;
Source::~Source() = default;

Source::Place Source::place(size_t offset) const {
  const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  const auto line = static_cast<size_t>(after - line_begins_.begin());
  return {line, offset - line_begins_[line - 1] + 1};
}

}  // namespace convkit::rewrite
