// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/name_uses.h"

#include <algorithm>
#include <initializer_list>

#include "cpu_device/rewrite/expression.h"
#include "cpu_device/rewrite/function_head.h"

namespace convkit::rewrite {
namespace {

bool is_one_of(const Token& token, std::initializer_list<std::string_view> texts) {
  return std::ranges::find(texts, token.text) != texts.end();
}

// An expression follows these.
bool is_operator(const Token& token) {
  return is_one_of(token,
                   {"=",   "+",   "-",      "/",         "%",     "<=",   ">=",  "==", "!=",
                    "||",  "|",   "^",      "<<",        "!",     "~",    "?",   "+=", "-=",
                    "*=",  "/=",  "%=",     "&=",        "|=",    "^=",   "++",  "--", "<=>",
                    "<<=", ">>=", "return", "co_return", "throw", "case", "and", "or", "not"});
}

bool begins_condition(const Token& token) {
  return is_one_of(token, {"if", "for", "while", "switch", "constexpr"});
}

// A declaration goes on like this after the name that it declares.
bool may_follow_declared_name(const Stream& s, size_t i) {
  if (i >= s.size() || s[i].kind != Token::Kind::punctuator) return true;
  return is_one_of(s[i], {"=", ";", ",", ")", "[", "(", "{", ":", "]", "}", ">", ">>", ">>>", "...",
                          "#", "##", "\\", "@"});
}

class Use {
 public:
  Use(const Stream& stream, const Scopes& scopes, const std::set<std::string_view>& macros,
      size_t name)
      : s_(stream), scopes_(scopes), macros_(macros), name_(name), first_(name) {
    while (first_ > 0 && is_one_of(s_[first_ - 1], {"*", "&", "&&"})) --first_;
  }

  bool certain() const {
    if (name_ == 0) return false;
    if (is_one_of(s_[name_ - 1], {".", "->", ".*", "->*", "::", "#", "##"})) return false;
    if (!may_follow_declared_name(s_, name_ + 1)) return true;
    if (first_ == 0) return false;
    const size_t before = first_ - 1;
    const Token& token = s_[before];
    if (is_operator(token) || token.is(";") || token.is(":") || token.is("<")) return true;
    if (token.is("{")) return scopes_.in_block[name_];
    if (token.is("}")) return scopes_.in_block[before];  // else it may end a type
    if (token.is("(")) return in_parenthesis(before);
    if (token.is(",")) return in_list(s_.around(name_));
    if (token.is(")")) return behind_parenthesis(s_.match(before));
    if (token.is("]")) return with_operator() && before > 0 && !s_.is(before - 1, "]");
    if (closing_angles(token) > 0) return template_open(s_, before) == kNone;
    if (token.kind == Token::Kind::number) return with_operator();
    return token.is_identifier() && behind_word(before);
  }

 private:
  // `*name`, `a & name`: which may be `Type &name`.
  bool with_operator() const { return first_ < name_; }

  // May make a declaration of its arguments.
  bool may_be_macro(size_t word) const {
    return s_.is_identifier(word) &&
           (macros_.contains(s_[word].text) || looks_like_a_macro(s_[word].text));
  }

  // `(name`: of a call, unless it is all that stands there, as in `int (name);`.
  bool in_parenthesis(size_t open) const {
    if (open == 0 || may_be_macro(open - 1)) return false;
    size_t end = name_ + 1;
    while ((s_.is(end, "[") || (with_operator() && s_.is(end, "("))) && s_.match(end) != kNone) {
      end = s_.match(end) + 1;
    }
    if (!s_.is(end, ")")) return true;
    const size_t callee = open - 1;
    if (begins_condition(s_[callee]) || is_operator(s_[callee])) return true;
    if (is_one_of(s_[callee], {"sizeof", "alignof", "typeid"})) return true;
    if (!s_.is_identifier(callee) || is_keyword(s_[callee].text)) return false;
    const size_t begin = name_begin(s_, callee);
    return begin > 0 && is_operator(s_[begin - 1]);
  }

  // `, name`: of a call; elsewhere it may go on with `int a`.
  bool in_list(size_t open) const {
    if (open == kNone || open == 0 || !s_.is(open, "(")) return false;
    return !begins_condition(s_[open - 1]) && !may_be_macro(open - 1);
  }

  // `(float)name`, `if (a) name`, `f(x) * name`, but also `decltype(x) name`.
  bool behind_parenthesis(size_t open) const {
    if (open == kNone || open == 0) return false;
    const Token& token = s_[open - 1];
    if (begins_condition(token)) return true;
    if (!token.is_identifier()) return is_operator(token) || is_one_of(token, {"(", ",", ";", "*"});
    return with_operator() && !is_keyword(token.text) && !may_be_macro(open - 1) &&
           !token.text.starts_with("__");
  }

  // `return name`, `x = a * name`, but also `Type name` and `Type* name`.
  bool behind_word(size_t word) const {
    if (is_one_of(s_[word], {"else", "do"})) return true;
    if (!with_operator() || is_keyword(s_[word].text)) return false;
    const size_t begin = name_begin(s_, word);
    return begin > 0 &&
           (is_operator(s_[begin - 1]) || is_one_of(s_[begin - 1], {".", "->", "*", "&", "["}));
  }

  const Stream& s_;
  const Scopes& scopes_;
  const std::set<std::string_view>& macros_;
  size_t name_, first_;  // the name, and the `*` or `&` in front of it
};

}  // namespace

bool is_certain_use(const Stream& stream, const Scopes& scopes,
                    const std::set<std::string_view>& macros, size_t i) {
  return Use(stream, scopes, macros, i).certain();
}

}  // namespace convkit::rewrite
