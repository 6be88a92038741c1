// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/scopes.h"

#include <algorithm>

#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

// What a brace or parenthesis encloses.
enum class Kind : uint8_t { names, record, enumerators, block, initialiser, parentheses };

struct Scope {
  Kind kind = Kind::names;
  size_t function = kNone;
  size_t around = kNone;  // the enclosing one
  size_t resume = kNone;  // where the head goes on after it; kNone: a new one begins
  char closing = '\0';
  size_t brace = 0;  // the innermost scope in braces, from this one outwards
};

// All that changes while tokens are read: small, to be saved at each #if.
struct State {
  size_t scope = 0;     // the innermost
  size_t head = 0;      // first token of the declaration or statement being read
  size_t read = 0;      // the tokens before this one have been read, or are in other branches
  bool lambda = false;  // a `[...]` that begins a lambda was read, its body was not
};

class Reader {
 public:
  Reader(const Stream& stream, const Source& source, const std::set<std::string_view>& macros)
      : s_(stream), macros_(macros), walk_(source.alternatives()) {}

  Scopes read() {
    scopes_.push_back({});
    found_.function.resize(s_.size(), kNone);
    found_.in_block.resize(s_.size(), false);
    found_.in_namespace.resize(s_.size(), false);
    for (size_t i = 0; i < s_.size(); ++i) {
      walk_.before(i, now_);
      if (now_.head >= now_.read) now_.head = i;
      now_.read = i + 1;
      const Token& token = s_[i];
      found_.function[i] = scope().function;
      found_.in_block[i] = scope().kind == Kind::block;
      found_.in_namespace[i] = scope().kind == Kind::names;
      if (token.kind != Token::Kind::punctuator || token.text.size() != 1) continue;
      take(token.text[0], i);
    }
    return std::move(found_);
  }

 private:
  const Scope& scope() const { return scopes_[now_.scope]; }

  void take(char c, size_t i) {
    switch (c) {
      case '(':
        open(Kind::parentheses, ')', i, scope().function);
        break;
      case '[':
        if (begins_lambda(i)) now_.lambda = true;
        open(Kind::parentheses, ']', i, scope().function);
        break;
      case '{':
        brace(i);
        break;
      case ')':
      case ']':
        if (scope().closing == c) close(i);
        break;
      case '}':
        now_.scope = scope().brace;
        if (now_.scope != 0) close(i);
        break;
      case ';':
        if (scope().kind != Kind::parentheses) {
          statement(i);
          now_.head = i + 1;
          now_.lambda = false;
        }
        break;
      case ':':
        if (ends_label(i)) now_.head = i + 1;
        break;
      default:
        break;
    }
  }

  void open(Kind kind, char closing, size_t i, size_t function) {
    const bool expression = kind == Kind::parentheses || kind == Kind::initialiser;
    const size_t brace = closing == '}' ? scopes_.size() : scope().brace;
    scopes_.push_back({kind, function, now_.scope, expression ? now_.head : kNone, closing, brace});
    now_.scope = scopes_.size() - 1;
    if (kind != Kind::parentheses || closing != ']') now_.head = i + 1;
  }

  void close(size_t i) {
    now_.head = scope().resume == kNone ? i + 1 : scope().resume;
    now_.scope = scope().around;
  }

  void brace(size_t i) {
    if (now_.lambda) {
      now_.lambda = false;
      const size_t resume = now_.head;
      open(Kind::block, '}', i, kNone);
      scopes_.back().resume = resume;
      return;
    }
    if (scope().kind == Kind::parentheses || scope().kind == Kind::initialiser ||
        scope().kind == Kind::enumerators) {
      const bool statement_expression = i > 0 && s_.is(i - 1, "(");
      open(statement_expression ? Kind::block : Kind::initialiser, '}', i, scope().function);
    } else if (const Kind kind = type_or_names(i); kind != Kind::initialiser) {
      open(kind, '}', i, kind == Kind::names ? scope().function : kNone);
    } else if (scope().kind == Kind::block) {
      open(begins_block(i) ? Kind::block : Kind::initialiser, '}', i, scope().function);
    } else {
      function_or_initialiser(i);
    }
  }

