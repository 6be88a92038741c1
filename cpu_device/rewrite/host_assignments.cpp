// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/host_assignments.h"

#include <algorithm>
#include <array>
#include <string>

#include "cpu_device/rewrite/declaration.h"

namespace convkit::rewrite {
namespace {

// Blocks nested deeper are not looked at.
constexpr size_t kDeepestBlock = 100;

bool is_assignment(const Stream& s, size_t i) {
  static constexpr std::array<std::string_view, 11> kAssignments = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return i < s.size() && std::ranges::find(kAssignments, s[i].text) != kAssignments.end();
}

bool is_step(const Stream& s, size_t i) {
  return s.is(i, "++") || s.is(i, "--");
}

class HostAssignmentFinder {
 public:
  HostAssignmentFinder(const Source& source, const Stream& stream, const Names& names,
                       Report& report)
      : source_(source), s_(stream), scopes_(names.scopes(source)), names_(names), report_(report) {
    // A lambda for the device begins in the function around it, and then its body is not the
    // host's; so a function with any such word is left alone.
    for (size_t i = 0; i < s_.size(); ++i) {
      if (scopes_.function[i] == kNone || !s_[i].text.starts_with("__")) continue;
      if (s_.is(i, "__device__") || s_.is(i, "__global__") || s_.is(i, "__host__")) {
        mixed_.insert(scopes_.function[i]);
      }
    }
  }

  void run() {
    for (size_t i = 0; i < s_.size() && !report_.full(); ++i) {
      if (!s_.is_identifier(i) || !report_.certain(s_[i])) continue;
      const DeviceMemory* memory = names_.device_memory(s_[i].text);
      if (memory && is_visible(*memory, i) && is_assigned(*memory, i) && is_host_code(i)) {
        tell(*memory, i);
      }
    }
  }

 private:
  void tell(const DeviceMemory& memory, size_t i) {
    const std::string name(s_[i].text);
    const std::string kind = memory.constant ? "constant" : "device";
    report_.error(s_[i], "`" + name + "` is in " + kind +
                             " memory, and host code cannot assign it: kernels would not see the "
                             "new value; copy it there: `cudaMemcpyToSymbol(" +
                             name + ", &value, sizeof(value))`");
  }

  // Whether the name alone means the variable: a named namespace around it is around this, too.
  bool is_visible(const DeviceMemory& memory, size_t i) const {
    return memory.space == kNone || (memory.source == &source_ && memory.space < i &&
                                     s_.match(memory.space) != kNone && i < s_.match(memory.space));
  }

  // `name`, `name[..].member`, ... that an operator changes.
  bool is_assigned(const DeviceMemory& memory, size_t i) const {
    size_t end = i + 1;
    for (size_t k = 0; k < memory.dimensions && s_.is(end, "["); ++k) {
      if (s_.match(end) == kNone) return false;
      end = s_.match(end) + 1;
    }
    while (s_.is(end, ".") && s_.is_identifier(end + 1)) {
      if (names_.may_be_static_member(s_[end + 1].text)) return false;
      end += 2;
      while (s_.is(end, "[") && s_.match(end) != kNone) end = s_.match(end) + 1;
    }
    if (i > 0 && is_step(s_, i - 1)) {
      for (const std::string_view more : {"[", "(", ".", "->", "::", ".*", "->*"}) {
        if (s_.is(end, more)) return false;
      }
      return begins_expression(i - 1);
    }
    return (is_assignment(s_, end) || is_step(s_, end)) && begins_expression(i);
  }

  // Whether an expression that is evaluated begins at `i`.
  bool begins_expression(size_t i) const {
    if (i == 0) return false;
    const size_t before = i - 1, around = s_.around(i);
    if (!scopes_.in_block[i]) {
      return opens_condition(around) && (before == around || s_.is(before, ";"));
    }
    for (const std::string_view word : {";", "{", "}", ":", "else", "do", "return", "="}) {
      if (s_.is(before, word)) return true;
    }
    return s_.is(before, ")") && opens_condition(s_.match(before));
  }

  bool opens_condition(size_t open) const {
    return open != kNone && open > 0 && s_.is(open, "(") &&
           (s_.is(open - 1, "if") || s_.is(open - 1, "for") || s_.is(open - 1, "while") ||
            s_.is(open - 1, "switch"));
  }

  bool is_host_code(size_t i) const {
    const size_t function = scopes_.function[i];
    if (function == kNone || mixed_.contains(function)) return false;
    const DeclaredFunction& inside = scopes_.functions[function];
    const FunctionHead& head = inside.head;
    if (inside.in_class || head.qualified || !head.runs_on_host_only() ||
        names_.may_run_on_device(s_[head.name].text)) {
      return false;
    }
    const size_t body = body_around(i);
    if (body == kNone) return false;
    for (size_t k = declaration_begin(s_, head.name); k <= body; ++k) {
      if (!s_[k].decided || s_.is(k, "template") || s_.is(k, "constexpr")) return false;
    }
    return true;
  }

  // The brace of the function's body, if only ordinary statements lie between it and `i`; else
  // kNone: what seems to be a block may be a macro's argument, or the body of a lambda in it.
  size_t body_around(size_t i) const {
    const size_t function = scopes_.function[i];
    size_t open = s_.around(i);
    for (size_t depth = 0; open != kNone && depth < kDeepestBlock; ++depth) {
      if (s_.is(open, "{") && scopes_.function[open] != function) return open;
      if (!opens_condition(open) && !opens_statements(open)) return kNone;
      open = s_.around(open);
    }
    return kNone;
  }

  bool opens_statements(size_t open) const {
    if (open == 0 || !s_.is(open, "{")) return false;
    for (const std::string_view before : {";", "{", "}", ":", "else", "do", "try"}) {
      if (s_.is(open - 1, before)) return true;
    }
    if (!s_.is(open - 1, ")")) return false;
    const size_t condition = s_.match(open - 1);
    return opens_condition(condition) ||
           (condition != kNone && condition > 0 && s_.is(condition - 1, "catch"));
  }

  const Source& source_;
  const Stream& s_;
  const Scopes& scopes_;
  const Names& names_;
  Report& report_;
  std::set<size_t> mixed_;  // functions with words for the device in their bodies
};

}  // namespace

void find_host_assignments(const Source& source, const Stream& stream, const Names& names,
                           Report& report) {
  HostAssignmentFinder(source, stream, names, report).run();
}

}  // namespace convkit::rewrite
