// SPDX-License-Identifier: MIT
// What suffices to tell a guess, with and without "Probably".
#include "compare/symptoms.h"

#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "compare/diagnose.h"

using namespace convkit;

namespace {

Weight of_values(int64_t values, int64_t elements) {
  Weight weight;
  weight.values = values;
  weight.elements = elements;
  weight.outputs = 1;
  return weight;
}

Guess edit(const std::string& sentence, const Weight& weight,
           Guess::Basis basis = Guess::Basis::formula) {
  Guess guess{"formula", sentence, "", basis};
  guess.weight = weight;
  return guess;
}

std::string told(const std::vector<Guess>& guesses) {
  const Symptoms symptoms{"Facts.", "", "", guesses, true};
  const std::string message = diagnosis_of(symptoms, guesses).message;
  return message == "Facts." ? "" : message.substr(7);
}

}  // namespace

TEST_CASE("equal numbers, zeros and NaN weigh nothing") {
  Weigher weigher;
  for (const float got : {2.0f, 2.0f, 0.0f, -0.0f, NAN, 3.0f}) weigher.value(got);
  weigher.missing();
  weigher.open();
  weigher.close();
  const Weight weight = weigher.weight();
  CHECK(weight.values == 2);
  CHECK(weight.missing == 1);
  CHECK(weight.open == 1);
  CHECK(weight.elements == 9);
  CHECK(weight.outputs == 1);
}

TEST_CASE("an output of few different numbers, or one that is left open, says little") {
  CHECK(says_little(of_values(1, 9)));  // the bias alone
  CHECK_FALSE(says_little(of_values(7, 9)));
  CHECK_FALSE(says_little(of_values(Weight::kMostValues, 5000)));
  CHECK(says_little(of_values(0, 100)));
  Weight open = of_values(4, 9);
  open.open = 5;
  CHECK(says_little(open));
  Weight confirmed = of_values(16, 100);
  confirmed.open = 80;
  CHECK_FALSE(says_little(confirmed));
  CHECK(certainty_of(confirmed) == Certainty::probable);
  confirmed.values = 15;
  CHECK(says_little(confirmed));
  CHECK(certainty_of(confirmed) == Certainty::none);
  Weight missing = of_values(0, 9);  // the pattern is all there is
  missing.missing = 9;
  CHECK_FALSE(says_little(missing));
}

TEST_CASE("what no output speaks against is certain, unless it may be an accident") {
  CHECK(certainty_of(of_values(4, 9)) == Certainty::certain);
  CHECK(certainty_of(of_values(3, 9)) == Certainty::probable);
  CHECK(certainty_of(of_values(0, 9)) == Certainty::none);
  Weight missing = of_values(0, 9);
  missing.missing = 9;
  CHECK(certainty_of(missing) == Certainty::probable);
  missing.outputs = 2;
  CHECK(certainty_of(missing) == Certainty::certain);
}

TEST_CASE("zeros tell something where two outputs hold them in the places of a guess") {
  Weigher weigher;
  for (int i = 0; i < 9; ++i) weigher.value(0);
  Weight zeros = weigher.weight();
  CHECK(zeros.zeros == 9);
  CHECK_FALSE(says_little(zeros));
  CHECK(certainty_of(zeros) == Certainty::none);
  zeros += weigher.weight();
  CHECK(certainty_of(zeros) == Certainty::certain);
}

TEST_CASE(
    "outputs that a guess leaves unexplained, or that contradict, make it doubtful or untold") {
  Weight weight = of_values(20, 60);
  weight.contradicted = 3;
  CHECK(certainty_of(weight) == Certainty::probable);
  Weight few = of_values(9, 60);
  few.contradicted = 1;
  CHECK(certainty_of(few) == Certainty::probable);
  few.contradicted = 2;
  CHECK(certainty_of(few) == Certainty::none);
  weight.contradicted = 0;
  weight.unexplained = 1;
  CHECK(certainty_of(weight) == Certainty::probable);
  weight.contradicted = 1;
  CHECK(certainty_of(weight) == Certainty::none);
  weight.outputs = 2;
  CHECK(certainty_of(weight) == Certainty::none);
  weight.outputs = 3;
  CHECK(certainty_of(weight) == Certainty::probable);
  weight.outputs = 2;
  weight.unexplained = 2;
  weight.contradicted = 0;
  CHECK(certainty_of(weight) == Certainty::none);
  weight.outputs = 4;
  CHECK(certainty_of(weight) == Certainty::probable);
}

