// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/thread_loops.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cpu_device/rewrite/expression.h"
#include "cpu_device/rewrite/thread_guards.h"

namespace convkit::rewrite {
namespace {

bool is_x_of(const Stream& s, size_t i, std::string_view variable) {
  return s.is(i, variable) && s.is(i + 1, ".") && s.is(i + 2, "x");
}

bool is_one_of(const Stream& s, size_t i, std::initializer_list<std::string_view> texts) {
  return std::any_of(texts.begin(), texts.end(), [&](auto text) { return s.is(i, text); });
}

// Names of macros in macros deeper than this are not looked into.
constexpr int kDeepestName = 8;

// Otherwise every thread does the same, and most often there is one.
bool asks_for_thread(const Stream& s, size_t begin, size_t end, const QuietCode& quiet,
                     int depth = 0) {
  for (size_t i = begin; i < end; ++i) {
    if (s.is(i, "threadIdx")) return true;
    if (depth == kDeepestName) continue;
    bool asks = false;
    quiet.visit_macro(s[i].text, [&](const Stream& text) {
      asks = asks || asks_for_thread(text, 0, text.size(), quiet, depth + 1);
    });
    if (asks) return true;
  }
  return false;
}

// A sum of threadIdx.x and a product with blockIdx.x, in either order: its tokens.
struct ThreadSum {
  size_t begin = kNone, plus = kNone, end = kNone;  // `end` is behind it
  bool thread_first = false;
};

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

void rewrite_sum(const Stream& s, const ThreadSum& sum, Edits& edits) {
  edits.insert(s[sum.begin].begin, sum.thread_first ? "::convkit::simt::thread_plus("
                                                    : "::convkit::simt::plus_thread(");
  edits.replace(s[sum.plus], ",");
  edits.insert(s[sum.end - 1].end, ")");
}

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
  const SumFinder sums(s, quiet);
  for (size_t i = body + 1; i < end; ++i) {
    if (const ThreadSum sum = sums.around(i); sum.begin != kNone) rewrite_sum(s, sum, edits);
  }
  edits.insert(s[end].begin, "CONVKIT_SIMT_END_THREADS ");
}

}  // namespace

void rewrite_thread_loops(const Stream& s, const Scopes& scopes, const QuietCode& quiet,
                          Edits& edits) {
  for (const DeclaredFunction& function : scopes.functions) {
    const FunctionHead& head = function.head;
    if (!head.is_kernel() || head.expands || head.qualified || function.in_class) continue;
    const size_t close = s.match(head.parameters);
    if (close == kNone || !s.is(close + 1, "{")) continue;
    const size_t body = close + 1;
    if (!quiet.is_quiet_kernel(s, head.parameters, body)) continue;
    if (asks_for_thread(s, body, s.match(body), quiet)) rewrite_kernel(s, body, quiet, edits);
  }
}

}  // namespace convkit::rewrite
