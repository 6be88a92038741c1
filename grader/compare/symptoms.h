// SPDX-License-Identifier: MIT
// What a wrong output shows, and what may have caused it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace convkit {

// How much speaks for a guess, and what may therefore be said of it. All thresholds are here.
//
// What speaks for and against a guess: of one output, or of several added up.
struct Weight {
  // Different numbers that the guess gives and the right program does not, and that the output
  // holds. 0 and NaN count nothing: too much leads to them. At most kMostValues of one output.
  int64_t values = 0;
  int64_t missing = 0;   // elements that it leaves unwritten, and that are
  int64_t zeros = 0;     // that it makes 0, and that are
  int64_t nans = 0;      // that it makes NaN, and that are, where other elements are right
  int64_t open = 0;      // wrong elements whose value it leaves open: it reads other memory there
  int64_t elements = 0;  // wrong elements that were looked at

  int64_t outputs = 0;      // failing outputs that it explains throughout
  int64_t accesses = 0;     // accesses outside of a tensor that it makes
  int64_t unexplained = 0;  // failing outputs that it does not explain, though everything was tried
  int64_t contradicted = 0;  // outputs that are right, and would not be

  static constexpr int64_t kMostValues = 32;

  Weight& operator+=(const Weight& other);
  bool operator==(const Weight&) const = default;
};

// Adds up the weight of one output, element by element. Only wrong elements count.
class Weigher {
 public:
  void open() { ++weight_.elements, ++weight_.open; }
  void missing() { ++weight_.elements, ++weight_.missing; }
  // An element that holds `got`, as predicted.
  void value(float got);
  // The element is wrong, but the prediction is too close to the right value to tell anything.
  void close() { ++weight_.elements; }
  void not_a_number() { ++weight_.elements, ++weight_.nans; }
  Weight weight() const;

 private:
  Weight weight_;
  std::vector<uint32_t> seen_;
};

// Zeros in their places tell something where two outputs show them; of one too much leads to them.
// (Of an output that is 0 throughout no guess is told for its sake.)
bool tells_by_zeros(const Weight& weight);

// One output says too little for the guess to be told for its sake. It may support what another
// output suggests: it holds few different numbers, such as the bias alone, or 0 or NaN throughout,
// or the guess leaves most of it open and gives few numbers besides.
bool says_little(const Weight& of_one_output);

// Fewer different numbers than these may be an accident.
bool says_too_little(const Weight& weight);

enum class Certainty {
  none,      // nothing may be said
  probable,  // "Probably: ..."
  certain,
};

// - none: it tells nothing, or only zeros of one output; leaves most elements open and gives few
//   numbers besides, or leaves too much unexplained: of several failing outputs more than half as
//   many as it explains; of one, what explains one or two is too little where outputs that are
//   right contradict, too; or explains few numbers of one output, and two that are right
//   contradict;
// - certain: no output speaks against it, no more than half of the elements are open, and it gives
//   at least four different numbers, since fewer may be an accident, or the missing elements of two
//   outputs;
// - else probable.
Certainty certainty_of(const Weight& weight);

// So many different guesses that explain as much are told together, each as one of them. Where more
// do, none is told: the first would be as likely wrong.
constexpr size_t kMostToldTogether = 4;

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

  // Of a network: the function that computes the layer it blames, as the layer's own cases call it;
  // "" where it blames none, such as for the order of the layers.
  std::string function = "";

  // What the same mistake has in common in other cases; the sentence where it is empty.
  std::string cause = "";

  enum class Kind {
    plain,
    whole_groups,  // of terms or of outputs; of several sizes, which come to the same
    just_past,     // goes one (or a block's rest) too far, as much else does
    instance,      // code for another size is taken: what else explains the outputs is told
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
  // The functions of a network's layers, or others that it calls and that have cases of their own.
  std::vector<std::string> layers = {};
};

}  // namespace convkit
