// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/condition.h"

#include <algorithm>

namespace convkit::rewrite {
namespace {

using Value = std::optional<bool>;

// Deep nesting is undecided rather than a deep recursion.
constexpr int kDeepest = 64;

// A recursive descent over `||`, `&&`, `!`; anything unexpected makes the whole undecided.
class Reader {
 public:
  explicit Reader(std::span<const Token> tokens) : tokens_(tokens) {}

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

}  // namespace

std::optional<bool> is_defined(std::string_view macro) {
  if (macro == "__CUDACC__" || macro == "__cplusplus") return true;
  return {};
}

std::optional<bool> value_of(std::span<const Token> condition) {
  return Reader(condition).whole();
}

}  // namespace convkit::rewrite
