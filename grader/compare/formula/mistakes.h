// SPDX-License-Identifier: MIT
// Which single mistake in an operation's formula explains a wrong output.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "compare/diagnose.h"

namespace convkit {

struct OperationFormula {
  const char* ops;   // shell patterns with spaces between them
  const char* text;  // formula/formula.h; of the output that it names
  const char* hint;  // what students read with every mistake in it
  // The same sum by other loops, which find the taps by a division: what can be wrong with that
  // division is tried, where nothing explains the output that can be wrong with the other formula.
  bool finds_taps = false;
};

// Stages register theirs with a static object. Of several for one output the first is used that
// gives the reference in the case at hand.
struct RegisterFormulas {
  explicit RegisterFormulas(std::span<const OperationFormula> formulas);
};
std::span<const OperationFormula> registered_formulas();

// Those of the evidence's operation and output, in the order of registration.
std::vector<const OperationFormula*> formulas_for(const Evidence& evidence);
// The formula of an output that gives its reference; null where none is registered that does.
const OperationFormula* formula_of(const Evidence& evidence);

// Every edit of the formula that explains all elements (of large outputs a sample), the plainest
// first. Takes at most about 0.1 s.
Guesses guesses_of_formulas(const Evidence& evidence);

// An access that a right program does not make, to element `index` of a tensor of `elements`.
struct BadAccess {
  enum class Kind {
    reads,         // there is no such element
    writes,        // there is no such element of the output
    writes_twice,  // two threads write the output's element
  } kind;
  int64_t elements, index;
  // Which thread writes it, if that is known: where along the grid's y and z its block lies, if it
  // is the block's first thread there; else 0.
  std::array<int64_t, 2> block = {0, 0};
  int64_t column = -1;  // the thread's x, if it lies in the first block along x and has no other
};

// Every edit of the formula that makes it. `got` of the evidence is not looked at, and each guess
// needs support: which output the access was for is not known. Takes at most about 0.1 s.
std::vector<Guess> guesses_of_access(const Evidence& evidence, const BadAccess& access);

// Whether such a guess would show in an output, of which a sample is looked at.
bool formula_would_show(const Guess& guess, const Evidence& evidence);
// Whether such a guess says nothing of an output that is wrong: where it reads other memory the
// value is not known, and all other elements are right with it.
bool formula_leaves_open(const Guess& guess, const Evidence& evidence);

}  // namespace convkit
