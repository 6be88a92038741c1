// SPDX-License-Identifier: MIT
#include "repair/variables.h"

#include <algorithm>

namespace convkit::repair {

Kind number_of(bool floating) {
  Kind kind;
  kind.base = floating ? Kind::Base::floating : Kind::Base::integer;
  return kind;
}

namespace {

using rewrite::kNone;
using rewrite::Stream;

// The brace behind `struct Name`, `class Name final : Base`, or kNone.
size_t brace_of(const Stream& s, size_t i) {
  if ((!s.is(i, "struct") && !s.is(i, "class")) || !s.is_identifier(i + 1)) return kNone;
  size_t k = i + 2;
  if (s.is(k, "final")) ++k;
  if (s.is(k, ":")) {
    while (s.is_identifier(k) || s.is(k, ":") || s.is(k, "::") || s.is(k, ",")) ++k;
  }
  return s.is(k, "{") && s.match(k) != kNone ? k : kNone;
}

// What both of them have: two structs of one name, in two namespaces.
void keep_common(Variables::Members& members, const Variables::Members& others) {
  std::erase_if(members, [&](const auto& member) {
    const auto other = others.find(member.first);
    return other == others.end() || other->second != member.second;
  });
}

}  // namespace

void Variables::read_structs(const Stream& s) {
  for (size_t i = 0; i + 2 < s.size(); ++i) {
    const size_t open = brace_of(s, i);
    if (open == kNone) continue;
    Struct found = members_between(s, open, s.is(i, "struct"));
    const auto [known, is_new] = structs_.try_emplace(s[i + 1].text, found);
    if (is_new) continue;
    keep_common(known->second.all, found.all);
    keep_common(known->second.open, found.open);
  }
}

Variables::Struct Variables::members_between(const Stream& s, size_t open, bool is_open) {
  Struct found;
  Kind kind;
  const auto add = [&](const std::string& name) {
    found.all.emplace(name, kind);
    if (is_open) found.open.emplace(name, kind);
  };
  for (size_t k = open + 1; k < s.match(open); ++k) {
    if (s.is(k, "{") && s.match(k) != kNone) k = s.match(k);
    if (s.is(k, ":")) is_open = s.is(k - 1, "public") || (is_open && !s.is(k - 1, "private"));
    if (s.is(k, ";") || s.is(k, "}") || s.is(k, ":")) kind = {};
    if (s.is(k, "*") && s.around(k) == open) ++kind.indices;
    if (!s.is_identifier(k) || s.around(k) != open) continue;
    const bool is_named = s.is_identifier(k - 1) || s.is(k - 1, ",") || s.is(k - 1, "*");
    if (is_named && (s.is(k + 1, ",") || s.is(k + 1, ";") || s.is(k + 1, "="))) {
      add(std::string(s[k].text));
    } else if (is_named && s.is(k + 1, "(") && s.is(k + 2, ")")) {
      add(std::string(s[k].text) + "()");
    } else if (kIntegers.contains(s[k].text)) {
      kind.base = Kind::Base::integer;
    } else if (kFloats.contains(s[k].text)) {
      kind.base = Kind::Base::floating;
    } else if (!kSpecifiers.contains(s[k].text)) {
      kind.type = s[k].text;
    }
  }
  return found;
}

std::optional<Kind> Variables::kind_of(std::string_view name) const {
  for (auto scope = visible_.rbegin(); scope != visible_.rend(); ++scope) {
    const auto found = std::find_if(scope->rbegin(), scope->rend(),
                                    [&](const Variable& v) { return v.name == name; });
    if (found != scope->rend()) return found->kind;
  }
  return std::nullopt;
}

bool Variables::is_within(std::string_view name, size_t scopes) const {
  for (size_t k = visible_.size() - std::min(scopes, visible_.size()); k < visible_.size(); ++k) {
    for (const Variable& v : visible_[k]) {
      if (v.name == name) return true;
    }
  }
  return false;
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

void Variables::declare_members(std::string_view type) {
  const auto found = structs_.find(type);
  if (found == structs_.end()) return;
  for (const auto& [name, kind] : found->second.all) {
    if (!name.ends_with(")")) declare(name, kind);
  }
}

const Variables::Members* Variables::members_of(const Kind& kind) const {
  const auto found = kind.base == Kind::Base::other ? structs_.find(kind.type) : structs_.end();
  return found == structs_.end() ? nullptr : &found->second.open;
}

std::optional<Kind> Variables::kind_of_path(std::span<const std::string> path) const {
  if (path.empty()) return std::nullopt;
  std::optional<Kind> kind = kind_of(path[0]);
  for (size_t i = 1; kind && i < path.size(); ++i) {
    const Members* members = members_of(*kind);
    const auto found = members ? members->find(path[i]) : Members::const_iterator();
    kind = members && found != members->end() ? std::optional(found->second) : std::nullopt;
  }
  return kind;
}

std::vector<std::string> Variables::members_like(const Kind& kind) const {
  std::vector<std::string> all;
  for (const auto& scope : visible_) {
    for (const Variable& v : scope) {
      const Members* members = v.kind.indices < 2 ? members_of(v.kind) : nullptr;
      if (!members || v.name.empty()) continue;
      for (const auto& [member, its_kind] : *members) {
        if (its_kind != kind) continue;
        all.push_back(std::string(v.name) + (v.kind.indices ? "->" : ".") + member);
      }
    }
  }
  return all;
}

}  // namespace convkit::repair
