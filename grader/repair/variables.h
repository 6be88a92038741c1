// SPDX-License-Identifier: MIT
// The variables and members that a place in a program can name, and what kind of value each has.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/stream.h"
#include "repair/words.h"

namespace convkit::repair {

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
  // Whether one of the innermost scopes declares it.
  bool is_within(std::string_view name, size_t scopes) const;
  // The names of this kind beside `name`.
  std::vector<std::string_view> others_like(std::string_view name, const Kind& kind) const;

  // "h" or "area()" of a struct; none where it is not known.
  using Members = std::map<std::string, Kind>;
  // In the functions of a struct all of its members are variables.
  void declare_members(std::string_view type);
  // Of what `path` names: {"network", "layers", "size()"}.
  std::optional<Kind> kind_of_path(std::span<const std::string> path) const;
  // Those of it that may be named outside, or nullptr.
  const Members* members_of(const Kind& kind) const;
  // "s.h", "shape->h", "s.area()": members of this kind of what is visible.
  std::vector<std::string> members_like(const Kind& kind) const;

 private:
  struct Variable {
    std::string_view name;
    Kind kind;
  };
  struct Struct {
    Members all, open;  // what only its own functions name, too, and what others may
  };
  // Behind the brace at `open`.
  static Struct members_between(const rewrite::Stream& stream, size_t open, bool is_open);

  std::map<std::string_view, Struct> structs_;  // by name
  std::vector<std::vector<Variable>> visible_;  // by scope
};

}  // namespace convkit::repair
