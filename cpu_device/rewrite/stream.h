// SPDX-License-Identifier: MIT
// Tokens that follow one another, with their brackets matched: the code of a file, or the body of
// one macro.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/source.h"

namespace convkit::rewrite {

constexpr size_t kNone = static_cast<size_t>(-1);

class Stream {
 public:
  // The code of a file.
  explicit Stream(const Source& source);
  // The body of a macro.
  explicit Stream(std::span<const Token> tokens);

  size_t size() const { return tokens_.size(); }
  const Token& operator[](size_t i) const { return tokens_[i]; }
  // False outside: so no caller has to look out for the ends.
  bool is(size_t i, std::string_view text) const { return i < size() && tokens_[i].is(text); }
  bool is_identifier(size_t i) const { return i < size() && tokens_[i].is_identifier(); }
  // The bracket that belongs to the bracket at `i`, or kNone.
  size_t match(size_t i) const { return i < size() ? match_[i] : kNone; }
  // The innermost bracket that is open before the token at `i`, or kNone.
  size_t around(size_t i) const { return i < size() ? around_[i] : kNone; }
  std::span<const Token> tokens() const { return tokens_; }

 private:
  void match_brackets(std::span<const Alternative> alternatives);

  std::span<const Token> tokens_;
  std::vector<size_t> match_, around_;
};

// Walks through alternatives: each branch starts from the state before the first, so that `#if A` /
// `f(x) {` / `#else` / `f() {` / `#endif` opens one brace. A state must be small: it is copied.
template <class State>
class AlternativeWalk {
 public:
  explicit AlternativeWalk(std::span<const Alternative> alternatives)
      : alternatives_(alternatives) {}

  // To be called before token `i` is taken into `state`.
  void before(size_t i, State& state) {
    for (; next_ < alternatives_.size() && alternatives_[next_].before <= i; ++next_) {
      const Alternative::Kind kind = alternatives_[next_].kind;
      if (kind == Alternative::Kind::begin) saved_.push_back(state);
      if (saved_.empty()) continue;
      if (kind == Alternative::Kind::next) state = saved_.back();
      if (kind == Alternative::Kind::end) saved_.pop_back();
    }
  }

 private:
  std::span<const Alternative> alternatives_;
  std::vector<State> saved_;
  size_t next_ = 0;
};

}  // namespace convkit::rewrite
