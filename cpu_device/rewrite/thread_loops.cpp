// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/thread_loops.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "cpu_device/rewrite/expression.h"
#include "cpu_device/rewrite/quiet_code.h"
#include "cpu_device/rewrite/stream.h"

namespace convkit::rewrite {
namespace {

// The conditions at the beginning of a kernel under which a thread has nothing to do:
// `if (i >= n) return;`, or `if (i < n)` before all that is left of the body. They are computed
// from the indices and the arguments alone, so they can be evaluated for all threads beforehand.

struct ThreadGuard {
  size_t open = kNone, close = kNone;  // the parentheses of the condition
  bool leaves = true;                  // where it is true the thread returns; else it goes on
  // The statement that it decides about: `return;` or `{ return; }`, or what the thread goes on to.
  size_t first = kNone, last = kNone;
};

// An expression of indices, arguments and constants: it reads no memory through a pointer, calls
// nothing but min() and max(), and changes nothing.
bool is_plain(const Stream& s, size_t begin, size_t end, const QuietCode& quiet, int depth = 0) {
  for (size_t i = begin; i < end; ++i) {
    const Token& token = s[i];
    if (!token.decided) return false;
    if (token.kind == Token::Kind::number) continue;
    if (token.kind == Token::Kind::punctuator) {
      if (!is_plain_operator(token.text)) return false;
      const bool needs_factor = token.is("*") || token.is("&");
      if (needs_factor && (i == begin || !ends_factor(s, i - 1))) return false;
      continue;
    }
    if (!token.is_identifier()) return false;
    if (quiet.is_macro(token.text)) {
      bool plain = depth < kDeepestMacro && !s.is(i + 1, "(");
      const bool known = quiet.visit_macro(token.text, [&](const Stream& text) {
        plain = plain && is_plain(text, 0, text.size(), quiet, depth + 1);
      });
      if (!known || !plain) return false;
    } else if (s.is(i + 1, "(")) {
      const bool computes = token.is("min") || token.is("max") || is_builtin_type(token.text);
      if (!computes) return false;
    }
  }
  return true;
}

// `const int i = expression, j = expression`
bool is_plain_declaration(const Stream& s, size_t begin, size_t end, const QuietCode& quiet) {
  const bool has_type =
      is_builtin_type(s[begin].text) || s.is(begin, "auto") || s.is(begin, "constexpr");
  if (!has_type || quiet.is_macro(s[begin].text)) return false;
  size_t first = begin;
  for (size_t i = begin; i <= end; ++i) {
    if (i < end && !s.is(i, "=")) continue;
    if (!is_plain(s, first, i, quiet)) return false;
    first = i + 1;
  }
  return true;
}

// The `;` that ends the statement at `i`, or kNone.
size_t semicolon(const Stream& s, size_t i, size_t end) {
  for (; i < end; ++i) {
    if (s.is(i, ";")) return i;
    if (s.is(i, "{") || s.is(i, "}") || s.is(i, "else")) return kNone;
    if ((s.is(i, "(") || s.is(i, "[")) && s.match(i) != kNone) i = s.match(i);
  }
  return kNone;
}

// What follows the condition, up to the end of the body: nothing else may.
bool read_rest(const Stream& s, size_t end, ThreadGuard& guard) {
  guard.leaves = false;
  guard.last = s.is(guard.first, "{") ? s.match(guard.first) : semicolon(s, guard.first, end);
  if (guard.last == kNone || guard.last + 1 != end) return false;
  for (size_t i = guard.first; i <= guard.last; ++i) {
    if (!s[i].decided) return false;
  }
  return true;
}

bool read_return(const Stream& s, ThreadGuard& guard) {
  const bool braced = s.is(guard.first, "{");
  const size_t at = guard.first + (braced ? 1 : 0);
  if (!s.is(at, "return") || !s.is(at + 1, ";") || (braced && !s.is(at + 2, "}"))) return false;
  guard.last = at + (braced ? 2 : 1);
  return !s.is(guard.last + 1, "else");
}

// In the order of the text; all but the last one leave.
std::vector<ThreadGuard> find_thread_guards(const Stream& s, size_t body, const QuietCode& quiet) {
  std::vector<ThreadGuard> guards;
  const size_t end = s.match(body);
  for (size_t i = body + 1; i < end;) {
    if (!s.is(i, "if")) {
      const size_t last = semicolon(s, i, end);
      if (last == kNone || last == i || !is_plain_declaration(s, i, last, quiet)) break;
      i = last + 1;
      continue;
    }
    ThreadGuard guard;
    guard.open = i + 1;
    guard.close = s.is(i + 1, "(") ? s.match(i + 1) : kNone;
    if (guard.close == kNone || !is_plain(s, guard.open + 1, guard.close, quiet)) break;
    guard.first = guard.close + 1;
    if (read_return(s, guard)) {
      guards.push_back(guard);
      i = guard.last + 1;
      continue;
    }
    if (read_rest(s, end, guard)) guards.push_back(guard);
    break;
  }
  return guards;
}

bool is_x_of(const Stream& s, size_t i, std::string_view variable) {
  return s.is(i, variable) && s.is(i + 1, ".") && s.is(i + 2, "x");
}

bool is_one_of(const Stream& s, size_t i, std::initializer_list<std::string_view> texts) {
  return std::any_of(texts.begin(), texts.end(), [&](auto text) { return s.is(i, text); });
}

// Otherwise every thread does the same, and most often there is one.
bool asks_for_thread(const Stream& s, size_t begin, size_t end, const QuietCode& quiet,
                     int depth = 0) {
  for (size_t i = begin; i < end; ++i) {
    if (s.is(i, "threadIdx")) return true;
    if (depth == kDeepestMacro) continue;
    bool asks = false;
    quiet.visit_macro(s[i].text, [&](const Stream& text) {
      asks = asks || asks_for_thread(text, 0, text.size(), quiet, depth + 1);
    });
    if (asks) return true;
  }
  return false;
}

class SumFinder {
 public:
  SumFinder(const Stream& stream, const QuietCode& quiet) : s_(stream), quiet_(quiet) {}

