// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/kernel_body.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

// More tokens of expressions are not read: the time must not depend on how macros multiply.
constexpr size_t kMostTokensRead = 1 << 20;

bool leaves(const Token& token) {
  return token.is("return") || token.is("break") || token.is("continue") || token.is("goto");
}

class Reader {
 public:
  explicit Reader(KernelBody& kernel) : s_(kernel.code), quiet_(kernel.quiet), k_(kernel) {}

  bool read_kernel(size_t parameters) {
    k_.lists.push_back({k_.extent, kNone});
    ok_ = is_plain_text();
    read_parameters(parameters);
    if (ok_) read_list(k_.extent, 0);
    ok_ = ok_ && barriers_ > 0 && asks_for_thread_;
    if (ok_) find_names();
    return ok_;
  }

 private:
  void fail() { ok_ = false; }

  // ---- The text.

  bool is_plain_text() {
    for (size_t i = k_.extent.begin; i < k_.extent.end; ++i) {
      if (!s_[i].decided || s_.is(i, "goto")) return false;
      if (s_.is(i, "[") && !indexes(i)) return false;  // a lambda
      if (s_.is(i, "threadIdx")) asks_for_thread_ = true;
      bool plain = true;
      k_.visit_macro(i, [&](const Stream& text) {
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
        k_.variables.push_back(variable);
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
    if (i >= k_.extent.end) return kNone;
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
    for (; i < k_.extent.end; ++i) {
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
    k_.items.push_back(std::move(item));
    return k_.items.size() - 1;
  }

  void read_statement(Part part, size_t list) {
    const size_t i = part.begin;
    if (s_.is(i, "__syncthreads")) {
      if (!s_.is(i + 1, "(") || i + 4 != part.end) return fail();
      ++barriers_;
      add_item(Item::Kind::barrier, part, list);
    } else if (has_barrier(part)) {
      read_control(part, list);
    } else if (!k_.lists[list].braced) {
      fail();
    } else if (s_.is(i, "using") || s_.is(i, "typedef") || s_.is(i, "static_assert")) {
      add_item(Item::Kind::outside, part, list);
      // What is kept is declared outside of loops, where such a name is not known.
      if (list != 0) k_.inner_types.insert(s_[s_.is(i, "using") ? i + 1 : part.end - 2].text);
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
    for (size_t i = k_.items[item].extent.begin; i < k_.items[item].extent.end; ++i) {
      const bool names = s_.is(i + 1, "[") || s_.is(i + 1, ",") || s_.is(i + 1, ";");
      // The name of an array alone reads nothing.
      if (s_.is(i + 1, "[")) continue;
      if (s_.is_identifier(i) && names && s_.around(i) == s_.around(k_.items[item].extent.begin)) {
        k_.shared.insert(s_[i].text);
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
      k_.items[item].asks.push_back({i + 2, close});
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
    const size_t inner = k_.lists.size();
    k_.lists.push_back({{begin, part.end}, list, braced});
    for (Variable& variable : k_.variables) {
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
      if (k_.items[item].variables.empty()) k_.items[item].assigns.push_back(first);
    }
    k_.items[item].asks.push_back({semicolons[0] + 1, semicolons[1]});
    k_.items[item].assigns.push_back({semicolons[1] + 1, header.end});
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
    if (k_.items[item].kind == Item::Kind::statement) k_.items[item].kind = Item::Kind::declaration;
    for (Variable& variable : declared) {
      // A name that hides another would have to be told from it everywhere.
      for (const Variable& other : k_.variables) {
        if (other.name == variable.name && k_.visible(other, variable.token)) fail();
      }
      k_.items[item].variables.push_back(k_.variables.size());
      k_.variables.push_back(std::move(variable));
    }
  }

  // Of macros among the specifiers only those that stand for a built-in type are understood.
  bool are_types(Part specifiers) const {
    bool ok = true;
    for (size_t i = specifiers.begin; i < specifiers.end; ++i) {
      k_.visit_macro(i, [&](const Stream& text) {
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

  void find_names() {
    for (Item& item : k_.items) add_names(item.extent, item.names);
  }

  void add_names(Part part, std::set<std::string_view>& names) const {
    for (size_t i = part.begin; i < part.end; ++i) {
      if (!s_.is_identifier(i)) continue;
      if (!is_qualified(s_, i)) names.insert(s_[i].text);
      k_.visit_macro(i, [&](const Stream& text) {
        for (const Token& token : text.tokens()) {
          if (token.is_identifier()) names.insert(token.text);
        }
      });
    }
  }

  const Stream& s_;
  const QuietCode& quiet_;
  KernelBody& k_;
  bool ok_ = true, asks_for_thread_ = false;
  size_t barriers_ = 0;
};

}  // namespace

bool is_assignment(const Token& token) {
  static constexpr auto kOperators = std::to_array<std::string_view>(
      {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="});
  return std::ranges::find(kOperators, token.text) != kOperators.end();
}

bool is_step(const Token& token) {
  return token.is("++") || token.is("--");
}

bool is_qualified(const Stream& s, size_t i) {
  return i > 0 && (s.is(i - 1, ".") || s.is(i - 1, "->") || s.is(i - 1, "::"));
}

bool takes_one_operand(const Stream& s, size_t i) {
  if (i == 0) return true;
  if (s.is(i - 1, ")") && s.match(i - 1) != kNone && s.match(i - 1) > 0) {
    const Token& before = s[s.match(i - 1) - 1];
    if (before.is("if") || before.is("while") || before.is("for")) return true;
  }
  return !ends_factor(s, i - 1) && !s.is(i - 1, "]");
}

bool KernelBody::visible(const Variable& variable, size_t at) const {
  if (variable.list == kNone) return true;
  return variable.token < at && at < lists[variable.list].extent.end;
}

size_t KernelBody::find(std::string_view name, size_t at) const {
  for (size_t v = variables.size(); v-- > 0;) {
    if (variables[v].name == name && visible(variables[v], at)) return v;
  }
  return kNone;
}

bool KernelBody::read(const Stream& s, Part part, size_t at, Reads& reads, int depth) const {
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

bool KernelBody::read_name(const Stream& s, size_t i, size_t at, Reads& reads, int depth) const {
  const std::string_view name = s[i].text;
  const bool calls = s.is(i + 1, "(");
  if (is_qualified(s, i)) {
    return !calls || quiet.only_computes(name) || (s.is(i - 1, "::") && is_computing_builtin(name));
  }
  if (name == "threadIdx") {
    reads.thread = true;
    return true;
  }
  if (quiet.is_macro(name)) {
    bool ok = depth < kDeepestMacro;
    const bool known = quiet.visit_macro(name, [&](const Stream& text) {
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
  if (quiet.is_function(name)) return quiet.only_computes(name);
  if (calls) {
    reads.mathematics = reads.mathematics || (name != "min" && name != "max");
    return is_computing_builtin(name);
  }
  reads.memory = reads.memory || shared.contains(name) || quiet.may_be_memory(name);
  return true;
}

bool KernelBody::read_value(const Variable& variable, Reads& reads) const {
  Part value = variable.value;
  if (!value.empty() && code.is(value.begin, "=")) ++value.begin;
  return read(code, value, variable.token, reads);
}

std::vector<size_t> KernelBody::type_tokens(const Variable& variable) const {
  std::vector<size_t> tokens;
  for (const Part& part : {variable.specifiers, variable.declarator}) {
    for (size_t k = part.begin; k < part.end; ++k) {
      if (k != variable.token && !code.is(k, "__restrict__")) tokens.push_back(k);
    }
  }
  return tokens;
}

std::optional<KernelBody> read_kernel_body(const Stream& code, size_t parameters, size_t body,
                                           const QuietCode& quiet) {
  KernelBody kernel(code, quiet, {body + 1, code.match(body)});
  if (!Reader(kernel).read_kernel(parameters)) return {};
  return kernel;
}

}  // namespace convkit::rewrite
