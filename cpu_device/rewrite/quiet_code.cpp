// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/quiet_code.h"

#include <algorithm>
#include <array>

#include "cpu_device/rewrite/expression.h"
#include "cpu_device/rewrite/waiting_loops.h"

namespace convkit::rewrite {
namespace {

// Words with which code is more than a computation, or would mean something else in a lambda.
bool is_forbidden(std::string_view word) {
  static constexpr auto kForbidden = std::to_array<std::string_view>(
      {"volatile",      "asm",        "__asm__",     "__asm",        "extern",
       "thread_local",  "try",        "catch",       "throw",        "new",
       "delete",        "typeid",     "operator",    "co_await",     "co_yield",
       "co_return",     "__shared__", "__func__",    "__FUNCTION__", "__PRETTY_FUNCTION__",
       "__attribute__", "__LINE__",   "__VA_ARGS__", "_Pragma"});
  return std::ranges::find(kForbidden, word) != kForbidden.end();
}

bool is_built_in_variable(std::string_view word) {
  return word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim";
}

bool is_cast(std::string_view word) {
  return word == "static_cast" || word == "const_cast" || word == "reinterpret_cast";
}

bool takes_parentheses(std::string_view word) {
  return word == "if" || word == "for" || word == "while" || word == "switch" ||
         word == "constexpr" || word == "sizeof" || word == "alignas" || word == "decltype";
}

// `(float*)`, between its parentheses.
bool is_type(const Stream& s, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (!is_builtin_type(s[i].text) && !s.is(i, "*") && !s.is(i, "&")) return false;
  }
  return begin < end;
}

// The `{` of the body of a function with these parameters, or kNone.
size_t body_of(const Stream& s, size_t parameters) {
  const size_t close = s.match(parameters);
  bool initialises = false;
  for (size_t i = close; i < s.size() && close != kNone; ++i) {
    if (s.is(i, ";") || s.is(i, "}")) return kNone;
    if (s.is(i, ":")) initialises = true;
    if (s.is(i, "{") && !(initialises && s.is_identifier(i - 1))) return i;
    if ((s.is(i, "(") || s.is(i, "[") || s.is(i, "{")) && s.match(i) != kNone) i = s.match(i);
  }
  return kNone;
}

// `auto name = [`: a lambda of the same body, which is read with it.
bool is_own_lambda(const Stream& s, size_t i) {
  constexpr size_t kFarthest = 4000;
  for (size_t k = i; k > 0 && i - k < kFarthest; --k) {
    if (s.is(k, s[i].text) && s.is(k - 1, "auto") && s.is(k + 1, "=") && s.is(k + 2, "[")) {
      return true;
    }
  }
  return false;
}

bool is_member(const Stream& s, size_t i) {
  return i > 0 && (s.is(i - 1, ".") || s.is(i - 1, "->"));
}

// What the `(` at `i` calls, where no name stands before it: a cast, or nothing.
bool is_quiet_parenthesis(const Stream& s, size_t i) {
  const size_t open = s.match(i - 1);
  if (s.is(i - 1, ")")) {
    if (open == kNone) return false;
    return (open > 0 && takes_parentheses(s[open - 1].text)) || is_type(s, open + 1, i - 1);
  }
  if (s.is(i - 1, "]")) {  // a lambda's parameters, if it is no index before them
    return open != kNone && open > 0 && !s.is_identifier(open - 1) && !s.is(open - 1, ")") &&
           !s.is(open - 1, "]");
  }
  return true;
}

bool is_comparison(const Token& token) {
  return token.is("==") || token.is("!=") || token.is("<=") || token.is(">=");
}

}  // namespace

bool is_plain_operator(std::string_view text) {
  static constexpr auto kOperators = std::to_array<std::string_view>(
      {"+", "-", "*",  "/",  "%",  "<",  ">", "<=", ">=", "==", "!=", "!", "~", "&",
       "|", "^", "&&", "||", "<<", ">>", "(", ")",  ",",  ".",  "::", "?", ":"});
  return std::ranges::find(kOperators, text) != kOperators.end();
}

bool ends_factor(const Stream& s, size_t i) {
  if (s.is(i, ")")) {
    const size_t open = s.match(i);
    if (open != kNone && open > 0 && s.is_identifier(open - 1)) return true;  // size_t(i)
    // `(float)*p`: a cast has words only.
    for (size_t k = i; k-- > 0 && k != open;) {
      if (!s.is_identifier(k)) return true;
    }
    return false;
  }
  return (s.is_identifier(i) && !is_builtin_type(s[i].text) && !is_keyword(s[i].text)) ||
         s[i].kind == Token::Kind::number;
}

