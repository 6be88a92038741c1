// SPDX-License-Identifier: MIT
// A kernel whose barriers are surely reached by all threads of the block becomes one that can run
// them from barrier to barrier (a phase) as a loop:
//
//   __global__ void k(const float* x, float* y, int n) {
//     __shared__ float cell[256];
//     const int i = blockIdx.x * 256 + threadIdx.x;
//     float sum = 0;
//     for (int turn = 0; turn < n; ++turn) {
//       cell[threadIdx.x] = x[i];
//       __syncthreads();
//       sum += cell[255 - threadIdx.x];
//       __syncthreads();
//     }
//     y[i] = sum;
//   }
//
// becomes, every line on its line (macros without their common beginning CONVKIT_SIMT_),
//
//   __global__ void k(const float* x, float* y, int n) { PHASES
//     __shared__ float cell[256]; KEEP(convkit_sum_1, float) PHASE()
//     const int i = ::convkit::simt::plus_thread(blockIdx.x * 256 , threadIdx.x);
//     float sum = 0; END_PHASE(... convkit_sum_1.keep_value(convkit_thread, sum);)
//     for (int turn = 0; turn < n; ++turn) { PHASE(const int i = ...;)
//       cell[threadIdx.x] = x[i]; END_PHASE()
//       BARRIER(); PHASE(LocalOf<float> sum = convkit_sum_1[convkit_thread];)
//       sum += cell[255 - threadIdx.x]; END_PHASE(convkit_sum_1.put_value(convkit_thread, sum);)
//       BARRIER();
//     } PHASE(...)
//     y[i] = sum; END_PHASE()
//   END_PHASES }
//
// What is around barriers runs once for the block: it must be uniform, that is, computed from
// arguments, the block's indices, constants, memory at such places, and variables that are given
// such values only, outside of phases. A thread's variables that are used in a later phase are
// computed again there, if they never change and depend on nothing that does; else they are kept
// for each thread.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cpu_device/rewrite/expression.h"
#include "cpu_device/rewrite/quiet_code.h"
#include "cpu_device/rewrite/stream.h"
#include "cpu_device/rewrite/thread_loops.h"