  // Around the `threadIdx` at `i`.
  ThreadSum around(size_t i) const {
    if (!is_x_of(s_, i, "threadIdx") || i < 2) return {};
    const ThreadSum before{product_begin(i - 1), i - 1, i + 3, false};
    if (s_.is(i - 1, "+") && stands_alone(before)) return before;
    const ThreadSum after{i, i + 3, product_end(i + 4), true};
    return s_.is(i + 3, "+") && stands_alone(after) ? after : ThreadSum{};
  }

 private:
  bool stands_alone(const ThreadSum& sum) const {
    return sum.begin != kNone && sum.end != kNone && sum.begin > 0 &&
           is_one_of(s_, sum.begin - 1, {"=", "(", ",", "[", "return"}) &&
           is_one_of(s_, sum.end, {";", ")", ",", "]", "+", "-", "<", ">", "<=", ">=", "=="});
  }

  bool is_factor(size_t i) const {
    if (i >= s_.size()) return false;
    if (s_[i].kind == Token::Kind::number) return true;
    if (!s_.is_identifier(i) || is_keyword(s_[i].text)) return false;
    if (!quiet_.is_macro(s_[i].text)) return true;
    bool is_one_token = true;
    const bool known = quiet_.visit_macro(
        s_[i].text, [&](const Stream& text) { is_one_token = is_one_token && text.size() == 1; });
    return known && is_one_token;
  }

  bool is_variable(size_t i) const {
    return is_x_of(s_, i, "blockIdx") || is_x_of(s_, i, "blockDim");
  }

  // Behind the factor at `i`, or kNone.
  size_t factor_end(size_t i) const {
    if (is_variable(i)) return i + 3;
    return is_factor(i) && !s_.is(i + 1, ".") ? i + 1 : kNone;
  }