  // A class, an enumeration or a namespace; `initialiser`: none of them.
  Kind type_or_names(size_t i) const {
    bool record = false;
    for (size_t k = now_.head; k < i; ++k) {
      if (k > now_.head + kLongestTypeHead) return Kind::initialiser;
      if (s_.is(k, "namespace")) return Kind::names;
      if (s_.is(k, "enum")) return Kind::enumerators;
      if (s_.is(k, "=")) return Kind::initialiser;
      if (s_.is(k, "struct") || s_.is(k, "class") || s_.is(k, "union")) record = true;
      if (s_.is(k, "<") && k > now_.head && (s_.is(k - 1, "template") || record)) {
        k = skip_angles(k, i);
      } else if (s_.is(k, "(") && s_.match(k) != kNone) {
        // Parameters: a function that returns a class. Parentheses of attributes follow a word
        // with underscores or `alignas`.
        const bool attribute =
            k > now_.head && (s_[k - 1].text.starts_with("__") || s_.is(k - 1, "alignas") ||
                              s_.is(k - 1, "decltype"));
        if (record && !attribute) return Kind::initialiser;
        k = s_.match(k);
      }
    }
    if (record) return Kind::record;
    const bool linkage = i >= 2 && s_[i - 1].kind == Token::Kind::string && s_.is(i - 2, "extern");
    return linkage || (i > 0 && i - 1 == now_.head && s_.is(i - 1, "export")) ? Kind::names
                                                                              : Kind::initialiser;
  }

  size_t skip_angles(size_t k, size_t end) const {
    size_t depth = 0;
    for (size_t i = k; i < end; ++i) {
      if (s_.is(i, "<")) ++depth;
      depth -= std::min(depth, closing_angles(s_[i]));
      if ((s_.is(i, "(") || s_.is(i, "[")) && s_.match(i) != kNone && s_.match(i) < end) {
        i = s_.match(i);
      }
      if (depth == 0) return i;
    }
    return k;
  }

  bool begins_block(size_t i) const {
    if (now_.head == i) return true;
    for (const std::string_view before : {")", "else", "do", "try", ":", ";", "{", "}"}) {
      if (s_.is(i - 1, before)) return true;
    }
    return false;
  }

  void function_or_initialiser(size_t i) {
    const FunctionHead head = read_function_head(s_, now_.head, i, macros_);
    if (head.name == kNone) {
      // An operator, or something that a macro makes of it.
      const bool body = i > 0 && (s_.is(i - 1, ")") || s_.is(i - 1, "const") ||
                                  s_.is(i - 1, "noexcept") || s_.is(i - 1, "override"));
      open(body ? Kind::block : Kind::initialiser, '}', i, scope().function);
      return;
    }
    if (initialises_member(head, i)) {
      open(Kind::initialiser, '}', i, kNone);
      return;
    }
    found_.functions.push_back({head, scope().kind == Kind::record});
    open(Kind::block, '}', i, found_.functions.size() - 1);
  }

  // `Type(int x) : member{x}, ...`: the brace after a name is the member's.
  bool initialises_member(const FunctionHead& head, size_t i) const {
    if (!s_.is_identifier(i - 1) && closing_angles(s_[i - 1]) == 0) return false;
    const size_t close = s_.match(head.parameters);
    for (size_t k = close + 1; k < i; ++k) {
      if (s_.is(k, ":")) return true;
      if ((s_.is(k, "(") || s_.is(k, "{")) && s_.match(k) != kNone) k = s_.match(k);
    }
    return false;
  }

  // At a `;` outside functions: a function declared and not defined.
  void statement(size_t i) {
    if (scope().kind != Kind::names && scope().kind != Kind::record) return;
    const FunctionHead head = read_function_head(s_, now_.head, i, macros_);
    if (head.name != kNone) found_.functions.push_back({head, scope().kind == Kind::record});
  }

  bool ends_label(size_t i) const {
    if (scope().kind == Kind::parentheses || scope().kind == Kind::initialiser) return false;
    if (i > 0 && i - 1 == now_.head) return s_.is_identifier(i - 1);  // label:, public:, default:
    return s_.is(now_.head, "case");
  }

  // Not an index, and not an attribute.
  bool begins_lambda(size_t i) const {
    if (s_.is(i + 1, "[") || (i > 0 && s_.is(i - 1, "["))) return false;
    if (i == 0) return true;
    if (s_.is(i - 1, ")") || s_.is(i - 1, "]") || closing_angles(s_[i - 1]) > 0) return false;
    if (s_[i - 1].kind == Token::Kind::string || s_[i - 1].kind == Token::Kind::number)
      return false;
    if (s_.is(i - 1, "delete") || s_.is(i - 1, "operator") || s_.is(i - 1, "auto")) return false;
    // A variable's name, `auto& [a, b]` or an array of a type.
    if (s_.is_identifier(i - 1)) return s_.is(i - 1, "return") || s_.is(i - 1, "co_return");
    return !s_.is(i - 1, "&") && !s_.is(i - 1, "&&");
  }

  static constexpr size_t kLongestTypeHead = 2000;

  const Stream& s_;
  const std::set<std::string_view>& macros_;
  AlternativeWalk<State> walk_;
  std::vector<Scope> scopes_;
  State now_;
  Scopes found_;
};

}  // namespace

Scopes find_scopes(const Stream& stream, const Source& source,
                   const std::set<std::string_view>& macros) {
  return Reader(stream, source, macros).read();
}

}  // namespace convkit::rewrite
