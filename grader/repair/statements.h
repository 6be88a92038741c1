// SPDX-License-Identifier: MIT
// Reads the body of a function, statement by statement, and finds what may be changed in it.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "repair/draft.h"
#include "repair/expressions.h"

namespace convkit::repair {

// Of other functions of the file: `if (n == 0) return cudaSuccess;`.
using Guards = std::set<std::string>;

class Statements {
 public:
  // `name`: of the function; `comparisons`: those in its body; `guards`: which it may lack.
  Statements(Draft& draft, std::string_view name, const std::set<std::string>& comparisons,
             const Guards& guards);

  // Between the two brackets.
  void block(size_t open, size_t close);
  // Makes the variables known; with mutants of what they begin with, if asked.
  void declaration(Part part, bool with_mutants);

 private:
  size_t statement(size_t i, size_t limit);
  size_t controlled(size_t i, size_t limit);
  void repeat(size_t i, Part condition, size_t end);
  void loop(size_t open, size_t close);
  void end_within_outer_loop(Part condition);
  void keep_from_last_turn(Part statement);
  void end_at_last_part_in_call(Part part);
  void step(Part part);
  void condition(Part part, bool whole);
  void plain_statement(Part part);
  void assignment(Part part, size_t assign);
  void guard_index(Part part, size_t assign);
  void add_atomically(Part part, size_t assign);
  void target(Part part);
  void right_side(Part part, const std::optional<Kind>& taker, std::string_view name);
  void floating_value(Part part);
  void integer_value(Part part, bool is_size);
  void divide_exactly(Part part);
  void put_before(size_t i, size_t previous);
  void leave_after_declaration(Part declared, size_t next);
  void move_out(Part last, size_t close);
  void move_within(std::span<const Part> statements, size_t close);
  void move_before_head(std::span<const Part> statements, size_t head);
  void move_into_blocks(std::span<const Part> statements);
  bool may_move(Part statement) const;
  bool crosses(Part moved, Part over) const;
  void start_anew(size_t open, size_t close);
  void end_at_last_part(Part value);
  bool is_declaration(Part part) const;
  bool begins_declarator(size_t k, size_t end) const;
  Kind guessed(Part part) const;

  const rewrite::Stream& tokens() const { return d_.code.tokens(); }

  Draft& d_;
  std::string_view name_;
  const std::set<std::string>& comparisons_;
  const Guards& guards_;
  // `float sum = 0;`, and `i < n`, `i += 4` of the loop of `i`; "" for `++i`.
  struct Begun {
    std::string_view name;
    std::string value;
  };
  struct Turns {
    std::string_view counter;
    std::string bound, step;
  };

  Expressions expressions_;
  size_t depth_ = 0, loops_ = 0;
  std::vector<Begun> begun_;
  std::vector<Turns> turns_;
  size_t head_ = rewrite::kNone;  // of the statement whose block is read next
};

}  // namespace convkit::repair
