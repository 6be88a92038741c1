// SPDX-License-Identifier: MIT
#include "repair/variables.h"

#include <algorithm>

namespace convkit::repair {

const Words kIntegers = {"int",     "long",     "short",    "unsigned", "signed",   "char",
                         "bool",    "size_t",   "int8_t",   "int16_t",  "int32_t",  "int64_t",
                         "uint8_t", "uint16_t", "uint32_t", "uint64_t", "ptrdiff_t"};
const Words kFloats = {"float", "double"};
const Words kSpecifiers = {"const",  "constexpr", "static",       "extern",       "volatile",
                           "inline", "register",  "__shared__",   "__constant__", "__restrict__",
                           "struct", "enum",      "thread_local", "__device__",   "mutable"};
Kind number_of(bool floating) {
  Kind kind;
  kind.base = floating ? Kind::Base::floating : Kind::Base::integer;
  return kind;
}

void Variables::read_structs(const rewrite::Stream& s) {
  for (size_t i = 0; i + 2 < s.size(); ++i) {
    if (!s.is(i, "struct") || !s.is_identifier(i + 1) || !s.is(i + 2, "{")) continue;
    Members members;
    const size_t close = s.match(i + 2);
    Kind kind;
    for (size_t k = i + 3; k < close && close != rewrite::kNone; ++k) {
      if (s.is(k, "{") && s.match(k) != rewrite::kNone) k = s.match(k);
      if (s.is(k, ";") || s.is(k, "}") || s.is(k, ":")) kind = {};
      if (s.is(k, "*") && s.around(k) == i + 2) ++kind.indices;
      if (!s.is_identifier(k) || s.around(k) != i + 2) continue;
      const bool is_named =
          k > 0 && (s.is_identifier(k - 1) || s.is(k - 1, ",") || s.is(k - 1, "*"));
      if (is_named && (s.is(k + 1, ",") || s.is(k + 1, ";") || s.is(k + 1, "="))) {
        members.emplace(s[k].text, kind);
      } else if (is_named && s.is(k + 1, "(") && s.is(k + 2, ")")) {
        members.emplace(std::string(s[k].text) + "()", kind);
      } else if (kIntegers.contains(s[k].text)) {
        kind.base = Kind::Base::integer;
      } else if (kFloats.contains(s[k].text)) {
        kind.base = Kind::Base::floating;
      } else if (!kSpecifiers.contains(s[k].text)) {
        kind.type = s[k].text;
      }
    }
    // Two structs of one name, in two namespaces: what both of them have.
    const auto [known, is_new] = members_.try_emplace(s[i + 1].text, members);
    if (is_new) continue;
    std::erase_if(known->second, [&](const auto& member) {
      const auto other = members.find(member.first);
      return other == members.end() || other->second != member.second;
    });
  }
}

std::optional<Kind> Variables::kind_of(std::string_view name) const {
  for (auto scope = visible_.rbegin(); scope != visible_.rend(); ++scope) {
    const auto found = std::find_if(scope->rbegin(), scope->rend(),
                                    [&](const Variable& v) { return v.name == name; });
    if (found != scope->rend()) return found->kind;
  }
  return std::nullopt;
}

std::vector<std::string_view> Variables::others_like(std::string_view name,
                                                     const Kind& kind) const {
  std::vector<std::string_view> others;
  for (const auto& scope : visible_) {
    for (const Variable& v : scope) {
      if (v.name != name && v.kind == kind && !v.name.empty()) others.push_back(v.name);
    }
  }
  return others;
}

const Variables::Members* Variables::members_of(std::string_view variable) const {
  const auto kind = kind_of(variable);
  const auto members = kind ? members_.find(kind->type) : members_.end();
  return members == members_.end() ? nullptr : &members->second;
}

std::optional<Kind> Variables::kind_of_member(std::string_view variable,
                                              const std::string& member) const {
  const Members* members = members_of(variable);
  const auto found = members ? members->find(member) : Members::const_iterator();
  return members && found != members->end() ? std::optional(found->second) : std::nullopt;
}

}  // namespace convkit::repair