TEST_CASE("weights of several outputs add up") {
  Weight sum;
  sum += of_values(3, 9);
  sum += of_values(2, 4);
  CHECK(sum == [] {
    Weight both = of_values(5, 13);
    both.outputs = 2;
    return both;
  }());
}

TEST_CASE("a guess that may be an accident, or one of a few, is told with doubt; of many none is") {
  const Weight strong = of_values(20, 40), weak = of_values(2, 2);
  CHECK(told({edit("A.", strong)}) == "A.");
  CHECK(told({edit("A.", weak)}) == "Probably: A.");
  CHECK(told({edit("A.", of_values(0, 40))}) == "");
  CHECK(told({edit("A.", strong), edit("B.", strong)}) ==
        "Probably: A.\nOr, with the same outputs: B.");
  std::vector<Guess> many;
  for (const char* sentence : {"A.", "B.", "C.", "D.", "E."})
    many.push_back(edit(sentence, strong));
  CHECK(told(many) == "");
}

TEST_CASE("what another alternative says of both axes, or of all places, is no further one") {
  const Weight strong = of_values(20, 40);
  const std::string open = "\nNo case tells whether it is so for columns, too.";
  CHECK(told({edit("`r` stands there, for rows and for columns.", strong),
              edit("`r` stands there.", strong)}) == "`r` stands there." + open);
  CHECK(told({edit("A.", strong), edit("`r` is missing: `a`.", strong),
              edit("`r` is missing, for rows and for columns: `a`.", strong)}) ==
        "Probably: A.\nOr, with the same outputs: `r` is missing: `a`." + open);
  CHECK(told({edit("B, for rows and for columns.", strong)}) == "B, for rows and for columns.");
  CHECK(told({edit("Where s is taken apart, oh stands for ow: `s`.", strong),
              edit("oh is used wherever ow belongs.", strong)}) ==
        "Where s is taken apart, oh stands for ow: `s`.");
  CHECK(told({edit("Nothing tests whether the row lies inside x: memory takes part.", strong),
              edit("Nothing tests whether the row of x is below 0: what lies before.", strong)}) ==
        "Nothing tests whether the row of x is below 0: what lies before.");
  CHECK(told({edit("A.", strong), edit("oh is used wherever ow belongs.", strong)}) ==
        "Probably: A.\nOr, with the same outputs: oh is used wherever ow belongs.");
}

TEST_CASE("a known way to get a network wrong outranks what comes of trying everything") {
  const Weight strong = of_values(20, 40);
  std::vector<Guess> guesses;
  for (const char* sentence : {"A.", "B.", "C.", "D.", "E."}) {
    guesses.push_back(edit(sentence, strong));
  }
  guesses.push_back(edit("ReLU is left out.", strong, Guess::Basis::program));
  CHECK(told(guesses) == "ReLU is left out.");
}

TEST_CASE("a model that gives NaN in its places is told, although an output contradicts it") {
  Guess guess{"model", "It reads NaN.", "", Guess::Basis::model};
  guess.weight.outputs = guess.weight.contradicted = 1;
  guess.weight.nans = guess.weight.elements = 3;
  CHECK(told({guess}).empty());
  guess.weight.nans = guess.weight.elements = 4;
  CHECK(told({guess}) == "Probably: It reads NaN.");
  guess.basis = Guess::Basis::formula;  // one of many that were tried
  CHECK(told({guess}).empty());
}