QuietCode::QuietCode(const Names& names) : names_(names) {
  for (const Source* source : names.sources()) read_macros(*source);
  std::vector<const Stream*> code;
  for (const Source* source : names.sources()) {
    code.push_back(streams_.emplace_back(std::make_unique<const Stream>(*source)).get());
    read_functions(*source, *code.back());
    read_memory(*code.back());
  }
  for (size_t i = 0; i < code.size(); ++i) look_for_hidden_waits(*names.sources()[i], *code[i]);
}

void QuietCode::read_macros(const Source& source) {
  for (const Directive& directive : source.directives()) {
    const std::span<const Token> tokens = directive.tokens;
    // Operators of libcu++'s atomics let other threads go on.
    if (directive.name == "include" && !tokens.empty()) {
      const std::string_view file = tokens[0].text.substr(1);
      const bool is_named =
          tokens[0].kind == Token::Kind::header_name || tokens[0].kind == Token::Kind::string;
      if (!is_named || file.starts_with("cuda/") || file.starts_with("nv/")) hides_waits_ = true;
    }
    if (directive.name != "define" || tokens.empty()) continue;
    size_t begin = 1;
    const bool is_function =
        tokens.size() > 1 && tokens[1].is("(") && tokens[1].begin == tokens[0].end;
    if (is_function) {
      while (begin < tokens.size() && !tokens[begin].is(")")) ++begin;
      begin = std::min(begin + 1, tokens.size());
    }
    streams_.push_back(std::make_unique<const Stream>(tokens.subspan(begin)));
    macros_[tokens[0].text].push_back({streams_.back().get(), 0, streams_.back()->size()});
  }
}

void QuietCode::read_functions(const Source& source, const Stream& s) {
  for (size_t i = 0; i + 1 < s.size(); ++i) {
    const bool is_class = s.is(i, "struct") || s.is(i, "class") || s.is(i, "union");
    if (is_class && s.is_identifier(i + 1)) {
      std::vector<Code>& definitions = classes_[s[i + 1].text];
      const size_t end = s.is(i + 2, "{") ? s.match(i + 2) : kNone;
      if (end != kNone) definitions.push_back({&s, i + 2, end});
    }
    const bool destroys = s.is(i, "~") && s.is_identifier(i + 1) && s.is(i + 2, "(");
    const bool copies = s.is(i, "const") && i > 1 && s.is(i - 1, "(") && s.is(i - 2, s[i + 1].text);
    if (destroys || copies) owners_.insert(s[i + 1].text);
  }
  for (const DeclaredFunction& function : names_.scopes(source).functions) {
    const FunctionHead& head = function.head;
    const size_t body = body_of(s, head.parameters);
    std::vector<Code>& bodies = bodies_[s[head.name].text];
    if (body == kNone) continue;
    bodies.push_back({&s, head.parameters, s.match(body) == kNone ? s.size() : s.match(body)});
  }
}

// Of functions, too, where `__device__` stands before one.
void QuietCode::read_memory(const Stream& s) {
  for (size_t i = 0; i < s.size(); ++i) {
    if (!s.is(i, "__device__") && !s.is(i, "__managed__")) continue;
    for (++i; i < s.size() && !s.is(i, ";") && !s.is(i, "(") && !s.is(i, "{"); ++i) {
      if (s.is_identifier(i) && !is_builtin_type(s[i].text)) memory_.insert(s[i].text);
    }
  }
}

void QuietCode::look_for_hidden_waits(const Source& source, const Stream& s) {
  const Scopes& scopes = names_.scopes(source);
  std::vector<bool> is_named(s.size(), false);
  for (const auto& [name, bodies] : bodies_) {
    if (classes_.contains(name)) continue;
    for (const Code& code : bodies) {
      if (code.stream != &s) continue;
      std::fill(is_named.begin() + static_cast<std::ptrdiff_t>(code.begin),
                is_named.begin() + static_cast<std::ptrdiff_t>(code.end), true);
    }
  }
  for (size_t i = 0; i < s.size() && !hides_waits_; ++i) {
    if (!s.is_identifier(i) || is_named[i] || scopes.in_namespace[i]) continue;
    const auto macro = macros_.find(s[i].text);
    hides_waits_ = waits_or_asks(s[i].text);
    if (macro == macros_.end()) continue;
    for (const Code& code : macro->second) {
      for (const Token& token : code.stream->tokens()) {
        hides_waits_ = hides_waits_ || waits_or_asks(token.text);
      }
    }
  }
}

bool QuietCode::is_quiet_kernel(const Stream& s, size_t parameters, size_t body) const {
  return is_quiet_body(s, parameters, body, Place::kernel);
}