  size_t factor_begin(size_t end) const {
    if (end >= 3 && is_variable(end - 3)) return end - 3;
    return end >= 1 && is_factor(end - 1) && !is_one_of(s_, end - 2, {".", "->", "::"}) ? end - 1
                                                                                        : kNone;
  }

  size_t product_end(size_t i) const {
    const size_t middle = factor_end(i);
    if (middle == kNone || !s_.is(middle, "*")) return kNone;
    const size_t end = factor_end(middle + 1);
    return end != kNone && has_block(i, end) ? end : kNone;
  }

  size_t product_begin(size_t end) const {
    const size_t middle = factor_begin(end);
    if (middle == kNone || middle == 0 || !s_.is(middle - 1, "*")) return kNone;
    const size_t begin = factor_begin(middle - 1);
    return begin != kNone && has_block(begin, end) ? begin : kNone;
  }

  bool has_block(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      if (s_.is(i, "blockIdx")) return true;
    }
    return false;
  }

  const Stream& s_;
  const QuietCode& quiet_;
};

void rewrite_guards(const Stream& s, const std::vector<ThreadGuard>& guards, Edits& edits) {
  for (const ThreadGuard& guard : guards) {
    edits.insert(s[guard.open].end,
                 guard.leaves ? "CONVKIT_SIMT_FAILS (" : "CONVKIT_SIMT_PASSES (");
    edits.insert(s[guard.close].begin, ")");
  }
  const ThreadGuard& last = guards.back();
  if (last.leaves) {
    edits.insert(s[last.last].end, " CONVKIT_SIMT_PASSED");
  } else if (s.is(last.first, "{")) {
    edits.insert(s[last.first].end, " CONVKIT_SIMT_PASSED");
  } else {
    edits.insert(s[last.first].begin, "{ CONVKIT_SIMT_PASSED ");
    edits.insert(s[last.last].end, " }");
  }
}

void rewrite_kernel(const Stream& s, size_t body, const QuietCode& quiet, Edits& edits) {
  const size_t end = s.match(body);
  const std::vector<ThreadGuard> guards = find_thread_guards(s, body, quiet);
  edits.insert(s[body].end,
               guards.empty() ? " CONVKIT_SIMT_THREADS" : " CONVKIT_SIMT_GUARDED_THREADS");
  if (!guards.empty()) rewrite_guards(s, guards, edits);
  rewrite_sums(s, body + 1, end, quiet, edits);
  edits.insert(s[end].begin, "CONVKIT_SIMT_END_THREADS ");
}

}  // namespace

void rewrite_sums(const Stream& s, size_t begin, size_t end, const QuietCode& quiet, Edits& edits) {
  const SumFinder sums(s, quiet);
  for (size_t i = begin; i < end; ++i) {
    const ThreadSum sum = sums.around(i);
    if (sum.begin == kNone) continue;
    edits.insert(s[sum.begin].begin, sum.thread_first ? "::convkit::simt::thread_plus("
                                                      : "::convkit::simt::plus_thread(");
    edits.replace(s[sum.plus], ",");
    edits.insert(s[sum.end - 1].end, ")");
  }
}

ThreadSum thread_sum_around(const Stream& s, size_t i, const QuietCode& quiet) {
  return SumFinder(s, quiet).around(i);
}

void rewrite_thread_loops(const Stream& s, const Scopes& scopes, const QuietCode& quiet,
                          Edits& edits) {
  for (const DeclaredFunction& function : scopes.functions) {
    const FunctionHead& head = function.head;
    if (!head.is_kernel() || head.expands || head.qualified || function.in_class) continue;
    const size_t close = s.match(head.parameters);
    if (close == kNone || !s.is(close + 1, "{")) continue;
    const size_t body = close + 1;
    if (quiet.is_quiet_kernel(s, head.parameters, body)) {
      if (asks_for_thread(s, body, s.match(body), quiet)) rewrite_kernel(s, body, quiet, edits);
    } else if (quiet.is_quiet_between_barriers(s, head.parameters, body)) {
      rewrite_phases(s, head.parameters, body, quiet, edits);
    }
  }
}

}  // namespace convkit::rewrite
