// SPDX-License-Identifier: MIT
// How a formula comes to one element of the output: the terms of its sum (or of its maximum), with
// all that they read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/diagnose.h"
#include "compare/formula/formula.h"

namespace convkit {

struct ReadElement {
  std::string name;  // "x[0,2,3,1]", or "x" where it lies outside
  double value = 0;
  bool outside = false;  // beyond a border: the term does not count
};

struct FormulaTerm {
  std::vector<ReadElement> reads;  // in the order of Terms::tensors
  double value = 0;
  bool outside = false;
};

struct Terms {
  bool is_sum = true;                  // else a maximum
  bool products = true;                // a term is a product of what it reads
  std::vector<std::string> variables;  // of the loops, the outermost first
  std::vector<int64_t> first, count;   // of each loop: its first value, and how many
  std::vector<std::string> tensors;    // that a term reads
  std::vector<FormulaTerm> terms;      // in the order of the loops
  std::vector<ReadElement> others;     // read besides the terms, such as a bias
  std::optional<double> divisor;       // where the formula is the sum divided by something
  std::string formula;                 // as a reader writes it
  std::string place;                   // "image 0, map 1, i 2, j 3": the loops of the output
};

// Of element `at` of the output. Nothing where the formula has neither a sum nor a maximum, or more
// than `most` terms.
std::optional<Terms> terms_of(const Formula& formula, const Evidence& evidence, int64_t at,
                              int64_t most);

// What is wrong where a sum of many terms is shared by parts, as the blocks of a grid: terms at its
// end that belong to no part, terms that belong to several, parts that are not added. The terms of
// an element are read once for all of these. Nothing where the output is no such sum; `work`:
// nodes visited.
inline constexpr const char* kEndMissing = "the last terms of a sum are missing";
inline constexpr const char* kPartsOverlap = "parts of a sum overlap";
struct SharedSums {
  bool is_long = false;  // else edits of the formula (formula/edits.h) say the same
  std::vector<Guess> guesses;
  int64_t work = 0;
};
SharedSums shared_sums(const Formula& formula, const Evidence& evidence, const char* hint);

}  // namespace convkit