bool QuietCode::is_quiet_between_barriers(const Stream& s, size_t parameters, size_t body) const {
  return is_quiet_body(s, parameters, body, Place::kernel_with_barriers);
}

bool QuietCode::is_quiet_body(const Stream& s, size_t parameters, size_t body, Place place) const {
  const size_t end = s.match(body);
  if (hides_waits_ || end == kNone || !s[body].decided || !s[end].decided) return false;
  const Code code{&s, body + 1, end};
  return are_quiet_parameters(s, parameters) && is_quiet(code, place);
}

// The program may count copies of other types, or what they own is destroyed with them.
bool QuietCode::is_copied_bit_by_bit(std::string_view type) const {
  if (owners_.empty() || is_builtin_type(type) || is_keyword(type)) return true;
  const auto at = classes_.find(type);
  if (at == classes_.end() || at->second.empty()) return false;
  for (const Code& code : at->second) {
    for (size_t i = code.begin; i < code.end; ++i) {
      if (owners_.contains((*code.stream)[i].text)) return false;
    }
  }
  return !owners_.contains(type);
}

bool QuietCode::are_quiet_parameters(const Stream& s, size_t open) const {
  const size_t close = s.match(open);
  if (close == kNone) return false;
  bool by_value = true, known = true;  // of one parameter
  for (size_t i = open + 1; i <= close; ++i) {
    if (s.is(i, ",") || i == close) {
      if (by_value && !known) return false;
      by_value = known = true;
    } else if (s.is(i, "*")) {
      by_value = false;
    } else if (s.is_identifier(i)) {
      const bool is_name = s.is(i + 1, ",") || i + 1 == close;
      known = known && (is_name || is_copied_bit_by_bit(s[i].text));
      const bool clashes = is_built_in_variable(s[i].text) || s.is(i, "volatile");
      if (clashes || (is_macro(s[i].text) && !is_quiet_macro(s[i].text, Place::kernel))) {
        return false;
      }
    } else if (s.is(i, "(") || s.is(i, "&") || s.is(i, "&&") || s.is(i, "...")) {
      return false;
    }
  }
  return true;
}

bool QuietCode::is_quiet(const Code& code, Place place) const {
  const Stream& s = *code.stream;
  if (has_waiting_loop(s, code.begin, code.end, names_.shared())) return false;
  for (size_t i = code.begin; i < code.end; ++i) {
    if (s[i].text.starts_with("<<<") || s.is(i, "##")) return false;
    if (s.is_identifier(i) && !is_quiet_identifier(s, i, place)) return false;
    if (!s.is(i, "(") || i == code.begin || s.is_identifier(i - 1)) continue;
    if (closing_angles(s[i - 1]) > 0) {
      const size_t open = template_open(s, i - 1);
      if (open == kNone || open == 0) continue;  // "greater than"
      const std::string_view name = s[open - 1].text;
      const bool is_function = bodies_.contains(name);  // then it was asked above
      if (!is_cast(name) && !is_function && !is_quiet_call(s, open - 1)) return false;
    } else if (!is_quiet_parenthesis(s, i)) {
      return false;
    }
  }
  return true;
}

bool QuietCode::is_quiet_identifier(const Stream& s, size_t i, Place place) const {
  const std::string_view word = s[i].text;
  if (place == Place::kernel_with_barriers) {
    if (word == "__syncthreads") return !is_member(s, i) && s.is(i + 1, "(") && s.is(i + 2, ")");
    if (word == "__shared__" || word == "__align__") return true;
    if (word == "extern") return s.is(i + 1, "__shared__") || (i > 0 && s.is(i - 1, "__shared__"));
    if (word == "static" && s.is(i + 1, "__shared__")) return true;
  }
  if (is_forbidden(word)) return false;
  if (word == "static") return s.is(i + 1, "constexpr") || (i > 0 && s.is(i - 1, "constexpr"));
  if (word == "this") return place == Place::function;
  if (is_member(s, i)) return !s.is(i + 1, "(") || is_quiet_name(word);
  if (is_built_in_variable(word)) {
    const bool is_hidden = s.is(i + 1, ".") && !(i > 0 && s.is(i - 1, "::"));
    return is_hidden && (word != "threadIdx" || place != Place::function);
  }
  if (is_macro(word)) return is_quiet_macro(word, place);
  if (is_keyword(word)) return true;
  if (bodies_.contains(word)) return is_quiet_name(word);
  return !s.is(i + 1, "(") || is_quiet_call(s, i);
}

