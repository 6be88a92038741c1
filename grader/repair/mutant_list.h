// SPDX-License-Identifier: MIT
// Where the kinds of changes put the mutants that they find.
#pragma once

#include <string>
#include <vector>

#include "repair/code.h"
#include "repair/mutants.h"

namespace convkit::repair {

// What it mends, and how seldom.
struct Reason {
  Cause cause = Cause::name;
  unsigned rank = kPlain;
};

class MutantList {
 public:
  explicit MutantList(const Code& code) : code_(code) {}

  // Of the function whose body begins behind this place in the text.
  void begin_function(size_t body) { body_ = body; }

  // `other` gets the type that the expression has.
  void replace(Part expression, std::string other, Reason reason);
  // Of what a variable takes whose type the other version is turned into anyway.
  void replace_value(Part expression, std::string other, Reason reason);
  // Of an operator with two sides, at `k`.
  void replace_operator(size_t k, std::string other, Reason reason);
  void exchange(Part one, Part other, Reason reason);
  // The tokens of `within`, which are inside a statement or all of it, its `;` included.
  void replace_in_statement(Part statement, Part within, std::string other, Reason reason);
  // Before the statement that begins at `k`, or before the bracket that closes a block.
  void put_before(size_t k, const std::string& statement, Reason reason);
  // The second one stands behind the first one.
  void exchange_statements(Part one, Part other, Reason reason);
  // A statement to the place before `k`, which is not in it.
  void move(Part statement, size_t k, Reason reason);

  std::vector<Mutant>& found() { return found_; }

 private:
  Mutant changed(size_t begin, size_t end, std::string other, Reason reason);

  const Code& code_;
  size_t body_ = 0;
  std::vector<Mutant> found_;
};

}  // namespace convkit::repair
