// SPDX-License-Identifier: MIT
// What the kinds of changes know of the place that they are at.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "repair/code.h"
#include "repair/mutant_list.h"
#include "repair/variables.h"

namespace convkit::repair {

struct Draft {
  explicit Draft(const rewrite::Source& source) : code(source), list(code) {}

  Code code;
  Variables variables;
  MutantList list;
  // The function.
  bool on_device = false;
  Kind returns;
  // The counter of the loop whose condition is read, and whether it is the loop's step.
  std::string_view counter;
  bool is_step = false;

  // Those of all loops of the function.
  std::set<std::string_view> counters;

  // How likely one name is taken for the other one: rows for columns, a size for one that looks
  // like it, rather than for a counter.
  unsigned likeness(std::string_view own, std::string_view other) const;
  // `s.oh()`, `s->w`, `n`: the kind of what a name that begins at `k` and all behind its dots name.
  std::optional<Kind> kind_at(size_t k) const;
  // Of `sum`, `y[i]`, `*y`, but of no pointer.
  std::optional<Kind> kind_of_target(Part target) const;
  // Of numbers and names of integers alone.
  bool is_integer(Part part) const;
  // `f<2 * kRows>(`, whose name goes from `k` to `last`: no comparison.
  bool has_template_arguments(size_t k, size_t last, size_t end) const;
  // Whether each name of a piece of code can be named here.
  bool is_visible(const std::string& piece) const;
};

// Whether places are often multiplied by it: a stride, a dilation, a constant.
bool scales_places(std::string_view name);

}  // namespace convkit::repair
