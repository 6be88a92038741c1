// SPDX-License-Identifier: MIT
// Changes of names, numbers, operators and arguments, wherever a value stands.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "repair/draft.h"

namespace convkit::repair {

class Expressions {
 public:
  // `block` reads the body of a lambda, between the two brackets.
  using Block = std::function<void(size_t open, size_t close)>;
  Expressions(Draft& draft, Block block) : d_(draft), block_(std::move(block)) {}

  void read(Part part);
  // The arguments of each call in it, and the values of each braced list.
  void exchange_arguments(Part part);
  // Of those behind the bracket at `open`: neighbours, and names of one kind.
  void exchange_neighbours(size_t open);

 private:
  void number(size_t k);
  size_t name(size_t k, Part part);
  void variable(size_t k);
  void other_function(size_t k, size_t last);
  void address(size_t k);
  void member(size_t k, size_t last, size_t after);
  void member_elsewhere(Part own, const Kind& kind);
  void one_more_or_less(Part own);
  void operator_with_two_sides(size_t k, Part part);
  void count_in_bytes(size_t open);
  bool is_list(size_t open) const;
  Part without_designator(Part part) const;
  std::optional<Kind> kind_of_name(Part part) const;
  bool is_value(Part part) const;

  const rewrite::Stream& tokens() const { return d_.code.tokens(); }

  Draft& d_;
  Block block_;
};

}  // namespace convkit::repair
