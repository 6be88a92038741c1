// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/waiting_loops.h"

#include <array>
#include <string>

#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

constexpr std::string_view kSpin = "::convkit_simt_spin()";

bool is_atomic_call(const Stream& s, size_t i) {
  const std::string_view name = s[i].text;
  return (name.starts_with("atomic") || name == "__ldcv" || name == "__ldcg") && s.is(i + 1, "(");
}

bool begins_loop(const Stream& s, size_t i) {
  return s.is(i, "while") || s.is(i, "for") || s.is(i, "do") || s.is(i, "goto");
}

// Whether [begin, end) looks at what other threads may change.
bool looks(const Stream& s, size_t begin, size_t end, const std::set<std::string_view>& names) {
  for (size_t i = begin; i < end && i < s.size(); ++i) {
    if (s.is(i, "volatile") || is_atomic_call(s, i) || names.contains(s[i].text)) return true;
  }
  return false;
}

class Marker {
 public:
  Marker(const Stream& s, const std::set<std::string_view>& names, Edits& edits)
      : s_(s), names_(names), edits_(edits) {}

  void loop(size_t i) {
    if (s_.is(i, "do")) {
      do_loop(i);
    } else if (s_.is(i, "goto")) {
      back_to_label(i);
    } else if (s_.is(i + 1, "(") && s_.match(i + 1) != kNone && !ends_do_.contains(i)) {
      const size_t open = i + 1, close = s_.match(open);
      if (s_.is(i, "for")) {
        for_loop(open, close);
      } else if (looks(open, statement_end(close + 1))) {
        mark_condition(open, close);
      }
    }
  }

 private:
  // The token after the statement that begins at `i`.
  size_t statement_end(size_t i) const {
    for (; i < s_.size(); ++i) {
      if (s_.is(i, ";")) return i + 1;
      const bool opens = s_.is(i, "(") || s_.is(i, "[") || s_.is(i, "{");
      if (!opens) continue;
      const bool block = s_.is(i, "{");
      if (s_.match(i) == kNone) return s_.size();
      i = s_.match(i);
      if (block && !s_.is(i + 1, "else")) return i + 1;
    }
    return i;
  }

  bool looks(size_t begin, size_t end) const { return rewrite::looks(s_, begin, end, names_); }

  // Whether the statement in [begin, end) may leave a loop early.
  bool leaves(size_t begin, size_t end) const {
    for (size_t i = begin; i < end && i < s_.size(); ++i) {
      if (s_.is(i, "break") || s_.is(i, "return") || s_.is(i, "goto")) return true;
    }
    return false;
  }

  void do_loop(size_t i) {
    const size_t end = statement_end(i + 1), open = end + 1;
    if (!s_.is(end, "while") || !s_.is(open, "(") || s_.match(open) == kNone) return;
    ends_do_.insert(end);
    if (looks(i, s_.match(open))) mark_condition(open, s_.match(open));
  }

  // `again: ... goto again;`
  void back_to_label(size_t i) {
    constexpr size_t kFarthest = 1000;
    if (!s_.is_identifier(i + 1) || !s_.is(i + 2, ";")) return;
    for (size_t k = i; k > 0 && i - k < kFarthest; --k) {
      if (!s_.is(k, ":") || s_[k - 1].text != s_[i + 1].text) continue;
      if (!looks(k, i)) return;
      edits_.insert(s_[i].begin, "{ ");
      edits_.insert(s_[i].begin, std::string(kSpin));
      edits_.insert(s_[i].begin, "; ");
      edits_.insert(s_[i + 2].end, " }");
      return;
    }
  }

  void for_loop(size_t open, size_t close) {
    std::array<size_t, 2> semicolon{};
    size_t found = 0;
    for (size_t i = open + 1; i < close; ++i) {
      if (s_.is(i, "(") || s_.is(i, "[") || s_.is(i, "{")) {
        if (s_.match(i) == kNone) return;
        i = s_.match(i);
      } else if (s_.is(i, ";")) {
        if (found == 2) return;
        semicolon[found++] = i;
      }
    }
    if (found != 2) return;
    const size_t end = statement_end(close + 1);
    const bool has_condition = semicolon[1] != semicolon[0] + 1;
    const bool waits =
        looks(semicolon[0], close) || ((!has_condition || leaves(close, end)) && looks(close, end));
    if (!waits) return;
    const bool has_step = close != semicolon[1] + 1;
    if (has_step) edits_.insert(s_[close].begin, ", ");
    edits_.insert(s_[close].begin, std::string(kSpin));
  }