// Of a name that is no function of these files.
bool QuietCode::is_quiet_call(const Stream& s, size_t i) const {
  const std::string_view name = s[i].text;
  if (i > 0 && s.is(i - 1, "::")) {
    const bool is_global = i < 2 || !s.is_identifier(i - 2);
    return (is_global || s.is(i - 2, "std")) && is_quiet_builtin(name);
  }
  return is_quiet_builtin(name) || is_builtin_type(name) || is_keyword(name) || is_own_lambda(s, i);
}

bool QuietCode::is_quiet_name(std::string_view name) const {
  const auto [asked, is_new] = functions_asked_.try_emplace(name, Answer::being_asked);
  if (!is_new) return asked->second == Answer::yes;
  const auto at = bodies_.find(name);
  bool quiet = at != bodies_.end() && !at->second.empty();
  if (quiet) {
    for (const Code& code : at->second) quiet = quiet && is_quiet(code, Place::function);
  }
  functions_asked_[name] = quiet ? Answer::yes : Answer::no;
  return quiet;
}

bool QuietCode::may_change_arguments(std::string_view name) const {
  const auto at = bodies_.find(name);
  if (at == bodies_.end() || at->second.empty()) return true;
  for (const Code& code : at->second) {
    const Stream& s = *code.stream;
    const size_t close = s.match(code.begin);
    if (close == kNone) return true;
    bool constant = false, reference = false;  // of one parameter
    for (size_t i = code.begin + 1; i <= close; ++i) {
      if (s.is(i, ",") || i == close) {
        if (reference && !constant) return true;
        constant = reference = false;
      }
      constant = constant || s.is(i, "const");
      reference = reference || s.is(i, "&") || s.is(i, "&&");
    }
  }
  return false;
}

bool QuietCode::is_pointer_member(std::string_view name) const {
  bool some = false;
  for (const auto& [type, definitions] : classes_) {
    for (const Code& code : definitions) {
      for (size_t i = code.begin; i < code.end; ++i) {
        const Stream& s = *code.stream;
        if (!s.is(i, name)) continue;
        const bool pointer = s.is(i - 1, "*") || s.is(i - 1, "__restrict__");
        if (s.is(i + 1, "[") && (s.is_identifier(i - 1) || closing_angles(s[i - 1]) > 0))
          return false;
        some = some || pointer;
      }
    }
  }
  return some;
}

bool QuietCode::only_computes(std::string_view name) const {
  const auto [asked, is_new] = computes_asked_.try_emplace(name, Answer::being_asked);
  if (!is_new) return asked->second == Answer::yes;
  const auto at = bodies_.find(name);
  bool answer = at != bodies_.end() && !at->second.empty() && !may_change_arguments(name);
  if (answer) {
    for (const Code& code : at->second) answer = answer && computes(code);
  }
  computes_asked_[name] = answer ? Answer::yes : Answer::no;
  return answer;
}

// From the parameters to the end of the body.
bool QuietCode::computes(const Code& code) const {
  const Stream& s = *code.stream;
  for (size_t i = s.match(code.begin); i < code.end; ++i) {
    const Token& token = s[i];
    if (token.kind == Token::Kind::punctuator) {
      const bool changes = token.is("++") || token.is("--") ||
                           (token.text.ends_with("=") && !token.is("=") && !is_comparison(token));
      const bool declares =
          s.is_identifier(i - 1) && (s.is_identifier(i - 2) || closing_angles(s[i - 2]) > 0);
      const bool reads =
          token.is("[") || token.is("->") || (token.is("*") && !ends_factor(s, i - 1));
      if (changes || reads || (token.is("=") && !declares)) return false;
    } else if (token.is_identifier()) {
      if (is_macro(token.text) || (memory_.contains(token.text) && !is_member(s, i))) return false;
      if (bodies_.contains(token.text)
              ? !only_computes(token.text)
              : s.is(i + 1, "(") && !is_keyword(token.text) && !is_builtin_type(token.text) &&
                    !is_computing_builtin(token.text)) {
        return false;
      }
    }
  }
  return true;
}

bool QuietCode::is_quiet_macro(std::string_view name, Place place) const {
  auto& answers = macros_asked_[static_cast<size_t>(place)];
  const auto [asked, is_new] = answers.try_emplace(name, Answer::being_asked);
  if (!is_new) return asked->second == Answer::yes;
  const auto at = macros_.find(name);
  bool quiet = at != macros_.end();
  if (quiet) {
    for (const Code& code : at->second) quiet = quiet && is_quiet(code, place);
  }
  answers[name] = quiet ? Answer::yes : Answer::no;
  return quiet;
}

}  // namespace convkit::rewrite
