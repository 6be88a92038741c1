// SPDX-License-Identifier: MIT
#include "repair/mutants.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "cpu_device/rewrite/scopes.h"
#include "cpu_device/rewrite/stream.h"
#include "repair/together.h"
#include "repair/variables.h"

namespace convkit::repair {
namespace {

using rewrite::kNone;
using rewrite::Source;
using rewrite::Stream;
using rewrite::Token;

const Words kNoDeclarations = {"return", "delete", "throw",   "goto",          "new",
                               "sizeof", "using",  "typedef", "static_assert", "co_return"};
const Words kNoStatements = {"using", "typedef", "static_assert", "goto", "asm", "namespace"};
// What stands in the brackets behind these has no value at run time.
const Words kNotEvaluated = {"sizeof",     "alignof",       "alignas",           "decltype",
                             "noexcept",   "static_assert", "__attribute__",     "__align__",
                             "__declspec", "asm",           "__launch_bounds__", "typeid"};
const Words kNoNames = {"return", "delete", "throw", "new",     "sizeof",   "true",
                        "false",  "this",   "if",    "nullptr", "typename", "else"};
const Words kCasts = {"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"};
const Words kAssignments = {"=", "+=", "-=", "*=", "/="};
const Words kPlaces = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

// What other operators one is mistaken for.
const std::map<std::string_view, std::vector<std::string_view>> kOperators = {
    {"<", {"<=", ">"}}, {"<=", {"<", ">="}}, {">", {">=", "<"}}, {">=", {">", "<="}},
    {"==", {"!="}},     {"!=", {"=="}},      {"+", {"-"}},       {"-", {"+"}},
    {"*", {"/"}},       {"/", {"*"}},        {"%", {"/"}}};

// Enumerators of which one is mistaken for another one.
const std::vector<std::vector<std::string_view>> kEnumerators = {
    {"CUDNN_CROSS_CORRELATION", "CUDNN_CONVOLUTION"},
    {"CUDNN_TENSOR_NCHW", "CUDNN_TENSOR_NHWC"},
    {"CUDNN_POOLING_MAX", "CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING",
     "CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING"},
    {"CUDNN_ACTIVATION_RELU", "CUDNN_ACTIVATION_SIGMOID", "CUDNN_ACTIVATION_TANH",
     "CUDNN_ACTIVATION_IDENTITY"},
    {"CUDNN_SOFTMAX_MODE_INSTANCE", "CUDNN_SOFTMAX_MODE_CHANNEL"},
    {"CUDNN_SOFTMAX_LOG", "CUDNN_SOFTMAX_ACCURATE", "CUDNN_SOFTMAX_FAST"},
    {"CUDNN_BATCHNORM_SPATIAL", "CUDNN_BATCHNORM_PER_ACTIVATION"},
    {"CUDNN_DEFAULT_MATH", "CUDNN_FMA_MATH", "CUDNN_TENSOR_OP_MATH"},
    {"CUBLAS_OP_N", "CUBLAS_OP_T"},
    {"CUBLAS_POINTER_MODE_HOST", "CUBLAS_POINTER_MODE_DEVICE"},
    {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"},
    {"FLT_MAX", "FLT_MIN"},
};

// Functions of one signature.
const std::vector<std::vector<std::string_view>> kFunctions = {
    {"max", "min"},      {"fmax", "fmin"},    {"fmaxf", "fminf"}, {"floor", "ceil"},
    {"floorf", "ceilf"}, {"sqrtf", "rsqrtf"}, {"expf", "logf"},   {"exp", "log"}};

const std::map<std::string_view, std::vector<std::string_view>>& families() {
  static const auto all = [] {
    std::map<std::string_view, std::vector<std::string_view>> by_name;
    for (const auto& family : kEnumerators) {
      for (const std::string_view name : family) by_name[name] = family;
    }
    return by_name;
  }();
  return all;
}

class Finder {
 public:
  Finder(const Source& source, const rewrite::Names& names, std::span<const Source> headers)
      : source_(source), s_(source), scopes_(names.scopes(source)) {
    for (const Source& header : headers) variables_.read_structs(Stream(header));
    variables_.read_structs(s_);
    read_macros();
  }

  std::vector<Mutant> find() {
    for (size_t f = 0; f < scopes_.functions.size(); ++f) {
      const rewrite::FunctionHead& head = scopes_.functions[f].head;
      const size_t open = body_of(head);
      if (open == kNone || is_constant(head.name)) continue;
      read_constants_before(head.name);
      on_device_ = head.global || head.device;
      returns_float_ = head.name > 0 && kFloats.contains(s_[head.name - 1].text);
      body_ = s_[open].end;
      variables_.open_scope();
      template_parameters(head.name);
      parameters(head.parameters + 1, s_.match(head.parameters));
      const size_t first = found_.size();
      block(open, s_.match(open));
      variables_.close_scope();
      change_together(source_, found_, first);
    }
    return std::move(found_);
  }

 private:
  // ---- What there is

  size_t body_of(const rewrite::FunctionHead& head) const {
    if (head.parameters == kNone || s_.match(head.parameters) == kNone) return kNone;
    bool initialises = false;  // members: `A(int n) : b_(n), c_{n} {`
    for (size_t k = s_.match(head.parameters) + 1; k < s_.size() && !s_.is(k, ";"); k = past(k)) {
      if (s_.is(k, ":")) initialises = true;
      if (!s_.is(k, "{") || (initialises && s_.is_identifier(k - 1))) continue;
      return s_.match(k) == kNone ? kNone : k;
    }
    return kNone;
  }

  // Its value may be the size of an array: a choice at run time would not compile.
  bool is_constant(size_t name) const {
    for (size_t k = name; k-- > 0 && !s_.is(k, ";") && !s_.is(k, "{") && !s_.is(k, "}");) {
      if (s_.is(k, "constexpr") || s_.is(k, "consteval")) return true;
    }
    return false;
  }

  void read_macros() {
    variables_.open_scope();
    for (const rewrite::Directive& d : source_.directives()) {
      if (d.name != "define" || d.tokens.size() != 2) continue;
      if (d.tokens[1].kind != Token::Kind::number) continue;
      const bool floating = d.tokens[1].text.find_first_of(".ef") != std::string_view::npos;
      variables_.declare(d.tokens[0].text, number_of(floating));
    }
  }

  // Those of the file that stand before the token at `end`, behind those that are known.
  void read_constants_before(size_t end) {
    for (; next_constant_ < end; ++next_constant_) {
      const size_t i = next_constant_;
      if (!scopes_.in_namespace[i] || !(s_.is(i, "constexpr") || s_.is(i, "const"))) continue;
      size_t stop = i;
      while (stop < s_.size() && !s_.is(stop, ";") && !s_.is(stop, "{") && !s_.is(stop, "(")) {
        ++stop;
      }
      if (s_.is(stop, ";")) declaration(i, stop, false);
      next_constant_ = std::max(i, stop - 1);
    }
  }

  // ---- Statements

  // Those that are numbers: `template <int kRows>`, before the function's name.
  void template_parameters(size_t name) {
    size_t k = name;
    while (k > 0 && !s_.is(k, "template") && !s_.is(k, ";") && !s_.is(k, "}")) --k;
    if (!s_.is(k, "template")) return;
    for (; k + 1 < name; ++k) {
      if (kIntegers.contains(s_[k].text) && s_.is_identifier(k + 1)) {
        variables_.declare(s_[k + 1].text, number_of(false));
      }
    }
  }

  void parameters(size_t i, size_t end) {
    while (i < end && end != kNone) {
      const size_t next = comma(i, end);
      declaration(i, next, false);
      i = next + 1;
    }
  }

  void block(size_t open, size_t close) {
    if (close == kNone) return;
    variables_.open_scope();
    for (size_t i = open + 1; i < close;) {
      if (on_device_ && !s_.is(i, "}") && !s_.is(i, "case")) put_barrier_before(i);
      const size_t next = statement(i, close);
      i = std::max(next, i + 1);
    }
    variables_.close_scope();
  }

  size_t statement(size_t i, size_t limit) {
    if (s_.is(i, "{")) {
      block(i, s_.match(i));
      return s_.match(i) == kNone ? limit : s_.match(i) + 1;
    }
    if (s_.is(i, "if") || s_.is(i, "while") || s_.is(i, "for") || s_.is(i, "switch")) {
      return controlled(i, limit);
    }
    if (s_.is(i, "do") || s_.is(i, "else")) return statement(i + 1, limit);
    if (s_.is(i, "case") || s_.is(i, "default")) {
      while (i < limit && !s_.is(i, ":")) ++i;
      return i + 1;
    }
    const size_t end = semicolon(i, limit);
    if (end > i && (s_.is(i, "continue") || s_.is(i, "break"))) {
      leave_out(i, end, kPlain);
      replace_in_statement(i, end, s_[i].begin, s_[i].end, s_.is(i, "break") ? "continue" : "break",
                           kPlain);
    } else if (kNoStatements.contains(s_[i].text)) {
      return end + 1;
    } else if (s_.is(i, "return")) {
      right_side(i + 1, end, returns_float_);
    } else if (is_declaration(i, end)) {
      declaration(i, end, true);
    } else if (end > i) {
      plain_statement(i, end);
    }
    return end + 1;
  }

  size_t controlled(size_t i, size_t limit) {
    size_t open = i + 1;
    const bool constant = s_.is(open, "constexpr");
    if (constant) ++open;
    const size_t close = s_.match(open);
    if (!s_.is(open, "(") || close == kNone) return limit;
    variables_.open_scope();
    if (s_.is(i, "for")) {
      const size_t first = semicolon(open + 1, close);
      if (first < close) {
        const size_t second = semicolon(first + 1, close);
        if (is_declaration(open + 1, first)) {
          declaration(open + 1, first, true);
        } else {
          expression(open + 1, first);
        }
        // Another variable in its place makes the loop endless.
        if (s_.is_identifier(first + 1)) counter_ = s_[first + 1].text;
        condition(first + 1, second, false);
        counter_ = {};
        is_step_ = true;
        for (size_t k = second + 1; k < close; k = past(k)) {
          if (kAssignments.contains(s_[k].text)) step(k + 1, close);
        }
        is_step_ = false;
      }
    } else if (s_.is(i, "switch")) {
      expression(open + 1, close);
    } else if (!constant) {
      condition(open + 1, close, s_.is(i, "if"));
    }
    size_t next = statement(close + 1, limit);
    if (s_.is(i, "if") && s_.is(next, "else")) next = statement(next + 1, limit);
    variables_.close_scope();
    return next;
  }

  // Of a loop. A thread may go on by its own block instead of all of them.
  void step(size_t i, size_t end) {
    expression(i, end);
    const std::string own(text(i, end));
    for (const std::string_view v : variables_.others_like("", number_of(false))) {
      replace_expression(i, end, own + " * " + std::string(v), kSeldom);
    }
  }

  void condition(size_t i, size_t end, bool whole) {
    expression(i, end);
    logic(i, end);
    if (whole && end > i) {
      replace_expression(i, end, "true", kSeldom);
      replace_expression(i, end, "false", kSeldom);
    }
  }

  // `||` for `&&`, and one side left out. Of `a && b ? c : d` what stands before the question mark.
  void logic(size_t i, size_t end) {
    std::vector<size_t> breaks;
    for (size_t k = i; k < end && !s_.is(k, "="); k = past(k)) {
      if (s_.is(k, "?")) end = k;
      if (s_.is(k, "&&") || s_.is(k, "||")) breaks.push_back(k);
    }
    if (breaks.empty() || breaks.front() == i || breaks.back() + 1 >= end) return;
    for (const size_t at : breaks) {
      const std::string other = s_.is(at, "&&") ? " || " : " && ";
      replace_expression(i, end, std::string(text(i, at)) + other + std::string(text(at + 1, end)),
                         breaks.size() == 1 ? kPlain : kSeldom);
    }
    breaks.push_back(end);
    size_t begin = i;
    for (const size_t at : breaks) {
      const bool is_or = at < end ? s_.is(at, "||") : s_.is(begin - 1, "||");
      if (at > begin) replace_expression(begin, at, is_or ? "false" : "true", kPlain);
      begin = at + 1;
    }
  }

  void plain_statement(size_t i, size_t end) {
    leave_out(i, end, kPlain);
    size_t assign = i;
    while (assign < end && !kAssignments.contains(s_[assign].text)) assign = past(assign);
    if (assign >= end) {
      expression(i, end);
      exchange_arguments(i, end);
      return;
    }
    target(i, assign);
    if (on_device_) guard(i, assign, end);
    right_side(assign + 1, end, is_floating_target(i, assign));
    if (!is_number_target(i, assign) || s_.is(assign, "*=") || s_.is(assign, "/=")) return;
    for (const char* other : {"=", "+=", "-="}) {
      if (s_.is(assign, other)) continue;
      replace_in_statement(i, end, s_[assign].begin, s_[assign].end, other, kPlain);
    }
  }

  // A part of an index may have to be smaller than something: `if (j < ow) y[i * ow + j] = ...;`
  void guard(size_t i, size_t assign, size_t end) {
    std::set<std::string> parts;
    for (size_t open = i; open < assign; open = past(open)) {
      if (!s_.is(open, "[") || s_.match(open) == kNone) continue;
      for (size_t k = open + 1; k < s_.match(open); k = past(k)) {
        const auto kind = s_.is_identifier(k) ? variables_.kind_of(s_[k].text) : std::nullopt;
        const bool alone = kind && *kind == number_of(false) && !s_.is(k + 1, ".");
        if (alone) parts.insert(std::string(text(k, k + 1)));
        const bool calls = s_.is_identifier(k - 1) || s_.is(k - 1, ">");
        if (s_.is(k, "(") && !calls && s_.match(k) != kNone)
          parts.insert(std::string(text(k, past(k))));
      }
    }
    const std::string statement(source_.text().substr(s_[i].begin, s_[end].end - s_[i].begin));
    for (const std::string& part : parts) {
      for (const std::string_view limit : variables_.others_like(part, number_of(false))) {
        const std::string condition = "if (" + part + " < " + std::string(limit) + ") ";
        Mutant mutant =
            changed(s_[i].begin, s_[i].begin, condition, kSeldom, Mutant::Form::statement);
        mutant.sites.push_back({s_[i].begin, s_[end].end, condition + statement, ""});
        found_.push_back(std::move(mutant));
      }
    }
  }

  // What is assigned to stays, its indices may change.
  void target(size_t i, size_t end) {
    for (size_t k = i; k < end; k = past(k)) {
      if (past(k) > k + 1) expression(k + 1, past(k) - 1);
    }
  }

  // `sum`, `y[i]`, `*y`, but no pointer.
  std::optional<Kind> kind_of_target(size_t i, size_t end) const {
    const bool follows = s_.is(i, "*");
    auto kind = variables_.kind_of(s_[follows ? i + 1 : i].text);
    if (kind && kind->indices > 0 && (follows || s_.is(end - 1, "]"))) kind->indices = 0;
    return kind;
  }
  bool is_floating_target(size_t i, size_t end) const {
    return kind_of_target(i, end) == number_of(true);
  }
  bool is_number_target(size_t i, size_t end) const {
    const auto kind = kind_of_target(i, end);
    return kind && kind->is_number();
  }

  // Of an assignment or a return; a sum of products may lack a sign, a factor or a term.
  void right_side(size_t i, size_t end, bool floating) {
    expression(i, end);
    if (end > i && s_.is(i, "{") && s_.match(i) == end - 1) {
      exchange_neighbours(i);
      return;
    }
    exchange_arguments(i, end);
    logic(i, end);
    if (end <= i) return;
    const std::string whole(text(i, end));
    if (!floating) {
      if (is_integer(i, end)) {
        replace_expression(i, end, "sizeof(float) * (" + whole + ")", kRare);
      }
      return;
    }
    divide_exactly(i, end);
    replace_target_value(i, end, "-(" + whole + ")", kSeldom);
    for (const std::string_view v : variables_.others_like("", number_of(true))) {
      for (const char* op : {"*", "/", "+", "-"}) {
        replace_target_value(i, end, "(" + whole + ") " + op + " " + std::string(v), kRare);
      }
    }
    for (const std::string_view v : variables_.others_like("", number_of(false))) {
      replace_target_value(i, end, "(" + whole + ") / " + std::string(v), kRare);
    }
  }

  // Of what a floating-point variable takes: it may be of another type than what stands there.
  void replace_target_value(size_t i, size_t end, std::string other, unsigned rank) {
    replace_expression(i, end, std::move(other), rank);
    found_.back().sites[0].type.clear();
  }

  // `1.0f * a / b`, where integers would drop the remainder. It has another type.
  void divide_exactly(size_t i, size_t end) {
    for (size_t k = i + 1; k + 1 < end; ++k) {
      if (!s_.is(k, "/")) continue;
      size_t left = k - 1;
      if (s_.is(left, ")") && s_.match(left) != kNone) left = s_.match(left);
      while (left > i + 1 && s_.is(left - 1, ".")) left -= 2;
      const size_t begin = s_[left].begin;
      const std::string changed(source_.text().substr(s_[i].begin, begin - s_[i].begin) +
                                "1.0f * " + source_.text().substr(begin, s_[end - 1].end - begin));
      replace_target_value(i, end, changed, kPlain);
    }
  }

  // Of numbers and names of integers alone.
  bool is_integer(size_t i, size_t end) const {
    for (size_t k = i; k < end; ++k) {
      const Token& token = s_[k];
      if (token.kind == Token::Kind::number && token.text.find_first_of(".") != token.text.npos) {
        return false;
      }
      if (token.is("[") || token.is("{") || token.is("?")) return false;
      if (token.kind == Token::Kind::string || token.kind == Token::Kind::character) return false;
      if (!token.is_identifier() || (k > i && is_dot(k - 1))) continue;
      if (kIntegers.contains(token.text) || kCasts.contains(token.text)) continue;
      const auto kind = is_dot(k + 1) ? member_at(k) : variables_.kind_of(token.text);
      if (kind != number_of(false)) return false;
    }
    return true;
  }

  bool is_dot(size_t k) const { return s_.is(k, ".") || s_.is(k, "->"); }

  // Of `s.oh()` or `s->w`, which begins at `k`.
  std::optional<Kind> member_at(size_t k) const {
    const std::string calls = s_.is(k + 3, "(") ? "()" : "";
    return variables_.kind_of_member(s_[k].text, std::string(s_[k + 2].text) + calls);
  }

  // ---- Declarations

  bool is_declaration(size_t i, size_t end) const {
    if (!s_.is_identifier(i) || kNoDeclarations.contains(s_[i].text)) return false;
    const std::string_view first = s_[i].text;
    if (kIntegers.contains(first) || kFloats.contains(first) || kSpecifiers.contains(first) ||
        first == "auto") {
      return !s_.is(i + 1, "(");
    }
    size_t k = i + 1;
    while (s_.is(k, "::") && s_.is_identifier(k + 1)) k += 2;
    if (s_.is(k, "<")) k = past_angles(k, end);
    while (s_.is(k, "*") || s_.is(k, "&") || s_.is(k, "const")) ++k;
    if (k >= end || !s_.is_identifier(k)) return false;
    // `a * b;` is no statement that anybody writes.
    return s_.is(k + 1, "=") || s_.is(k + 1, "(") || s_.is(k + 1, "{") || s_.is(k + 1, "[") ||
           s_.is(k + 1, ",") || k + 1 == end;
  }

  void declaration(size_t i, size_t end, bool with_mutants) {
    Kind kind;
    bool constant = false, is_const = false, refers = false;
    size_t k = i;
    for (; k < end; ++k) {
      const std::string_view word = s_[k].text;
      if (word == "<") {
        k = past_angles(k, end) - 1;
      } else if (kIntegers.contains(word)) {
        kind.base = Kind::Base::integer;
      } else if (kFloats.contains(word)) {
        kind.base = Kind::Base::floating;
      } else if (word == "*") {
        ++kind.indices;
        kind.reads_only = is_const;
      } else if (word == "&") {
        refers = true;
      } else if (kNotEvaluated.contains(word)) {
        k = past(k + 1) - 1;
      } else if (kSpecifiers.contains(word)) {
        constant = constant || word == "constexpr";
        is_const = is_const || (word == "const" && kind.indices == 0);
      } else if (s_.is_identifier(k) && begins_declarator(k, end)) {
        break;
      } else if (s_.is_identifier(k) && word != "auto") {
        kind.type = word;
      } else if (word == "[") {
        return;  // names of a structure's parts
      }
    }
    while (k < end && s_.is_identifier(k)) {
      const std::string_view name = s_[k].text;
      Kind own = kind;
      size_t next = k + 1;
      for (; s_.is(next, "[") && s_.match(next) != kNone; next = s_.match(next) + 1) ++own.indices;
      const size_t stop = comma(next, end);
      if (own.base == Kind::Base::other && own.type.empty()) own = guessed(next, stop);
      if (with_mutants && !constant && next < stop) {
        if (s_.is(next, "=") && refers) {
          target(next + 1, stop);  // which must be one: its indices may change
        } else if (s_.is(next, "=")) {
          right_side(next + 1, stop, own == number_of(true));
        }
        if (s_.is(next, "(") || s_.is(next, "{")) {
          expression(next + 1, stop - 1);
          exchange_neighbours(next);
        }
      }
      variables_.declare(name, own);
      k = stop + 1;
      while (s_.is(k, "*") || s_.is(k, "&")) ++k;
    }
  }

  bool begins_declarator(size_t k, size_t end) const {
    return k + 1 == end || s_.is(k + 1, "=") || s_.is(k + 1, ",") || s_.is(k + 1, "[") ||
           s_.is(k + 1, "(") || s_.is(k + 1, "{") || s_.is(k + 1, ";");
  }

  // Of `auto`: by what initialises it.
  Kind guessed(size_t i, size_t end) const {
    Kind kind = number_of(false);
    for (; i < end; ++i) {
      const Token& token = s_[i];
      const bool literal = token.kind == Token::Kind::number &&
                           token.text.find_first_of(".f") != std::string_view::npos;
      if (literal || kFloats.contains(token.text)) kind.base = Kind::Base::floating;
      if (!token.is_identifier() || s_.is(i - 1, ".")) continue;
      if (kIntegers.contains(token.text) || kFloats.contains(token.text)) continue;
      if (kCasts.contains(token.text) || kPlaces.contains(token.text)) continue;
      const auto named = s_.is(i + 1, ".") ? member_at(i) : variables_.kind_of(token.text);
      if (!named || !named->is_number()) return {};
      if (named->base == Kind::Base::floating) kind.base = Kind::Base::floating;
    }
    return kind;
  }

  // ---- Expressions

  void expression(size_t i, size_t end) {
    for (size_t k = i; k < end;) {
      const Token& token = s_[k];
      if (token.is("{") && s_.match(k) != kNone && s_.match(k) < end) {
        const bool is_lambda = k > i && (s_.is(k - 1, ")") || s_.is(k - 1, "]"));
        if (is_lambda) {
          block(k, s_.match(k));
          k = s_.match(k) + 1;
          continue;
        }
      }
      if (token.kind == Token::Kind::number) {
        number(k++);
      } else if (token.is_identifier()) {
        k = name(k, i, end);
      } else {
        if (kOperators.contains(token.text)) binary(k, i, end);
        ++k;
      }
    }
  }

  void number(size_t k) {
    const std::string_view digits = s_[k].text;
    const auto put = [&](std::string other, unsigned rank) {
      if (other != digits) replace_expression(k, k + 1, std::move(other), rank);
    };
    if (digits.find_first_of(".eEfF") != std::string_view::npos && !digits.starts_with("0x")) {
      for (const char* other : {"0.0f", "1.0f"}) put(other, kSeldom);
      const std::string own(digits);
      put("-" + own, kSeldom);
      put("(2 * " + own + ")", kSeldom);
      put("(" + own + " / 2)", kSeldom);
      return;
    }
    if (digits.find_first_not_of("0123456789") != std::string_view::npos || digits.size() > 9)
      return;
    const long value = std::stol(std::string(digits));
    put(std::to_string(value + 1), kPlain);
    if (value > 0) put(std::to_string(value - 1), kPlain);
    if (value > 1) put(std::to_string(value * 2), kRare);
    if (value > 3 && value % 2 == 0) put(std::to_string(value / 2), kRare);
  }

  // A name, with what is behind its dots. Returns where the expression goes on.
  size_t name(size_t k, size_t begin, size_t end) {
    if (kCasts.contains(s_[k].text) && s_.is(k + 1, "<")) return past_angles(k + 1, end);
    if (kNotEvaluated.contains(s_[k].text) && s_.is(k + 1, "(")) return past(k + 1);
    if (kNoNames.contains(s_[k].text)) return k + 1;
    size_t last = k;
    while (s_.is(last + 1, "::") && s_.is_identifier(last + 2)) last += 2;
    const bool qualified = last > k;
    if (has_template_arguments(k, last, end)) return past_angles(last + 1, end);
    while (is_dot(last + 1) && s_.is_identifier(last + 2)) last += 2;
    size_t after = last + 1;
    const bool has_member = last > k && !qualified;
    if (has_member && s_.is(after, "(") && s_.is(after + 1, ")")) after += 2;
    const bool calls = s_.is(after, "(") || s_.is(after, "<<<");
    const bool is_changed =
        kAssignments.contains(after < end ? s_[after].text : "") || s_.is(after, "++") ||
        s_.is(after, "--") ||
        (k > begin && (s_.is(k - 1, "++") || s_.is(k - 1, "--") || is_unary_and(k - 1, begin)));
    if (calls && !has_member && s_.is(after, "(")) other_function(k, last);
    if (k > begin && is_unary_and(k - 1, begin) && after == k + 1) address(k);
    if (calls || is_changed || qualified) return after;
    if (has_member) {
      member(k, last, after);
    } else {
      variable(k);
    }
    return after;
  }

  // `f<2 * kRows>(`, whose name goes from `k` to `last`: no comparison.
  bool has_template_arguments(size_t k, size_t last, size_t end) const {
    if (!s_.is(last + 1, "<") || (k == last && variables_.kind_of(s_[k].text))) return false;
    const size_t after = past_angles(last + 1, end);
    if (after >= end) return after == end && s_.is(end - 1, ">");
    static const Words kFollow = {"(", "{", "::", "<<<", ">", ",", ")", ";", "&", "*", ":"};
    return s_.is(after - 1, ">") && (kFollow.contains(s_[after].text) || s_.is_identifier(after));
  }

  void variable(size_t k) {
    const std::string_view own = s_[k].text;
    const auto family = families().find(own);
    if (family != families().end()) {
      for (const std::string_view other : family->second) {
        if (other != own) replace_expression(k, k + 1, std::string(other), kPlain);
      }
    }
    const auto kind = variables_.kind_of(own);
    if (!kind || own == counter_) return;
    // Objects of a class may not be copied; a stream or a descriptor can.
    const bool is_object = kind->base == Kind::Base::other && kind->indices == 0;
    if (is_object && !kind->type.ends_with("_t") && kind->type != "dim3") return;
    // A function may take an array by reference, with its sizes.
    if (kind->indices > 1 && !s_.is(k + 1, "[")) return;
    for (const std::string_view other : variables_.others_like(own, *kind)) {
      replace_expression(k, k + 1, std::string(other), likeness(own, other));
    }
    if (!kind->is_number()) return;
    if (!is_step_) replace_expression(k, k + 1, "0", kSeldom);
    if (kind->base == Kind::Base::floating) {
      replace_expression(k, k + 1, "(-" + std::string(own) + ")", kSeldom);
      return;
    }
    one_more_or_less(k, k + 1);
  }

  // `fminf(a, b)`, `a` or `b` for `std::fmaxf(a, b)`, whose name goes from `k` to `last`.
  void other_function(size_t k, size_t last) {
    const std::string_view own = s_[last].text;
    const size_t open = last + 1, close = s_.match(open);
    const auto family = std::ranges::find_if(
        kFunctions, [&](const auto& names) { return std::ranges::count(names, own) > 0; });
    if (family == kFunctions.end() || close == kNone) return;
    const std::string before = last > k ? std::string(text(k, last)) : "";
    const std::string called_with(text(open, close + 1));
    for (const std::string_view other : *family) {
      if (other == own) continue;
      replace_expression(k, close + 1, before + std::string(other) + called_with, kPlain);
    }
    const size_t stop = comma(open + 1, close);
    if (stop == close) return;
    const std::string a(text(open + 1, stop)), b(text(stop + 1, close));
    replace_expression(k, close + 1, a, kPlain);
    replace_expression(k, close + 1, b, kPlain);
    // They drop a NaN, and a comparison keeps it.
    const char* better = own.find("max") != own.npos ? " < " : " > ";
    if (own != "fmaxf" && own != "fmax" && own != "fminf" && own != "fmin") return;
    replace_expression(k, close + 1, a + better + b + " ? " + b + " : " + a, kSeldom);
    replace_expression(k, close + 1, b + better + a + " ? " + a + " : " + b, kSeldom);
  }

  // `&beta` for `&alpha`
  void address(size_t k) {
    const std::string_view own = s_[k].text;
    const auto kind = variables_.kind_of(own);
    if (!kind) return;
    for (const std::string_view other : variables_.others_like(own, *kind)) {
      replace_expression(k - 1, k + 1, "&" + std::string(other), kPlain);
    }
  }

  void member(size_t k, size_t last, size_t after) {
    const std::string_view root = s_[k].text;
    const std::string before(text(k, last));
    const std::string own(text(last, after));
    if (kPlaces.contains(root)) {
      for (const char* axis : {"x", "y", "z"}) {
        if (own != axis) replace_expression(k, after, before + axis, kLikely);
      }
      for (const std::string_view place : kPlaces) {
        if (place != root) replace_expression(k, after, std::string(place) + "." + own, kPlain);
      }
      return;
    }
    const auto kind = variables_.kind_of_member(root, own);
    if (!kind || last != k + 2) return;
    for (const auto& [other, its_kind] : *variables_.members_of(root)) {
      if (other == own || its_kind != *kind) continue;
      const unsigned rank = likeness(own, other);
      if (own.ends_with(")") && rank != kLikely) continue;
      replace_expression(k, after, before + other, rank == kLikely ? kLikely : kSeldom);
    }
    if (*kind == number_of(false)) one_more_or_less(k, after);
  }

  void one_more_or_less(size_t i, size_t end) {
    const std::string own(text(i, end));
    replace_expression(i, end, "(" + own + " + 1)", kPlain);
    replace_expression(i, end, "(" + own + " - 1)", kPlain);
  }

  // Rows are mistaken for columns, and one size for one that looks like it.
  static unsigned likeness(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty() && a.front() == b.front()) {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
    while (!a.empty() && !b.empty() && a.back() == b.back()) {
      a.remove_suffix(1);
      b.remove_suffix(1);
    }
    return std::max(a.size(), b.size()) <= 1 ? kLikely : kPlain;
  }

  void binary(size_t k, size_t begin, size_t end) {
    if (k == begin || k + 1 >= end) return;
    const Token& before = s_[k - 1];
    const bool has_left = (before.is_identifier() && !kNoNames.contains(before.text)) ||
                          before.kind == Token::Kind::number || before.is(")") || before.is("]");
    if (!has_left || kIntegers.contains(before.text) || kFloats.contains(before.text)) return;
    // Not the bracket of a template's arguments.
    const bool angle = s_.is(k, "<") || s_.is(k, ">");
    const bool is_member = k > 1 && is_dot(k - 2);
    if (angle && before.is_identifier() && !is_member && !variables_.kind_of(before.text)) return;
    // `<` for `<=`, before a number in their place.
    const bool compares = std::string_view("<>=!").find(s_[k].text[0]) != std::string_view::npos;
    for (const std::string_view other : kOperators.at(s_[k].text)) {
      Mutant mutant = changed(s_[k].begin, s_[k].end, std::string(other),
                              compares ? kLikely : kPlain, Mutant::Form::infix);
      mutant.sites.push_back({s_[k].begin, s_[k].end, std::string(other), ""});
      found_.push_back(std::move(mutant));
    }
  }

  bool is_unary_and(size_t k, size_t begin) const {
    if (!s_.is(k, "&")) return false;
    if (k == begin) return true;
    const Token& before = s_[k - 1];
    return !before.is_identifier() && before.kind != Token::Kind::number && !before.is(")") &&
           !before.is("]");
  }

  // Neighbours among the arguments of each call.
  void exchange_arguments(size_t i, size_t end) {
    for (size_t k = i + 1; k < end; ++k) {
      const bool calls = s_.is_identifier(k - 1) || s_.is(k - 1, ">") || s_.is(k - 1, ">>>");
      if (!s_.is(k, "(") || !calls || kCasts.contains(cast_before(k))) continue;
      if (s_.is(k - 1, "swap")) continue;
      exchange_neighbours(k);
      if (s_[k - 1].text.starts_with("cudaM")) count_in_bytes(k);
    }
  }

  // `static_cast` of `static_cast<int>(`, whose bracket is at `open`; else "".
  std::string_view cast_before(size_t open) const {
    size_t k = open - 1;
    if (!s_.is(k, ">")) return {};
    while (k > 0 && !s_.is(k, "<")) --k;
    return k > 0 ? s_[k - 1].text : std::string_view{};
  }

  // From where to where each argument goes behind the bracket at `open`.
  std::vector<std::pair<size_t, size_t>> arguments(size_t open) const {
    std::vector<std::pair<size_t, size_t>> all;
    const size_t close = s_.match(open);
    for (size_t first = open + 1; close != kNone && first < close;) {
      const size_t stop = comma(first, close);
      all.emplace_back(first, stop);
      first = stop + 1;
    }
    return all;
  }

  // Of the arguments behind the bracket at `open`.
  void exchange_neighbours(size_t open) {
    const std::vector<std::pair<size_t, size_t>> values = arguments(open);
    constexpr size_t kFurthest = 2;
    for (size_t a = 0; a < values.size(); ++a) {
      for (size_t b = a + 1; b < values.size() && b <= a + kFurthest; ++b) {
        const auto [begin, end] = values[a];
        const auto [other_begin, other_end] = values[b];
        if (begin == end || other_begin == other_end) continue;
        if (!is_value(begin, end) || !is_value(other_begin, other_end)) continue;
        exchange(begin, end, other_begin, other_end);
      }
    }
  }

  // A size of memory, of the arguments behind the bracket at `open`.
  void count_in_bytes(size_t open) {
    for (const auto& [first, stop] : arguments(open)) {
      if (stop == first || s_.is(first, "0") || !is_integer(first, stop)) continue;
      const std::string own(text(first, stop));
      replace_expression(first, stop, "sizeof(float) * (" + own + ")", kPlain);
    }
  }

  // Not the name of an array or of something else that may be taken by reference.
  bool is_value(size_t i, size_t end) const {
    if (s_.is(i, ".")) return false;  // of a designated initialiser
    if (s_.is(i, "*")) return false;  // an object that may not be copied
    if (end > i + 1 || s_[i].kind == Token::Kind::number) return true;
    const auto kind = variables_.kind_of(s_[i].text);
    return kind && kind->indices < 2;
  }

  void exchange(size_t a, size_t a_end, size_t b, size_t b_end) {
    const std::string one = code(a, a_end), other = code(b, b_end);
    if (one == other || one.find('{') != one.npos || other.find('{') != other.npos) return;
    Mutant mutant = changed(
        s_[a].begin, s_[b_end - 1].end,
        std::string(text(b, b_end)) + std::string(between(a_end, b)) + std::string(text(a, a_end)),
        kPlain, Mutant::Form::expression);
    mutant.sites.push_back({s_[a].begin, s_[a_end - 1].end, other, one});
    mutant.sites.push_back({s_[b].begin, s_[b_end - 1].end, one, other});
    found_.push_back(std::move(mutant));
  }

  // ---- Mutants

  Mutant changed(size_t begin, size_t end, std::string other, unsigned rank, Mutant::Form form) {
    return {{{begin, end, std::move(other)}}, rank, form, {}, body_};
  }

  void replace_expression(size_t i, size_t end, std::string other, unsigned rank) {
    const size_t begin = s_[i].begin, stop = s_[end - 1].end;
    Mutant mutant = changed(begin, stop, other, rank, Mutant::Form::expression);
    std::string type = code(i, end);
    if (type.find('{') != type.npos) type.clear();  // two lambdas have two types
    mutant.sites.push_back({begin, stop, std::move(other), std::move(type)});
    found_.push_back(std::move(mutant));
  }

  // The statement ends before the `;` at `end`.
  void replace_in_statement(size_t i, size_t end, size_t begin, size_t stop, std::string other,
                            unsigned rank) {
    const size_t from = s_[i].begin, to = s_[end].end;
    const std::string_view all = source_.text();
    std::string version(all.substr(from, begin - from));
    version += other;
    version += all.substr(stop, to - stop);
    Mutant mutant = changed(begin, stop, std::move(other), rank, Mutant::Form::statement);
    mutant.sites.push_back({from, to, std::move(version), ""});
    found_.push_back(std::move(mutant));
  }

  void leave_out(size_t i, size_t end, unsigned rank) {
    replace_in_statement(i, end, s_[i].begin, s_[end].end, ";", rank);
  }

  void put_barrier_before(size_t i) {
    const size_t at = s_[i].begin;
    Mutant mutant = changed(at, at, "__syncthreads(); ", kPlain, Mutant::Form::before);
    mutant.sites.push_back({at, at, "__syncthreads();", ""});
    found_.push_back(std::move(mutant));
  }

  // ---- Tokens

  std::string_view text(size_t i, size_t end) const {
    return std::string_view(source_.text()).substr(s_[i].begin, s_[end - 1].end - s_[i].begin);
  }

  // From the end of the token before `i` to the token at `end`.
  std::string_view between(size_t i, size_t end) const {
    const size_t begin = s_[i - 1].end;
    return std::string_view(source_.text()).substr(begin, s_[end].begin - begin);
  }

  // The same without comments and in one line.
  std::string code(size_t i, size_t end) const {
    std::string joined;
    for (size_t k = i; k < end; ++k) {
      if (k > i) joined += ' ';
      joined += s_[k].text;
    }
    return joined;
  }

  // The next token on this level of brackets.
  size_t past(size_t k) const {
    const bool opens = s_.is(k, "(") || s_.is(k, "[") || s_.is(k, "{");
    return opens && s_.match(k) != kNone ? s_.match(k) + 1 : k + 1;
  }

  size_t semicolon(size_t i, size_t limit) const {
    while (i < limit && !s_.is(i, ";") && !s_.is(i, "}")) i = past(i);
    return std::min(i, limit);
  }

  size_t comma(size_t i, size_t limit) const {
    while (i < limit && !s_.is(i, ",")) i = past(i);
    return std::min(i, limit);
  }

  size_t past_angles(size_t k, size_t end) const {
    int depth = 0;
    for (; k < end; ++k) {
      if (s_.is(k, "<")) ++depth;
      if (s_.is(k, ">")) --depth;
      if (s_.is(k, ">>")) depth -= 2;
      if (depth <= 0) return k + 1;
    }
    return end;
  }

  const Source& source_;
  Stream s_;
  const rewrite::Scopes& scopes_;
  Variables variables_;
  size_t body_ = 0;
  size_t next_constant_ = 0;
  std::string_view counter_;                        // of the loop whose condition is read
  bool on_device_ = false, returns_float_ = false;  // the function
  bool is_step_ = false;                            // of a loop
  std::vector<Mutant> found_;
};

}  // namespace

std::vector<Mutant> find_mutants(const Source& source, const rewrite::Names& names,
                                 std::span<const Source> headers) {
  std::vector<Mutant> found = Finder(source, names, headers).find();
  std::ranges::stable_sort(found, {}, [](const Mutant& m) { return m.edits[0].begin; });
  return found;
}

}  // namespace convkit::repair
