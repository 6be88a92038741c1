// SPDX-License-Identifier: MIT
// An operation of one formula, for the tests of formulas and of the mistakes in them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "compare/agreement.h"
#include "compare/formula/edits.h"
#include "compare/formula/formula.h"
#include "compare/formula/mistakes.h"
#include "compare/formula/value.h"
#include "convkit/sentinel.h"

namespace convkit::formula_tests {

inline constexpr int64_t kPlenty = 1'000'000;

// An operation of this formula alone, with small whole numbers in its inputs.
class Case {
 public:
  Case(const char* formula, std::map<std::string, double> params,
       std::map<std::string, std::vector<float>> inputs, std::vector<int64_t> dims)
      : text(formula), inputs_(std::move(inputs)) {
    evidence.op = "made";
    evidence.params = std::move(params);
    for (const auto& [name, values] : inputs_) {
      evidence.inputs.push_back({name, {}, values, {}, {}});
    }
    const std::string output = Formula(text).output;
    evidence.got = evidence.reference = {output, dims, {}, {}, {}};
    evidence.comparison.elements = 1;
    for (const int64_t dim : dims) evidence.comparison.elements *= dim;
  }
  Case(const Case&) = delete;

  std::vector<double> values(const Formula& formula) {
    FormulaValue value(formula, evidence, kPlenty);
    std::vector<double> all;
    for (int64_t i = 0; i < evidence.comparison.elements; ++i) all.push_back(value.at(i));
    CHECK(value.complete());
    return all;
  }
  std::vector<double> values() { return values(Formula(text)); }

  // What a program that makes the mistake is told; all guesses.
  std::vector<std::string> told(const Edit& edit) {
    return told(values(edited(Formula(text), edit)));
  }
  // What a program with this output is told.
  std::vector<std::string> told(const std::vector<double>& wrong) {
    reference_ = values();
    magnitude_.assign(reference_.size(), 100);
    got_.assign(wrong.begin(), wrong.end());
    for (size_t i = 0; i < wrong.size(); ++i) {
      const bool unwritten = is_special(wrong[i], predicted_unwritten());
      if (unwritten) std::memcpy(&got_[i], &kSentinelBits, sizeof kSentinelBits);
    }
    evidence.reference.f64 = reference_;
    evidence.got.f32 = got_;
    evidence.magnitude = magnitude_;
    evidence.tolerance.terms = 10;
    evidence.comparison = compare(got_, reference_, magnitude_, evidence.tolerance);
    std::vector<std::string> sentences;
    for (const Guess& guess : guesses_of_formulas(evidence).guesses) {
      sentences.push_back(guess.sentence);
    }
    return sentences;
  }

  const char* text;
  Evidence evidence;

 private:
  std::map<std::string, std::vector<float>> inputs_;
  std::vector<double> reference_, magnitude_;
  std::vector<float> got_;
};

inline std::vector<float> drawn(size_t count) {
  std::mt19937 random(11);
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) {
    values.push_back(float(int(random() % 31) - 15) + 0.25f * float(random() % 4));
  }
  return values;
}

// The first edit of this kind whose place reads so.
inline Edit edit_of(const Formula& formula, Edit::What what, const std::string& place = "") {
  for (const Edit& edit : edits_of(formula)) {
    const bool is = edit.what == what && !edit.on_both_axes &&
                    (place.empty() || (edit.node != kNoNode && formula.text(edit.node) == place));
    if (is) return edit;
  }
  FAIL("the formula has no such edit");
  return {};
}

}  // namespace convkit::formula_tests
