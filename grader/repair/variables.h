// SPDX-License-Identifier: MIT
// The variables and members that a place in a program can name, and what kind of value each has.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/stream.h"

namespace convkit::repair {

using Words = std::set<std::string_view>;
extern const Words kIntegers, kFloats;
// What stands in a declaration beside type and name.
extern const Words kSpecifiers;

struct Kind {
  enum class Base { integer, floating, other };
  Base base = Base::other;
  unsigned indices = 0;     // stars and brackets
  bool reads_only = false;  // a pointer to const
  std::string_view type;    // of `other`

  bool operator==(const Kind&) const = default;
  bool is_number() const { return indices == 0 && base != Base::other; }
};

Kind number_of(bool floating);

class Variables {
 public:
  // The members of each struct, and its functions without arguments.
  void read_structs(const rewrite::Stream& stream);

  void open_scope() { visible_.emplace_back(); }
  void close_scope() { visible_.pop_back(); }
  void declare(std::string_view name, const Kind& kind) { visible_.back().push_back({name, kind}); }

  std::optional<Kind> kind_of(std::string_view name) const;
  // The names of this kind beside `name`.
  std::vector<std::string_view> others_like(std::string_view name, const Kind& kind) const;

  // "h" or "area()" of a struct; none where it is not known.
  using Members = std::map<std::string, Kind>;
  const Members* members_of(std::string_view variable) const;
  std::optional<Kind> kind_of_member(std::string_view variable, const std::string& member) const;

 private:
  struct Variable {
    std::string_view name;
    Kind kind;
  };
  std::map<std::string_view, Members> members_;  // by the struct's name
  std::vector<std::vector<Variable>> visible_;   // by scope
};

}  // namespace convkit::repair
