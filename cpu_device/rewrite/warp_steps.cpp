// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/warp_steps.h"

#include <map>
#include <set>
#include <string_view>

#include "cpu_device/rewrite/waiting_loops.h"

namespace convkit::rewrite {
namespace {

class Steps {
 public:
  Steps(const Stream& s, const Scopes& scopes, Edits& edits)
      : s_(s), scopes_(scopes), edits_(edits) {
    for (size_t i = 0; i < s.size(); ++i) {
      if (!s.is(i, "volatile")) continue;
      const size_t variable = volatile_variable(s, i);
      if (variable != kNone) names_[owner(i)].insert(s[variable].text);
    }
  }

  void run() {
    if (names_.empty()) return;
    for (size_t i = 0; i < s_.size(); ++i) {
      if (begins_statement(i) && is_volatile_array(i)) statement(i);
    }
  }

 private:
  // The function that declares a variable at `i`, perhaps as its parameter; kNone: none does.
  size_t owner(size_t i) const {
    if (scopes_.function[i] != kNone) return scopes_.function[i];
    for (size_t f = 0; f < scopes_.functions.size(); ++f) {
      const size_t open = scopes_.functions[f].head.parameters;
      if (open < i && s_.match(open) != kNone && i < s_.match(open)) return f;
    }
    return kNone;
  }

  bool declares(size_t function, std::string_view name) const {
    const auto at = names_.find(function);
    return at != names_.end() && at->second.contains(name);
  }

  bool begins_statement(size_t i) const {
    for (const std::string_view before : {";", "{", "}", ")", "else", ":"}) {
      if (i > 0 && s_.is(i - 1, before)) return true;
    }
    return false;
  }

  // `name[...]` in device code.
  bool is_volatile_array(size_t i) const {
    const size_t function = scopes_.function[i];
    if (function == kNone || !s_.is_identifier(i) || !s_.is(i + 1, "[")) return false;
    if (scopes_.functions[function].head.runs_on_host_only()) return false;
    return declares(function, s_[i].text) || declares(kNone, s_[i].text);
  }

  bool same_tokens(size_t one, size_t other, size_t count) const {
    for (size_t k = 0; k < count; ++k) {
      if (s_[one + k].text != s_[other + k].text) return false;
    }
    return true;
  }

  // `s[i] = ...` or `s[i] += ...`, and the rest reads another element of `s`.
  void statement(size_t i) {
    const size_t close = s_.match(i + 1);
    if (close == kNone || !is_assignment(close + 1)) return;
    const size_t begin = close + 2, length = close - i + 1;
    bool reads = false;
    size_t end = begin;
    for (; end < s_.size() && !s_.is(end, ";"); ++end) {
      if (s_.is(end, "{") || s_.is(end, "}")) return;
      if (s_[end].text != s_[i].text || !s_.is(end + 1, "[")) continue;
      const size_t last = s_.match(end + 1);
      if (last == kNone) return;
      reads = reads || last - end + 1 != length || !same_tokens(i, end, length);
    }
    if (!reads || end == s_.size()) return;
    edits_.insert(s_[i].begin, "{ ");
    edits_.insert(s_[begin].begin, "::convkit::simt::in_step(");
    edits_.insert(s_[end].begin, ")");
    edits_.insert(s_[end].end, " ::convkit_simt_active_mask(); }");
  }

  bool is_assignment(size_t i) const {
    for (const std::string_view operation : {"=", "+=", "-=", "*=", "/=", "&=", "|=", "^="}) {
      if (s_.is(i, operation)) return true;
    }
    return false;
  }

  const Stream& s_;
  const Scopes& scopes_;
  Edits& edits_;
  std::map<size_t, std::set<std::string_view>> names_;  // by function; kNone: outside of them
};

}  // namespace

void keep_warps_in_step(const Stream& s, const Scopes& scopes, Edits& edits) {
  Steps(s, scopes, edits).run();
}

}  // namespace convkit::rewrite
