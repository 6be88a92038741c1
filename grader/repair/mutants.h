// SPDX-License-Identifier: MIT
// Small changes to a program, as mutation testing knows them, of which one may mend it: a name for
// another one of its kind, one more or less, another operator, a statement or a condition left out,
// a barrier put in, arguments exchanged, a factor.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cpu_device/rewrite/names.h"
#include "cpu_device/rewrite/source.h"

namespace convkit::repair {

// How seldom a mistake is of a kind: what has a lower rank is tried first.
enum Rank : unsigned { kLikely = 1, kPlain = 2, kSeldom = 3, kRare = 4, kLast = 5 };

// What a change mends, as one says it to a student.
enum class Cause {
  name,        // another variable or member is meant
  constant,    // another enumerator, `true` for `false`
  number,      // another number
  off_by_one,  // one more or less
  operation,   // another operator
  call,        // another function, or none
  order,       // two arguments exchanged
  surplus_condition,
  missing_condition,
  joint,     // `&&` for `||`
  opposite,  // the condition the other way round
  choice,    // the values of `?:`
  surplus_statement,
  statement_order,
  repetition,  // `while` for `if`
  guard,       // what must end here or be skipped
  barrier,
  atomic,
  assignment,  // `+=` for `=`
  surplus_term,
  missing_term,
  surplus_factor,
  missing_factor,
  grouping,
  rounding,  // a division rounds down that has to round up, or drops a fraction
  sign,
  bytes,   // counted in elements
  value,   // a constant for a variable, or the other way round
  stream,  // what is queued on another stream than the given one
  wait,
  clearing,  // what must begin with zeros
  reset,     // what goes on from one turn of a loop to the next
  last_part,
  layout,  // rows for columns in an index
};

struct Mutant {
  // In the source's text: what is replaced by `text`. Nothing, where something is put in.
  struct Edit {
    size_t begin = 0, end = 0;
    std::string text;
  };
  std::vector<Edit> edits;  // in the order of the text
  unsigned rank = kPlain;
  Cause cause = Cause::name;
  // How it stands in a program that holds all of them (schema.h): an expression or a statement of
  // which there is another version, an operator, or a statement before another one.
  enum class Form { expression, statement, infix, before };
  // What has another version: one place, or several that change together.
  struct Site {
    size_t begin = 0, end = 0;
    Form form = Form::expression;
    std::string text;  // the other version
    std::string type;  // of an expression: one of the type that it has, as it was
  };
  std::vector<Site> sites;
  size_t body = 0;  // behind the bracket that opens the body of its function
  bool on_device = false;
  // In host code: the condition of an `if` or a `?:`, which may choose what computes a result.
  bool decides = false;
};

// Those in the bodies of functions, in the order of the text. `names`: of the translation unit, to
// which the source was added. `headers`: where the structs are defined that the source uses.
std::vector<Mutant> find_mutants(const rewrite::Source& source, const rewrite::Names& names,
                                 std::span<const rewrite::Source> headers);

}  // namespace convkit::repair
