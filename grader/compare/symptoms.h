// SPDX-License-Identifier: MIT
// What a wrong output shows, and what may have caused it.
#pragma once

#include <string>
#include <vector>

#include "compare/weight.h"

namespace convkit {

struct Guess {
  std::string id;        // "flipped_kernel"
  std::string sentence;  // may be empty: the facts say it
  std::string hint;      // may be empty
  enum class Basis {
    relation,  // how the values, or the places of the wrong ones, are related
    formula,   // one edit of a formula, of many that are tried, gives every element
               // (formula/mistakes.h); in a network, also another tensor in the place of one
    program,   // a known way to get a network wrong does (network/variants.h)
    model,     // a model of the mistake, written by hand, does
  } basis = Basis::relation;

  // Not told for this output alone: too much leads to it.
  bool needs_support = false;
  bool of_two = false;  // two outputs at least must suggest it

  // What the same mistake has in common in other cases; the sentence where it is empty.
  std::string cause = "";

  enum class Kind {
    plain,
    whole_groups,  // of terms or of outputs; of several sizes, which come to the same
    just_past,     // goes one (or a block's rest) too far, as much else does
  } kind = Kind::plain;
  Weight weight = {};

  const std::string& same_in_cases() const { return cause.empty() ? sentence : cause; }
  bool predicts() const { return basis != Basis::relation; }
  // One of many that were tried: what speaks for it decides whether it is told.
  bool was_searched() const { return basis == Basis::formula || basis == Basis::program; }

  bool operator==(const Guess&) const = default;
};

// Of one output, which may leave several guesses open and suggest wrong ones.
struct Symptoms {
  std::string facts;           // counts, where, worst element
  std::string hint;            // to the facts; may be empty
  std::string map;             // a small character map of the wrong region; may be empty
  std::vector<Guess> guesses;  // each holds for the whole output; those that predict it first
  // Every edit or program was tried: what is not among the guesses does not explain the output.
  bool complete = false;
};

}  // namespace convkit