namespace convkit::rewrite {
namespace {

// Macros in macros deeper than this are not looked into, nor more tokens of expressions than this:
// the time must not depend on how macros multiply.
constexpr int kDeepestPhaseMacro = 8;
constexpr size_t kMostTokensRead = 1 << 20;

struct Part {
  size_t begin = 0, end = 0;  // tokens; `end` is behind the last
  bool empty() const { return begin == end; }
  bool holds(size_t i) const { return begin <= i && i < end; }
};

// Statements that follow one another, some of them barriers, or with barriers in them.
struct List {
  Part extent;
  size_t around = kNone;  // the list that it is in
  bool braced = true;
};

struct Item {
  enum class Kind { barrier, statement, declaration, outside, control };
  Kind kind = Kind::statement;
  Part extent;  // of control: of its header only
  size_t list = 0;
  std::vector<size_t> variables;    // that it declares
  std::vector<Part> assigns, asks;  // in the header of a control statement
  std::set<std::string_view> names;
};

struct Variable {
  std::string_view name;
  size_t token = 0, list = 0, item = kNone;
  Part specifiers, declarator, value;
  bool parameter = false, array = false, pointer = false, reference = false, constant = false,
       automatic = false;
  bool constexpr_ = false;
  std::vector<size_t> changes;  // tokens
  bool changes_in_phases = false;
  bool uniform = false, reads_memory = false, recomputed = false;
  std::vector<size_t> needs;  // the variables that its value is computed from
  size_t phase = kNone;       // that declares it
  bool kept = false, used_elsewhere = false;
};

struct Assignment {
  size_t item, target;  // a variable
  Part value;           // empty: `++`
};

struct Phase {
  size_t first = 0, last = 0;  // items
  size_t list = 0;
  Part extent;
  bool returns = false;
  std::set<std::string_view> names;
};

// What an expression is computed from.
struct Reads {
  bool thread = false, memory = false, mathematics = false;
  std::vector<size_t> variables;
};

bool is_assignment(const Token& token) {
  static constexpr auto kOperators = std::to_array<std::string_view>(
      {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="});
  return std::ranges::find(kOperators, token.text) != kOperators.end();
}

bool is_step(const Token& token) {
  return token.is("++") || token.is("--");
}

bool leaves(const Token& token) {
  return token.is("return") || token.is("break") || token.is("continue") || token.is("goto");
}

class Kernel {
 public:
  Kernel(const Stream& s, size_t parameters, size_t body, const QuietCode& quiet)
      : s_(s), quiet_(quiet), body_{body + 1, s.match(body)} {
    lists_.push_back({body_, kNone});
    ok_ = is_plain_text();
    read_parameters(parameters);
    if (ok_) read_list(body_, 0);
    if (!ok_) return;
    ok_ = barriers_ > 0 && asks_for_thread_;
    if (!ok_) return;
    find_names();
    find_changes();
    find_assignments();
    find_uniform();
    place();
    if (ok_) form_phases();
    if (ok_) choose();
  }

  bool ok() const { return ok_; }
  void rewrite(Edits& edits) const;

 private:
  void fail() { ok_ = false; }

  // ---- The text.

  // Of `*` or `&`.
  static bool takes_one_operand(const Stream& s, size_t i) {
    if (i == 0) return true;
    if (s.is(i - 1, ")") && s.match(i - 1) != kNone && s.match(i - 1) > 0) {
      const Token& before = s[s.match(i - 1) - 1];
      if (before.is("if") || before.is("while") || before.is("for")) return true;
    }
    return !ends_factor(s, i - 1) && !s.is(i - 1, "]");
  }

  bool is_plain_text() {
    for (size_t i = body_.begin; i < body_.end; ++i) {
      if (!s_[i].decided || s_.is(i, "goto")) return false;
      if (s_.is(i, "[") && !indexes(i)) return false;  // a lambda
      if (s_.is(i, "threadIdx")) asks_for_thread_ = true;
      bool plain = true;
      visit_macro(i, [&](const Stream& text) {
        for (const Token& token : text.tokens()) {
          plain = plain && !leaves(token) && !token.is("__shared__");
          if (token.is("threadIdx")) asks_for_thread_ = true;
        }
      });
      if (!plain) return false;
    }
    return true;
  }

  bool indexes(size_t i) const {
    return s_.is(i - 1, "]") || s_.is(i - 1, ")") ||
           (s_.is_identifier(i - 1) && !s_.is(i - 1, "return"));
  }

  // Calls `visit(stream)` with the texts of the macro at `i`, and of those in them.
  template <class Visit>
  void visit_macro(size_t i, const Visit& visit) const {
    std::set<std::string_view> visited;
    if (s_.is_identifier(i) && !is_member(s_, i)) visit_macro(s_[i].text, visit, visited);
  }
  template <class Visit>
  void visit_macro(std::string_view name, const Visit& visit,
                   std::set<std::string_view>& visited) const {
    if (!quiet_.is_macro(name) || !visited.insert(name).second) return;
    quiet_.visit_macro(name, [&](const Stream& text) {
      visit(text);
      for (const Token& token : text.tokens()) visit_macro(token.text, visit, visited);
    });
  }

  static bool is_member(const Stream& s, size_t i) {
    return i > 0 && (s.is(i - 1, ".") || s.is(i - 1, "->") || s.is(i - 1, "::"));
  }

  // ---- Statements.

  void read_parameters(size_t open) {
    const size_t close = s_.match(open);
    size_t begin = open + 1;
    for (size_t i = open + 1; i <= close; ++i) {
      if (i < close && !s_.is(i, ",")) {
        if (s_.is(i, "<") || s_.is(i, "=") || s_.is(i, "[")) return fail();
        continue;
      }
      if (i > begin && s_.is_identifier(i - 1) && i - 1 > begin) {
        Variable variable;
        variable.name = s_[i - 1].text;
        variable.token = i - 1;
        variable.parameter = true;
        variable.specifiers = {begin, i - 1};
        variable.declarator = {i - 1, i};
        variable.pointer = has_pointer(variable.specifiers);
        variable.constant = is_constant(variable.specifiers);
        variables_.push_back(variable);
      }
      begin = i + 1;
    }
  }

  // Whether what is declared itself is constant, not what it points to.
  bool is_constant(Part part) const {
    bool constant = false;
    for (size_t i = part.begin; i < part.end; ++i) {
      if (s_.is(i, "const") || s_.is(i, "constexpr")) constant = true;
      if (s_.is(i, "*")) constant = false;
    }
    return constant;
  }

  bool has_pointer(Part part) const {
    for (size_t i = part.begin; i < part.end; ++i) {
      if (s_.is(i, "*")) return true;
    }
    return false;
  }

  bool has_barrier(Part part) const {
    for (size_t i = part.begin; i < part.end; ++i) {
      if (s_.is(i, "__syncthreads")) return true;
    }
    return false;
  }

  // Behind the statement at `i`, or kNone.
  size_t statement_end(size_t i) const {
    if (i >= body_.end) return kNone;
    if (s_.is(i, "{")) return s_.match(i) == kNone ? kNone : s_.match(i) + 1;
    if (s_.is(i, "if") || s_.is(i, "for") || s_.is(i, "while") || s_.is(i, "switch")) {
      const size_t open = s_.is(i + 1, "constexpr") ? i + 2 : i + 1;
      if (!s_.is(open, "(") || s_.match(open) == kNone) return kNone;
      const size_t end = statement_end(s_.match(open) + 1);
      return s_.is(i, "if") && end != kNone && s_.is(end, "else") ? statement_end(end + 1) : end;
    }
    if (s_.is(i, "do")) {
      const size_t end = statement_end(i + 1);
      if (end == kNone || !s_.is(end, "while") || !s_.is(end + 1, "(")) return kNone;
      const size_t close = s_.match(end + 1);
      return close != kNone && s_.is(close + 1, ";") ? close + 2 : kNone;
    }
    if (s_.is(i, "else") || s_.is(i, "case") || s_.is(i, "default")) return kNone;
    for (; i < body_.end; ++i) {
      if (s_.is(i, ";")) return i + 1;
      if (s_.is(i, "}")) return kNone;
      if ((s_.is(i, "(") || s_.is(i, "[") || s_.is(i, "{"))) {
        if (s_.match(i) == kNone) return kNone;
        i = s_.match(i);
      }
    }
    return kNone;
  }

  void read_list(Part part, size_t list) {
    for (size_t i = part.begin; i < part.end && ok_;) {
      const size_t end = statement_end(i);
      if (end == kNone || end > part.end || s_.is(i + 1, ":")) return fail();
      read_statement({i, end}, list);
      i = end;
    }
  }

  size_t add_item(Item::Kind kind, Part extent, size_t list) {
    Item item;
    item.kind = kind;
    item.extent = extent;
    item.list = list;
    items_.push_back(std::move(item));
    return items_.size() - 1;
  }

  void read_statement(Part part, size_t list) {
    const size_t i = part.begin;
    if (s_.is(i, "__syncthreads")) {
      if (!s_.is(i + 1, "(") || i + 4 != part.end) return fail();
      ++barriers_;
      add_item(Item::Kind::barrier, part, list);
    } else if (has_barrier(part)) {
      read_control(part, list);
    } else if (!lists_[list].braced) {
      fail();
    } else if (s_.is(i, "using") || s_.is(i, "typedef") || s_.is(i, "static_assert")) {
      add_item(Item::Kind::outside, part, list);
      // What is kept is declared outside of loops, where such a name is not known.
      if (list != 0) inner_types_.insert(s_[s_.is(i, "using") ? i + 1 : part.end - 2].text);
    } else if (is_shared(part)) {
      read_shared(add_item(Item::Kind::outside, part, list));
    } else if (s_.is(i, "struct") || s_.is(i, "class") || s_.is(i, "union") || s_.is(i, "enum")) {
      fail();
    } else {
      const size_t item = add_item(Item::Kind::statement, part, list);
      read_declaration(item, {i, part.end - 1}, list);
      if (escapes(part)) fail();
    }
  }

  bool is_shared(Part part) const {
    for (const std::string_view word : {"{", "if", "for", "while", "do", "switch"}) {
      if (s_.is(part.begin, word)) return false;
    }
    for (size_t i = part.begin; i < part.end && !s_.is(i, "="); ++i) {
      if (s_.is(i, "__shared__")) return true;
    }
    return false;
  }

  // The names, and perhaps some more.
  void read_shared(size_t item) {
    for (size_t i = items_[item].extent.begin; i < items_[item].extent.end; ++i) {
      const bool names = s_.is(i + 1, "[") || s_.is(i + 1, ",") || s_.is(i + 1, ";");
      // The name of an array alone reads nothing.
      if (s_.is(i + 1, "[")) continue;
      if (s_.is_identifier(i) && names && s_.around(i) == s_.around(items_[item].extent.begin)) {
        shared_.insert(s_[i].text);
      }
    }
  }

  // Whether a `break` or `continue` leaves the statement.
  bool escapes(Part part) const {
    for (size_t i = part.begin; i < part.end; ++i) {
      if (s_.is(i, "break") || s_.is(i, "continue")) return true;
      if (s_.is(i, "for") || s_.is(i, "while") || s_.is(i, "do")) {
        const size_t end = statement_end(i);
        if (end == kNone || end > part.end) return true;
        i = end - 1;
      } else if (s_.is(i, "switch")) {
        const size_t end = statement_end(i);
        if (end == kNone || end > part.end) return true;
        for (; i < end; ++i) {
          if (s_.is(i, "continue")) return true;
        }
        --i;
      }
    }
    return false;
  }

  // A statement with barriers in it.
  void read_control(Part part, size_t list) {
    const size_t i = part.begin;
    if (s_.is(i, "{")) {
      add_item(Item::Kind::control, {i, i}, list);
      return read_body(part, list, i);
    }
    const bool loop = s_.is(i, "for") || s_.is(i, "while"), branch = s_.is(i, "if");
    if ((!loop && !branch) || !s_.is(i + 1, "(")) return fail();
    const size_t close = s_.match(i + 1);
    const size_t item = add_item(Item::Kind::control, {i, close + 1}, list);
    if (s_.is(i, "for")) {
      read_for(item, {i + 2, close});
    } else {
      items_[item].asks.push_back({i + 2, close});
    }
    const size_t end = statement_end(close + 1);
    if (!ok_ || end == kNone) return fail();
    read_body({close + 1, end}, list, s_.is(i, "for") ? i : close + 1);
    if (branch && end < part.end) {
      if (!s_.is(end, "else")) return fail();
      read_body({end + 1, part.end}, list, end + 1);
    }
  }

  // `begin`: from where on what it declares is visible.
  void read_body(Part part, size_t list, size_t begin) {
    const bool braced = s_.is(part.begin, "{");
    const size_t inner = lists_.size();
    lists_.push_back({{begin, part.end}, list, braced});
    for (Variable& variable : variables_) {
      if (variable.list == kNone) variable.list = inner;
    }
    read_list(braced ? Part{part.begin + 1, part.end - 1} : part, inner);
  }

  void read_for(size_t item, Part header) {
    std::array<size_t, 2> semicolons{};
    size_t found = 0;
    for (size_t i = header.begin; i < header.end; ++i) {
      if (s_.is(i, "(") || s_.is(i, "[") || s_.is(i, "{")) {
        i = s_.match(i);
        if (i == kNone) return fail();
      } else if (s_.is(i, ";")) {
        if (found == 2) return fail();
        semicolons[found++] = i;
      }
    }
    if (found != 2) return fail();
    const Part first{header.begin, semicolons[0]};
    if (!first.empty()) {
      read_declaration(item, first, kNone);
      if (items_[item].variables.empty()) items_[item].assigns.push_back(first);
    }
    items_[item].asks.push_back({semicolons[0] + 1, semicolons[1]});
    items_[item].assigns.push_back({semicolons[1] + 1, header.end});
  }

  // ---- Declarations.

  // Behind the specifiers of a declaration; kNone: there are none.
  size_t specifiers_end(Part part) const {
    bool type = false;
    size_t i = part.begin;
    for (; i < part.end && s_.is_identifier(i); ++i) {
      const std::string_view word = s_[i].text;
      if (word == "const" || word == "constexpr" || word == "static" || word == "typename")
        continue;
      if (word == "auto" || is_builtin_type(word)) {
        // `half` may be a name, too.
        const bool ends = s_[i + 1].kind == Token::Kind::punctuator && !s_.is(i + 1, "*") &&
                          !s_.is(i + 1, "&") && !s_.is(i + 1, "&&");
        if (type && (ends || !is_builtin_type(s_[i - 1].text))) break;
        type = true;
        continue;
      }
      if (type || is_keyword(word)) break;
      while (s_.is(i + 1, "::") && s_.is_identifier(i + 2)) i += 2;
      if (s_.is(i + 1, "<")) {
        const size_t close = angles_end(i + 1, part.end);
        if (close == kNone) return kNone;
        i = close;
        while (s_.is(i + 1, "::") && s_.is_identifier(i + 2)) i += 2;
      }
      type = true;
    }
    return type && i < part.end ? i : kNone;
  }

  size_t angles_end(size_t open, size_t end) const {
    size_t depth = 0;
    for (size_t i = open; i < end; ++i) {
      if (s_.is(i, "<")) ++depth;
      if (s_.is(i, "=") || s_.is(i, "&&") || s_.is(i, "||")) return kNone;
      const size_t closing = closing_angles(s_[i]);
      if (closing > 0 && closing >= depth) return closing == depth ? i : kNone;
      depth -= closing;
      if (s_.is(i, "(") && s_.match(i) != kNone) i = s_.match(i);
    }
    return kNone;
  }

  // Without the `;`. What is no declaration is an expression.
  void read_declaration(size_t item, Part part, size_t list) {
    if (part.empty() || !s_.is_identifier(part.begin)) return;
    const bool surely = is_builtin_type(s_[part.begin].text) || is_keyword(s_[part.begin].text);
    if (s_.is(part.begin, "if") || s_.is(part.begin, "for") || s_.is(part.begin, "while") ||
        s_.is(part.begin, "do") || s_.is(part.begin, "switch") || s_.is(part.begin, "return") ||
        s_.is(part.begin, "sizeof") || s_[part.begin].text.ends_with("_cast")) {
      return;
    }
    const size_t specifiers = specifiers_end(part);
    std::vector<Variable> declared;
    bool ok = specifiers != kNone && are_types(Part{part.begin, specifiers});
    for (size_t i = specifiers; ok && i < part.end;) {
      Variable variable;
      variable.specifiers = {part.begin, specifiers};
      variable.item = item;
      variable.list = list;
      ok = read_declarator(i, part.end, variable);
      declared.push_back(variable);
    }
    if (!ok) {
      const bool has_name = specifiers != kNone && s_.is_identifier(specifiers);
      if (surely || has_name) fail();
      return;
    }
    if (items_[item].kind == Item::Kind::statement) items_[item].kind = Item::Kind::declaration;
    for (Variable& variable : declared) {
      // A name that hides another would have to be told from it everywhere.
      for (const Variable& other : variables_) {
        if (other.name == variable.name && visible(other, variable.token)) fail();
      }
      items_[item].variables.push_back(variables_.size());
      variables_.push_back(std::move(variable));
    }
  }

  // Of macros among the specifiers only those that stand for a built-in type are understood.
  bool are_types(Part specifiers) const {
    bool ok = true;
    for (size_t i = specifiers.begin; i < specifiers.end; ++i) {
      visit_macro(i, [&](const Stream& text) {
        for (const Token& token : text.tokens()) ok = ok && is_builtin_type(token.text);
      });
    }
    return ok;
  }

  // Goes on to behind the comma.
  bool read_declarator(size_t& i, size_t end, Variable& variable) const {
    const size_t begin = i;
    while (i < end && (s_.is(i, "*") || s_.is(i, "&") || s_.is(i, "&&") || s_.is(i, "const") ||
                       s_.is(i, "__restrict__"))) {
      variable.reference = variable.reference || s_.is(i, "&") || s_.is(i, "&&");
      ++i;
    }
    if (i >= end || !s_.is_identifier(i) || is_keyword(s_[i].text) || quiet_.is_macro(s_[i].text)) {
      return false;
    }
    variable.token = i;
    variable.name = s_[i].text;
    for (++i; s_.is(i, "[") && s_.match(i) != kNone; i = s_.match(i) + 1) variable.array = true;
    variable.declarator = {begin, i};
    variable.value = {i, i};
    if (i < end && !s_.is(i, ",")) {
      if (!s_.is(i, "=") && !s_.is(i, "{") && !s_.is(i, "(")) return false;
      const size_t first = i;
      size_t angles = 0;
      for (; i < end && (angles > 0 || !s_.is(i, ",")); ++i) {
        if (s_.is(i, "<") && s_.is_identifier(i - 1) && template_close(i, end) != kNone) {
          i = template_close(i, end);
        }
        if (s_.is(i, "(") || s_.is(i, "[") || s_.is(i, "{")) {
          i = s_.match(i);
          if (i == kNone) return false;
        }
      }
      variable.value = {first, i};
    }
    if (i < end) ++i;  // the comma
    for (size_t k = variable.specifiers.begin; k < variable.specifiers.end; ++k) {
      variable.automatic = variable.automatic || s_.is(k, "auto");
      variable.constexpr_ = variable.constexpr_ || s_.is(k, "constexpr");
    }
    variable.pointer = has_pointer(variable.declarator);
    variable.constant = variable.constexpr_ ||
                        is_constant(variable.pointer ? variable.declarator : variable.specifiers);
    return true;
  }

  // The `>` of the template arguments of a cast or a function, which alone have commas in them.
  size_t template_close(size_t open, size_t end) const {
    const std::string_view name = s_[open - 1].text;
    const bool is_template = name.ends_with("_cast") || quiet_.is_function(name);
    return is_template ? angles_end(open, end) : kNone;
  }

  bool visible(const Variable& variable, size_t at) const {
    if (variable.list == kNone) return true;
    return variable.token < at && at < lists_[variable.list].extent.end;
  }

  // The variable that a name at token `at` stands for, or kNone.
  size_t find(std::string_view name, size_t at) const {
    for (size_t v = variables_.size(); v-- > 0;) {
      if (variables_[v].name == name && visible(variables_[v], at)) return v;
    }
    return kNone;
  }

  // ---- Expressions.

  // What [begin, end) is computed from, if it changes nothing. `at`: where its names are looked up.
  bool read(const Stream& s, Part part, size_t at, Reads& reads, int depth = 0) const {
    for (size_t i = part.begin; i < part.end; ++i) {
      if (++tokens_read_ > kMostTokensRead) return false;
      const Token& token = s[i];
      if (token.kind == Token::Kind::number || token.kind == Token::Kind::character) continue;
      if (token.kind == Token::Kind::punctuator) {
        const bool index = token.is("[") || token.is("]") || token.is("->");
        if (!index && !is_plain_operator(token.text) && !token.is("{") && !token.is("}")) {
          return false;
        }
        const bool one_operand = i == part.begin || takes_one_operand(s, i);
        if (token.is("&") && one_operand) return false;
        const bool of_type = s.is(i + 1, ">") || s.is(i + 1, ")") || s.is(i + 1, "*");
        reads.memory = reads.memory || index || (token.is("*") && one_operand && !of_type);
      } else if (!token.is_identifier() || !read_name(s, i, at, reads, depth)) {
        return false;
      }
    }
    return true;
  }

  bool read_name(const Stream& s, size_t i, size_t at, Reads& reads, int depth) const {
    const std::string_view name = s[i].text;
    const bool calls = s.is(i + 1, "(");
    if (is_member(s, i)) {
      return !calls || quiet_.only_computes(name) ||
             (s.is(i - 1, "::") && is_computing_builtin(name));
    }
    if (name == "threadIdx") {
      reads.thread = true;
      return true;
    }
    if (quiet_.is_macro(name)) {
      bool ok = depth < kDeepestPhaseMacro;
      const bool known = quiet_.visit_macro(name, [&](const Stream& text) {
        ok = ok && read(text, {0, text.size()}, at, reads, depth + 1);
      });
      return known && ok;
    }
    if (const size_t variable = find(name, at); variable != kNone) {
      reads.variables.push_back(variable);
      return true;
    }
    if (is_builtin_type(name) || name == "true" || name == "false" || name == "sizeof" ||
        name.ends_with("_cast") || name == "typename") {
      return true;
    }
    if (is_keyword(name)) return false;
    if (quiet_.is_function(name)) return quiet_.only_computes(name);
    if (calls) {
      reads.mathematics = reads.mathematics || (name != "min" && name != "max");
      return is_computing_builtin(name);
    }
    reads.memory = reads.memory || shared_.contains(name) || quiet_.may_be_memory(name);
    return true;
  }

  bool is_uniform(Part part) const {
    Reads reads;
    if (!read(s_, part, part.begin, reads) || reads.thread) return false;
    return std::ranges::all_of(reads.variables, [&](size_t v) { return variables_[v].uniform; });
  }

  // ---- What changes, and where.

  void find_names() {
    for (Item& item : items_) add_names(item.extent, item.names);
  }

  void add_names(Part part, std::set<std::string_view>& names) const {
    for (size_t i = part.begin; i < part.end; ++i) {
      if (!s_.is_identifier(i)) continue;
      if (!is_member(s_, i)) names.insert(s_[i].text);
      visit_macro(i, [&](const Stream& text) {
        for (const Token& token : text.tokens()) {
          if (token.is_identifier()) names.insert(token.text);
        }
      });
    }
  }

  void find_changes() {
    for (size_t i = body_.begin; i < body_.end; ++i) {
      if (!s_.is_identifier(i) || is_member(s_, i)) continue;
      if (const size_t v = find(s_[i].text, i); v != kNone) {
        if (is_changed_at(i, variables_[v])) variables_[v].changes.push_back(i);
        if (may_be_pointed_to(i, variables_[v])) fail();
      }
      visit_macro(i, [&](const Stream& text) { find_changes_by_macro(text, i); });
    }
  }

  void find_changes_by_macro(const Stream& text, size_t i) {
    bool changes = false;
    for (size_t k = 0; k < text.size(); ++k) {
      const bool address = text.is(k, "&") && (k == 0 || !ends_factor(text, k - 1));
      changes = changes || address || is_assignment(text[k]) || is_step(text[k]);
      const size_t v = text[k].is_identifier() ? find(text[k].text, i) : kNone;
      const bool array = v != kNone && variables_[v].array;
      if (address || (array && !text.is(k + 1, "["))) fail();
    }
    for (const Token& token : text.tokens()) {
      if (!changes || !token.is_identifier()) continue;
      if (const size_t v = find(token.text, i); v != kNone) variables_[v].changes.push_back(i);
    }
  }

  bool is_changed_at(size_t i, const Variable& variable) const {
    if (variable.constant || declares_another(i)) return false;
    if (is_step(s_[i - 1])) return true;
    const bool address = s_.is(i - 1, "&") && takes_one_operand(s_, i - 1);
    const bool of_pointer = s_.is(i + 1, "->") || (s_.is(i + 1, "[") && !variable.array);
    if (address && !of_pointer) return true;
    if (binds_reference(i)) return true;
    // What it points to; not in `*x++`.
    if (s_.is(i - 1, "*") && takes_one_operand(s_, i - 1)) return is_step(s_[i + 1]);
    size_t k = i + 1;
    for (;;) {
      if (s_.is(k, "[")) {
        if (s_.match(k) == kNone) return true;
        // Of a pointer: what it points to.
        if (!variable.array && is_scalar(variable)) return false;
        // Nor is it changed by what a pointer in it points to.
        if (k > i + 1 && quiet_.is_pointer_member(s_[k - 1].text)) return false;
        k = s_.match(k) + 1;
      } else if (s_.is(k, ".") && s_.is_identifier(k + 1)) {
        if (s_.is(k + 2, "(")) return !quiet_.only_computes(s_[k + 1].text);
        k += 2;
      } else {
        break;
      }
    }
    if (is_assignment(s_[k]) || is_step(s_[k]) || is_changed_in_parentheses(i)) return true;
    const bool alone = (s_.is(k, ",") || s_.is(k, ")")) && (s_.is(i - 1, "(") || s_.is(i - 1, ","));
    return (alone || variable.array) && may_be_changed_by_call(i);
  }

  // Whether a pointer into a variable of each thread may be left behind here, which must not live
  // longer than a phase: there the variable is at another place. `&x`, an array that becomes a
  // pointer, a member function, an argument whose address a function may hand back.
  bool may_be_pointed_to(size_t i, const Variable& variable) const {
    if (variable.parameter || i == variable.token || declares_another(i)) return false;
    size_t before = i - 1;
    while (s_.is(before, "(")) --before;
    const bool of_pointer = s_.is(i + 1, "->") || (s_.is(i + 1, "[") && !variable.array);
    if (s_.is(before, "&") && takes_one_operand(s_, before) && !of_pointer) return true;
    size_t k = i + 1, indices = 0;
    for (; s_.is(k, "[") && s_.match(k) != kNone; k = s_.match(k) + 1) ++indices;
    if (variable.pointer && indices > 0) return false;
    if (s_.is(k, ".") && s_.is_identifier(k + 1) && s_.is(k + 2, "(")) return true;
    const bool decays = variable.array && indices < dimensions(variable) && !s_.is(i - 1, ":") &&
                        !s_.is(i - 2, "sizeof");
    return (decays || (indices == 0 && may_be_changed_by_call(i))) && !is_argument_of_statement(i);
  }

  size_t dimensions(const Variable& variable) const {
    size_t count = 0;
    for (size_t k = variable.token + 1; s_.is(k, "[") && s_.match(k) != kNone;
         k = s_.match(k) + 1) {
      ++count;
    }
    return count;
  }

  // `f(x);`, which hands nothing back.
  bool is_argument_of_statement(size_t i) const {
    const size_t open = s_.around(i);
    if (open == kNone || open <= body_.begin || !s_.is(open, "(") || s_.match(open) == kNone) {
      return false;
    }
    const bool whole = s_.is_identifier(open - 1) && s_.is(s_.match(open) + 1, ";");
    const size_t first = open - 2;
    return whole && !is_keyword(s_[open - 1].text) &&
           (s_.is(first, ";") || s_.is(first, "{") || s_.is(first, "}") || s_.is(first, ")"));
  }

  bool is_scalar(const Variable& variable) const {
    if (variable.pointer) return true;
    for (size_t k = variable.specifiers.begin; k < variable.specifiers.end; ++k) {
      const bool builtin = is_builtin_type(s_[k].text) || is_keyword(s_[k].text);
      if (!builtin) return false;
    }
    return true;
  }

  // `int i` where another `i` is visible.
  bool declares_another(size_t i) const {
    return s_.is_identifier(i - 1) && !s_.is(i - 1, "return") && !s_.is(i - 1, "else") &&
           !s_.is(i - 1, "do") && !s_.is(i - 1, "case");
  }

  // `(i) = 1`, `(a ? i : k)++`, and `SAME(i) = 1` with a macro; not `*(x + i) = 1`.
  bool is_changed_in_parentheses(size_t i) const {
    for (size_t open = s_.around(i); open != kNone && open > body_.begin && !s_.is(open, "{");
         open = s_.around(open)) {
      if (s_.is(open, "[")) return false;
      const size_t close = s_.match(open);
      if (close == kNone || s_.is(open - 1, "*")) return false;
      if (!is_assignment(s_[close + 1]) && !is_step(s_[close + 1]) && !is_step(s_[open - 1]))
        continue;
      if (!s_.is_identifier(open - 1)) return true;
      if (is_keyword(s_[open - 1].text) || !quiet_.is_macro(s_[open - 1].text)) return false;
      bool indexes = false;
      visit_macro(open - 1, [&](const Stream& text) {
        for (const Token& token : text.tokens()) indexes = indexes || token.is("[");
      });
      return !indexes;
    }
    return false;
  }

  // Whether the token is in what a reference is bound to: `float& a = x`, `for (float& a : x)`.
  bool binds_reference(size_t i) const {
    constexpr size_t kFarthest = 200;
    for (size_t k = i; k > body_.begin && i - k < kFarthest; --k) {
      if (s_.is(k, ";") || s_.is(k, "}")) return false;
      const bool binds = s_.is(k, "=") || s_.is(k, ":") || s_.is(k, "(") || s_.is(k, "{");
      const bool reference = s_.is(k - 2, "&") || s_.is(k - 2, "&&");
      if (!binds || !reference || !s_.is_identifier(k - 1)) continue;
      // `mask & f(x)` is none.
      if (s_.is(k, "=") || s_.is(k, ":") || follows_type(k - 2)) return true;
    }
    return false;
  }

  bool follows_type(size_t i) const {
    const std::string_view word = s_[i - 1].text;
    const bool begins = s_.is(i - 2, ";") || s_.is(i - 2, "{") || s_.is(i - 2, "}") ||
                        s_.is(i - 2, "const") || s_.is(i - 2, "(");
    return is_builtin_type(word) || word == "auto" || closing_angles(s_[i - 1]) > 0 ||
           (s_.is_identifier(i - 1) && begins);
  }

  // An argument may be given by reference.
  bool may_be_changed_by_call(size_t i) const {
    size_t open = s_.around(i);
    for (; open != kNone && open > body_.begin; open = s_.around(open)) {
      if (s_.is(open, "[")) return false;
      if (s_.is(open, "{") && !s_.is_identifier(open - 1)) return false;
      size_t name = open - 1;
      if (closing_angles(s_[name]) > 0) {
        const size_t angle = template_open(s_, name);
        if (angle == kNone || angle == 0) continue;
        name = angle - 1;
      }
      if (!s_.is_identifier(name)) continue;
      const std::string_view word = s_[name].text;
      if (word == "swap") return true;
      if (is_keyword(word) || is_builtin_type(word) || is_computing_builtin(word)) return false;
      if (is_quiet_builtin(word)) return false;
      if (quiet_.is_macro(word)) return true;
      if (s_.is(open, "{") && !quiet_.is_function(word)) return false;
      if (!quiet_.is_function(word) || quiet_.may_change_arguments(word)) return true;
      const size_t v = find(s_[i].text, i);
      return v != kNone && variables_[v].array && !s_.is(i + 1, "[");
    }
    return false;
  }

  // `a = x, ++b`: false if it is anything else.
  bool read_assignments(Part part, size_t item, std::vector<Assignment>& found) const {
    size_t begin = part.begin;
    for (size_t i = part.begin; i <= part.end; ++i) {
      if (i < part.end && (s_.is(i, "(") || s_.is(i, "[") || s_.is(i, "{"))) {
        i = s_.match(i);
        if (i == kNone) return false;
      }
      if (i < part.end && !s_.is(i, ",")) continue;
      const bool before = is_step(s_[begin]);
      const size_t name = before ? begin + 1 : begin;
      const size_t target = s_.is_identifier(name) ? find(s_[name].text, name) : kNone;
      if (target == kNone) return false;
      if (before || is_step(s_[name + 1])) {
        if (name + (before ? 1 : 2) != i) return false;
        found.push_back({item, target, {}});
      } else if (is_assignment(s_[name + 1])) {
        found.push_back({item, target, {name + 2, i}});
      } else {
        return false;
      }
      begin = i + 1;
    }
    return true;
  }

  // Statements and parts of headers that give values to variables and do nothing else.
  void find_assignments() {
    std::set<size_t> outside;  // tokens of variables that are changed by them
    const auto take = [&](Part part, size_t item, bool must) {
      std::vector<Assignment> found;
      if (part.empty()) return;
      if (!read_assignments(part, item, found)) {
        if (must) fail();
        return;
      }
      assignments_.insert(assignments_.end(), found.begin(), found.end());
      for (size_t i = part.begin; i < part.end; ++i) outside.insert(i);
    };
    for (size_t i = 0; i < items_.size(); ++i) {
      const Item& item = items_[i];
      if (item.kind == Item::Kind::statement && !s_.is(item.extent.begin, ";")) {
        take({item.extent.begin, item.extent.end - 1}, i, false);
      }
      for (const Part& part : item.assigns) take(part, i, true);
    }
    for (Variable& variable : variables_) {
      variable.changes_in_phases =
          !std::ranges::all_of(variable.changes, [&](size_t at) { return outside.contains(at); });
    }
  }

  // ---- What is uniform: the most that can be.

  void find_uniform() {
    for (Variable& variable : variables_) {
      variable.uniform = !variable.changes_in_phases && !variable.array && !variable.reference;
      if (variable.constexpr_) variable.uniform = true;
    }
    bool changed = true;
    const auto drop = [&](Variable& variable) {
      changed = changed || variable.uniform;
      variable.uniform = false;
    };
    while (changed) {
      changed = false;
      for (Variable& variable : variables_) {
        if (variable.parameter || variable.constexpr_ || !variable.uniform) continue;
        Reads reads;
        const bool computed =
            read_value(variable, reads) && !reads.thread &&
            std::ranges::all_of(reads.variables, [&](size_t v) { return variables_[v].uniform; });
        variable.reads_memory = reads.memory;
        if (!computed || (variable.value.empty() && variable.changes.empty())) drop(variable);
      }
      for (size_t i = 0; i < items_.size(); ++i) {
        std::vector<Assignment> of_item;
        std::ranges::copy_if(assignments_, std::back_inserter(of_item),
                             [&](const Assignment& each) { return each.item == i; });
        const bool once = std::ranges::all_of(of_item, [&](const Assignment& each) {
          return variables_[each.target].uniform && is_uniform(each.value);
        });
        for (const Assignment& each : of_item) {
          if (!once) drop(variables_[each.target]);
        }
        // A declaration stays in one piece.
        const std::vector<size_t>& declared = items_[i].variables;
        if (std::ranges::all_of(declared, [&](size_t v) { return variables_[v].uniform; }))
          continue;
        for (const size_t v : declared) {
          if (variables_[v].uniform && must_stand_outside(variables_[v])) drop(variables_[v]);
        }
      }
    }
  }

  // The value itself, without `=`.
  bool read_value(const Variable& variable, Reads& reads) const {
    Part value = variable.value;
    if (!value.empty() && s_.is(value.begin, "=")) ++value.begin;
    return read(s_, value, variable.token, reads);
  }

  // Others are computed before the phase that declares them, too.
  static bool must_stand_outside(const Variable& variable) {
    return variable.constexpr_ || !variable.changes.empty() || variable.reads_memory ||
           variable.value.empty();
  }

  // Decides which statements stand outside of phases. What is around barriers must be uniform.
  void place() {
    for (size_t i = 0; i < items_.size() && ok_; ++i) {
      Item& item = items_[i];
      if (item.kind == Item::Kind::control) {
        for (const Part& part : item.asks) {
          if (!is_uniform(part)) fail();
        }
        for (const size_t v : item.variables) {
          if (!variables_[v].uniform) fail();
        }
      } else if (item.kind == Item::Kind::declaration) {
        const auto uniform = [&](size_t v) { return variables_[v].uniform; };
        const auto outside = [&](size_t v) { return must_stand_outside(variables_[v]); };
        if (std::ranges::all_of(item.variables, uniform) &&
            std::ranges::any_of(item.variables, outside)) {
          item.kind = Item::Kind::outside;
        }
      }
    }
    for (const Assignment& each : assignments_) {
      Item& item = items_[each.item];
      if (variables_[each.target].uniform) {
        if (item.kind == Item::Kind::statement) item.kind = Item::Kind::outside;
      } else if (item.kind == Item::Kind::control) {
        fail();
      }
    }
    // A parameter of its own for each thread.
    for (const Variable& variable : variables_) {
      if (variable.parameter && !variable.uniform) fail();
    }
  }

  // ---- Phases.

  static bool in_phase(const Item& item) {
    return item.kind == Item::Kind::statement || item.kind == Item::Kind::declaration;
  }

  void form_phases() {
    bool open = false;
    for (size_t i = 0; i < items_.size(); ++i) {
      const Item& item = items_[i];
      if (!in_phase(item)) {
        open = false;
        continue;
      }
      if (!open || phases_.back().list != item.list ||
          phases_.back().extent.end != item.extent.begin) {
        phases_.push_back({i, i, item.list, item.extent, false, {}});
      }
      open = true;
      Phase& phase = phases_.back();
      phase.last = i;
      phase.extent.end = item.extent.end;
      phase.names.insert(item.names.begin(), item.names.end());
      for (const size_t v : item.variables) variables_[v].phase = phases_.size() - 1;
    }
    for (size_t p = 0; p < phases_.size(); ++p) {
      Phase& phase = phases_[p];
      for (size_t i = phase.extent.begin; i < phase.extent.end; ++i) {
        phase.returns = phase.returns || s_.is(i, "return");
      }
      if (phase.returns && (phase.list != 0 || phase.last + 1 != items_.size())) fail();
    }
  }

  // Which variables are computed again, kept, or computed for the block.
  void choose() {
    for (size_t v = 0; v < variables_.size() && ok_; ++v) {
      Variable& variable = variables_[v];
      if (variable.phase == kNone) continue;
      Reads reads;
      const bool computed = read_value(variable, reads);
      variable.needs = reads.variables;
      variable.recomputed =
          computed && !variable.uniform && !reads.memory && !reads.mathematics && !variable.array &&
          !variable.reference && !variable.value.empty() && variable.changes.empty() &&
          std::ranges::all_of(reads.variables, [&](size_t need) { return is_stable(need); });
    }
    for (size_t v = 0; v < variables_.size() && ok_; ++v) {
      Variable& variable = variables_[v];
      // What follows may depend on whether a thread has returned.
      if (variable.phase == kNone || phases_[variable.phase].returns) continue;
      variable.used_elsewhere = is_used_elsewhere(variable) || (variable.uniform && is_needed(v));
      variable.kept = variable.used_elsewhere && !variable.uniform && !variable.recomputed;
    }
    for (const Variable& variable : variables_) {
      if (variable.kept && !can_be_kept(variable)) fail();
    }
  }

  bool is_stable(size_t v) const {
    const Variable& variable = variables_[v];
    return variable.changes.empty() && (variable.uniform || variable.recomputed);
  }

  // Also where it is needed to compute another again.
  bool is_used_elsewhere(const Variable& variable) const {
    for (size_t i = 0; i < items_.size(); ++i) {
      const Item& item = items_[i];
      const bool own = phases_[variable.phase].first <= i && i <= phases_[variable.phase].last;
      if (own || !visible(variable, item.extent.begin)) continue;
      if (item.names.contains(variable.name)) return true;
    }
    // A type may need it.
    return variable.uniform && is_used_by_declarators(variable);
  }

  // To compute another before its phase, or again.
  bool is_needed(size_t v) const {
    return std::ranges::any_of(variables_, [&](const Variable& other) {
      return std::ranges::find(other.needs, v) != other.needs.end();
    });
  }

  // All that is declared, without the name.
  std::vector<size_t> type_tokens(const Variable& variable) const {
    std::vector<size_t> tokens;
    for (const Part& part : {variable.specifiers, variable.declarator}) {
      for (size_t k = part.begin; k < part.end; ++k) {
        if (k != variable.token && !s_.is(k, "__restrict__")) tokens.push_back(k);
      }
    }
    return tokens;
  }

  bool is_used_by_declarators(const Variable& variable) const {
    for (const Variable& other : variables_) {
      for (const size_t k : type_tokens(other)) {
        if (s_[k].text == variable.name) return true;
      }
    }
    return false;
  }

  // A parameter of the kernel's template is taken for a type that is.
  bool is_copied_bit_by_bit(std::string_view type) const {
    if (quiet_.is_copied_bit_by_bit(type)) return true;
    for (size_t i = lists_[0].extent.begin; i-- > 1 && !s_.is(i, ";") && !s_.is(i, "}");) {
      const bool is_parameter = s_.is(i - 1, "class") || s_.is(i - 1, "typename");
      if (is_parameter && s_[i].text == type) return true;
    }
    return false;
  }

  bool can_be_kept(const Variable& variable) const {
    if (variable.automatic || variable.reference) return false;
    const size_t first = phases_[variable.phase].first;
    const size_t before = items_[first].list == 0 ? first : top_of(first);
    for (const size_t k : type_tokens(variable)) {
      if (!s_.is_identifier(k)) continue;
      const std::string_view word = s_[k].text;
      if (inner_types_.contains(word)) return false;
      const bool of_value = variable.specifiers.holds(k) && !variable.pointer;
      if (of_value && !is_copied_bit_by_bit(word)) return false;
      if (of_value && s_.is(k + 1, "::")) return false;
      const size_t used = find(word, k);
      if (used == kNone) continue;
      const Variable& needed = variables_[used];
      if (!needed.uniform || !needed.changes.empty() || needed.list != 0) return false;
      const bool earlier = needed.token < items_[before].extent.begin;
      if (needed.parameter || (!earlier && needed.phase != variable.phase)) return false;
    }
    return true;
  }

  // The statement of the kernel's own list that an item is in: its control statement.
  size_t top_of(size_t item) const {
    size_t list = items_[item].list;
    while (lists_[list].around != 0) list = lists_[list].around;
    const size_t inside = lists_[list].extent.begin;
    for (size_t i = item + 1; i-- > 0;) {
      if (items_[i].list == 0 && items_[i].extent.begin <= inside) return i;
    }
    return 0;
  }

  // ---- The new text.

  std::string text_of(Part part) const {
    std::string text;
    for (size_t i = part.begin; i < part.end; ++i) {
      const ThreadSum sum = sum_at(i, part);
      if (sum.begin != kNone) {
        text +=
            sum.thread_first ? "::convkit::simt::thread_plus(" : "::convkit::simt::plus_thread(";
        text += text_of({sum.begin, sum.plus}) + ", " + text_of({sum.plus + 1, sum.end}) + ")";
        i = sum.end - 1;
        continue;
      }
      text += s_[i].text;
      if (s_[i].end != s_[i + 1].begin) text += " ";
    }
    return text;
  }

  // The sum that begins at `i`.
  ThreadSum sum_at(size_t i, Part part) const {
    for (size_t k = i; k < part.end && k < i + 10; ++k) {
      if (!s_.is(k, "threadIdx")) continue;
      const ThreadSum sum = thread_sum_around(s_, k, quiet_);
      if (sum.begin == i && sum.end <= part.end && part.begin < i) return sum;
    }
    return {};
  }

  std::string declaration(const Variable& variable) const {
    std::string text = text_of(variable.specifiers);
    if (!text.ends_with(" ")) text += " ";
    return text + text_of(variable.declarator) + text_of(variable.value) + "; ";
  }

  std::string type_of(const Variable& variable) const {
    std::string text;
    for (const size_t k : type_tokens(variable)) text += std::string(s_[k].text) + " ";
    text.pop_back();
    return text;
  }

  std::string store(size_t v) const {
    return "convkit_" + std::string(variables_[v].name) + "_" + std::to_string(v);
  }

  // The variables of other phases that a phase needs, in the order of the text.
  std::set<size_t> needed_by(size_t p) const {
    std::set<size_t> needed;
    for (size_t v = 0; v < variables_.size(); ++v) {
      const Variable& variable = variables_[v];
      const bool used =
          phases_[p].names.contains(variable.name) && visible(variable, phases_[p].extent.begin);
      if (used) need(v, p, needed);
    }
    return needed;
  }

  void need(size_t v, size_t p, std::set<size_t>& needed) const {
    const Variable& variable = variables_[v];
    if (variable.phase == kNone || variable.phase == p) return;
    if (variable.recomputed) {
      for (const size_t other : variable.needs) need(other, p, needed);
    }
    if (variable.recomputed || variable.kept) needed.insert(v);
  }

  std::string beginning(size_t p) const {
    std::string text;
    for (const size_t v : needed_by(p)) {
      const Variable& variable = variables_[v];
      text += "[[maybe_unused]] ";
      if (variable.recomputed) {
        text += declaration(variable);
      } else {
        text += "::convkit::simt::LocalOf<" + type_of(variable) + "> " +
                std::string(variable.name) + " = " + store(v) + "[convkit_thread]; ";
      }
    }
    return text;
  }

  std::string ending(size_t p) const {
    std::string text;
    for (size_t v = 0; v < variables_.size(); ++v) {
      const Variable& variable = variables_[v];
      const std::string name(variable.name);
      if (variable.phase == p) {
        if (variable.kept) text += store(v) + ".keep_value(convkit_thread, " + name + "); ";
        if (!variable.kept && variable.used_elsewhere) text += "static_cast<void>(" + name + "); ";
      } else if (variable.kept && std::ranges::any_of(variable.changes, [&](size_t at) {
                   return phases_[p].extent.holds(at);
                 })) {
        text += store(v) + ".put_value(convkit_thread, " + name + "); ";
      }
    }
    return text;
  }

  const Stream& s_;
  const QuietCode& quiet_;
  Part body_;
  bool ok_ = true, asks_for_thread_ = false;
  size_t barriers_ = 0;
  mutable size_t tokens_read_ = 0;
  std::vector<List> lists_;
  std::vector<Item> items_;
  std::vector<Variable> variables_;
  std::set<std::string_view> shared_, inner_types_;
  std::vector<Assignment> assignments_;
  std::vector<Phase> phases_;
};

void Kernel::rewrite(Edits& edits) const {
  // What stands behind each token, in this order.
  std::map<size_t, std::array<std::string, 4>> behind;
  for (size_t p = 0; p < phases_.size(); ++p) {
    const Phase& phase = phases_[p];
    const std::string last = phase.returns ? "LAST_" : "";
    const size_t before = phase.extent.begin - 1;
    behind[phase.extent.end - 1][0] += " CONVKIT_SIMT_END_" + last + "PHASE(" + ending(p) + ")";
    behind[before][3] += " CONVKIT_SIMT_" + last + "PHASE(" + beginning(p) + ")";
  }
  for (size_t v = 0; v < variables_.size(); ++v) {
    const Variable& variable = variables_[v];
    if (variable.phase == kNone) continue;
    const Phase& phase = phases_[variable.phase];
    if (variable.uniform && variable.used_elsewhere) {
      behind[phase.extent.begin - 1][1] += " CONVKIT_SIMT_COPY(" + declaration(variable) + ")";
    }
    if (!variable.kept) continue;
    const size_t first =
        phase.list == 0 ? phase.extent.begin : items_[top_of(phase.first)].extent.begin;
    behind[first - 1][2] += " CONVKIT_SIMT_KEEP(" + store(v) + ", " + type_of(variable) + ")";
  }
  edits.insert(s_[body_.begin - 1].end, " CONVKIT_SIMT_PHASES");
  for (const auto& [token, texts] : behind) {
    for (const std::string& text : texts) {
      if (!text.empty()) edits.insert(s_[token].end, text);
    }
  }
  for (const Item& item : items_) {
    if (item.kind == Item::Kind::barrier)
      edits.replace(s_[item.extent.begin], "CONVKIT_SIMT_BARRIER");
  }
  for (size_t i = body_.begin; i < body_.end; ++i) {
    const ThreadSum sum = thread_sum_around(s_, i, quiet_);
    if (sum.begin == kNone) continue;
    edits.insert(s_[sum.begin].begin, sum.thread_first ? "::convkit::simt::thread_plus("
                                                       : "::convkit::simt::plus_thread(");
    edits.replace(s_[sum.plus], ",");
    edits.insert(s_[sum.end - 1].end, ")");
  }
  edits.insert(s_[body_.end].begin, "CONVKIT_SIMT_END_PHASES ");
}

}  // namespace

void rewrite_phases(const Stream& s, size_t parameters, size_t body, const QuietCode& quiet,
                    Edits& edits) {
  const Kernel kernel(s, parameters, body, quiet);
  if (kernel.ok()) kernel.rewrite(edits);
}

}  // namespace convkit::rewrite
