// SPDX-License-Identifier: MIT
// Where the variables of a kernel change.
#include "cpu_device/rewrite/expression.h"
#include "cpu_device/rewrite/kernel_body.h"

namespace convkit::rewrite {
namespace {

class Changes {
 public:
  explicit Changes(KernelBody& kernel) : s_(kernel.code), quiet_(kernel.quiet), k_(kernel) {}

  bool find() {
    for (size_t i = k_.extent.begin; i < k_.extent.end; ++i) {
      if (!s_.is_identifier(i) || is_qualified(s_, i)) continue;
      if (const size_t v = k_.find(s_[i].text, i); v != kNone) {
        if (is_changed_at(i, k_.variables[v])) k_.variables[v].changes.push_back(i);
        if (may_be_pointed_to(i, k_.variables[v])) fail();
      }
      k_.visit_macro(i, [&](const Stream& text) { find_in_macro(text, i); });
    }
    return ok_;
  }

 private:
  void fail() { ok_ = false; }

  void find_in_macro(const Stream& text, size_t i) {
    bool changes = false;
    for (size_t k = 0; k < text.size(); ++k) {
      const bool address = text.is(k, "&") && (k == 0 || !ends_factor(text, k - 1));
      changes = changes || address || is_assignment(text[k]) || is_step(text[k]);
      const size_t v = text[k].is_identifier() ? k_.find(text[k].text, i) : kNone;
      const bool array = v != kNone && k_.variables[v].array;
      if (address || (array && !text.is(k + 1, "["))) fail();
    }
    for (const Token& token : text.tokens()) {
      if (!changes || !token.is_identifier()) continue;
      if (const size_t v = k_.find(token.text, i); v != kNone) k_.variables[v].changes.push_back(i);
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
    if (open == kNone || open <= k_.extent.begin || !s_.is(open, "(") || s_.match(open) == kNone) {
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
    for (size_t open = s_.around(i); open != kNone && open > k_.extent.begin && !s_.is(open, "{");
         open = s_.around(open)) {
      if (s_.is(open, "[")) return false;
      const size_t close = s_.match(open);
      if (close == kNone || s_.is(open - 1, "*")) return false;
      if (!is_assignment(s_[close + 1]) && !is_step(s_[close + 1]) && !is_step(s_[open - 1]))
        continue;
      if (!s_.is_identifier(open - 1)) return true;
      if (is_keyword(s_[open - 1].text) || !quiet_.is_macro(s_[open - 1].text)) return false;
      bool indexes = false;
      k_.visit_macro(open - 1, [&](const Stream& text) {
        for (const Token& token : text.tokens()) indexes = indexes || token.is("[");
      });
      return !indexes;
    }
    return false;
  }

  // Whether the token is in what a reference is bound to: `float& a = x`, `for (float& a : x)`.
  bool binds_reference(size_t i) const {
    constexpr size_t kFarthest = 200;
    for (size_t k = i; k > k_.extent.begin && i - k < kFarthest; --k) {
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
    for (; open != kNone && open > k_.extent.begin; open = s_.around(open)) {
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
      const size_t v = k_.find(s_[i].text, i);
      return v != kNone && k_.variables[v].array && !s_.is(i + 1, "[");
    }
    return false;
  }

  const Stream& s_;
  const QuietCode& quiet_;
  KernelBody& k_;
  bool ok_ = true;
};

}  // namespace

bool find_changes(KernelBody& kernel) {
  return Changes(kernel).find();
}

}  // namespace convkit::rewrite