  void mark_condition(size_t open, size_t close) {
    // `while (int x = f())` declares.
    const bool declares =
        is_keyword(s_[open + 1].text) || (s_.is_identifier(open + 1) && s_.is_identifier(open + 2));
    if (close == open + 1 || (declares && !is_value(open + 1))) return;
    edits_.insert(s_[open + 1].begin, std::string(kSpin));
    edits_.insert(s_[open + 1].begin, ", ");
  }

  bool is_value(size_t i) const {
    return s_.is(i, "true") || s_.is(i, "false") || s_.is(i, "this") || s_.is(i, "sizeof") ||
           s_.is(i, "static_cast") || s_.is(i, "reinterpret_cast") || s_.is(i, "const_cast");
  }

  const Stream& s_;
  const std::set<std::string_view>& names_;
  Edits& edits_;
  std::set<size_t> ends_do_;  // the `while` at the end of a `do`
};

}  // namespace

size_t volatile_variable(const Stream& s, size_t i) {
  for (size_t k = i + 1; k < s.size(); ++k) {
    if (s.is_identifier(k) || s.is(k, "*") || s.is(k, "&") || s.is(k, "::")) continue;
    const bool ends = s.is(k, ";") || s.is(k, "=") || s.is(k, ",") || s.is(k, ")") ||
                      s.is(k, "[") || s.is(k, "{");
    return ends && s.is_identifier(k - 1) && !is_keyword(s[k - 1].text) ? k - 1 : kNone;
  }
  return kNone;
}

std::set<std::string_view> shared_names(const Stream& s, const Scopes& scopes) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < s.size(); ++i) {
    if (!s.is(i, "volatile")) continue;
    if (const size_t variable = volatile_variable(s, i); variable != kNone) {
      names.insert(s[variable].text);
    }
  }
  std::set<std::string_view> functions;
  for (size_t i = 0; i < s.size(); ++i) {
    if (scopes.function[i] == kNone) continue;
    const FunctionHead& head = scopes.functions[scopes.function[i]].head;
    if (head.is_kernel()) continue;
    if (looks(s, i, i + 1, names)) {
      functions.insert(s[head.name].text);
    }
  }
  for (size_t i = 0; i + 3 < s.size(); ++i) {
    const bool lambda =
        s.is(i, "auto") && s.is_identifier(i + 1) && s.is(i + 2, "=") && s.is(i + 3, "[");
    if (!lambda) continue;
    size_t body = i + 3;
    while (body < s.size() && !s.is(body, "{")) ++body;
    const size_t end = s.match(body);
    if (end != kNone && looks(s, body, end, names)) functions.insert(s[i + 1].text);
  }
  names.merge(functions);
  return names;
}

bool has_waiting_loop(const Stream& s, size_t begin, size_t end,
                      const std::set<std::string_view>& names) {
  Edits marks;
  Marker marker(s, names, marks);
  for (size_t i = begin; i < end; ++i) {
    if (begins_loop(s, i)) marker.loop(i);
  }
  return !marks.empty();
}

void mark_waiting_loops(const Stream& s, const Scopes* scopes,
                        const std::set<std::string_view>& names, Edits& edits) {
  Marker marker(s, names, edits);
  for (size_t i = 0; i < s.size(); ++i) {
    if (!begins_loop(s, i)) continue;
    if (scopes) {
      // In a lambda nothing is known, and on the host nothing happens.
      const size_t function = scopes->function[i];
      if (function != kNone && scopes->functions[function].head.runs_on_host_only()) continue;
    }
    marker.loop(i);
  }
}

}  // namespace convkit::rewrite
