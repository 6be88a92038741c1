// SPDX-License-Identifier: MIT
#include "compare/formula/mistakes.h"

#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>

#include "compare/agreement.h"
#include "compare/formula/edits.h"
#include "compare/formula/value.h"

namespace convkit {
namespace {

// Nodes visited for a case; one takes about 10 ns.
constexpr int64_t kMostWork = 8'000'000;
// Of these for one edit. Of a large output only so much is looked at.
constexpr int64_t kMostWorkOfOne = 1'000'000;
constexpr size_t kMostGuesses = 40;

std::vector<OperationFormula>& registry() {
  static std::vector<OperationFormula> formulas;
  return formulas;
}

bool is_for(const OperationFormula& formula, const std::string& op) {
  std::istringstream patterns(formula.ops);
  for (std::string pattern; patterns >> pattern;) {
    if (fnmatch(pattern.c_str(), op.c_str(), 0) == 0) return true;
  }
  return false;
}

int64_t elements_of(const Evidence& evidence) {
  return int64_t(std::max(evidence.reference.f64.size(), evidence.reference.i32.size()));
}

// Wrong elements first, as most mistakes are ruled out by one of them; then right ones, which all
// are where there is no output.
std::vector<int64_t> samples(const Evidence& evidence, const Agreement& agreement) {
  constexpr size_t kOfEach = 12;
  const bool has_output = !evidence.got.f32.empty() || !evidence.got.i32.empty();
  std::vector<int64_t> wrong, right;
  for (int64_t i = 0; i < elements_of(evidence); ++i) {
    const double expected = evidence.reference.i32.empty() ? evidence.reference.f64[size_t(i)]
                                                           : evidence.reference.i32[size_t(i)];
    const bool agrees = !has_output || agreement.agrees(size_t(i), expected);
    (agrees ? right : wrong).push_back(i);
  }
  std::vector<int64_t> chosen;
  for (const auto& of_kind : {wrong, right}) {
    const size_t count = std::min(of_kind.size(), kOfEach);
    for (size_t i = 0; i < count; ++i) chosen.push_back(of_kind[i * of_kind.size() / count]);
  }
  return chosen;
}

class Trial {
 public:
  Trial(const Evidence& evidence)
      : evidence_(evidence), agreement_(evidence), samples_(samples(evidence, agreement_)) {}

  bool gives_reference(const Formula& formula) const {
    FormulaValue value(formula, evidence_, kMostWorkOfOne);
    const bool gives = value.complete() && std::ranges::all_of(samples_, [&](int64_t i) {
                         const double predicted = value.at(i);
                         return !is_special(predicted, predicted_anything()) &&
                                !agreement_.differs_from_reference(size_t(i), predicted);
                       });
    return gives && value.complete();
  }

  bool explained_by(const Formula& formula) {
    FormulaValue value(formula, evidence_, kMostWorkOfOne);
    const bool is = value.complete() && fits(value) && value.complete();
    work_ += value.work();
    return is;
  }

  // Whether the reference rules it out, as far as looked.
  bool shows(const Formula& formula) const {
    FormulaValue value(formula, evidence_, kMostWorkOfOne);
    bool differs = false;
    const int64_t elements = elements_of(evidence_);
    for (int64_t i = 0; i < elements && value.complete() && !differs; ++i) {
      const double predicted = value.at(i);
      differs = value.complete() && agreement_.differs_from_reference(size_t(i), predicted);
    }
    return differs;
  }

  bool goes_on() const { return work_ < kMostWork; }

 private:
  bool fits(FormulaValue& value) const {
    int64_t known = 0;
    for (const int64_t i : samples_) {
      const double predicted = value.at(i);
      if (!agreement_.agrees(size_t(i), predicted)) return false;
      known += !is_special(predicted, predicted_anything());
    }
    if (2 * known < int64_t(samples_.size())) return false;
    const int64_t elements = elements_of(evidence_);
    const int64_t affordable =
        std::max<int64_t>(kMostWorkOfOne / 2 / (value.work() / int64_t(samples_.size()) + 1), 1);
    const int64_t step = (elements + affordable - 1) / affordable;
    int64_t telling = 0, seen = 0;
    for (int64_t i = 0; i < elements; i += step, ++seen) {
      const double predicted = value.at(i);
      if (!agreement_.agrees(size_t(i), predicted)) return false;
      telling += agreement_.differs_from_reference(size_t(i), predicted);
    }
    // As for models, but an output of two or three elements may show a mistake, too.
    return telling >= std::min<int64_t>(std::clamp<int64_t>(seen / 10, 4, 16), seen);
  }

  const Evidence& evidence_;
  Agreement agreement_;
  std::vector<int64_t> samples_;
  int64_t work_ = 0;
};

// The formula that gives the reference; `trial` is made where there is one to try.
const OperationFormula* formula_of(const Evidence& evidence, std::optional<Trial>& trial) {
  for (const OperationFormula* one : formulas_for(evidence)) {
    if (!trial) trial.emplace(evidence);
    if (trial->gives_reference(Formula(one->text))) return one;
  }
  return nullptr;
}

}  // namespace

RegisterFormulas::RegisterFormulas(std::span<const OperationFormula> formulas) {
  registry().insert(registry().end(), formulas.begin(), formulas.end());
}

std::span<const OperationFormula> registered_formulas() {
  return registry();
}

std::vector<const OperationFormula*> formulas_for(const Evidence& evidence) {
  std::vector<const OperationFormula*> found;
  for (const OperationFormula& one : registered_formulas()) {
    const bool is = is_for(one, evidence.op) && Formula(one.text).output == evidence.got.name;
    if (is) found.push_back(&one);
  }
  return found;
}

std::vector<Guess> guesses_of_formulas(const Evidence& evidence) {
  std::vector<Guess> guesses;
  std::optional<Trial> trial;
  const OperationFormula* one = formula_of(evidence, trial);
  if (!one) return guesses;
  const Formula formula(one->text);
  std::vector<Guess> in_parts;  // less likely where something else explains the output
  for (const Edit& edit : edits_of(formula)) {
    if (!trial->goes_on() || guesses.size() == kMostGuesses) break;
    if (!trial->explained_by(edited(formula, edit))) continue;
    const bool of_parts = edit.what == Edit::What::whole_parts;
    (of_parts ? in_parts : guesses)
        .push_back({"formula", sentence_of(formula, edit), one->hint, Guess::Basis::formula});
  }
  guesses.insert(guesses.end(), in_parts.begin(), in_parts.end());
  return guesses;
}

bool formula_would_show(const Guess& guess, const Evidence& evidence) {
  std::optional<Trial> trial;
  const OperationFormula* one = formula_of(evidence, trial);
  if (!one) return false;
  const Formula formula(one->text);
  const std::vector<Edit> edits = edits_of(formula);
  const auto edit = std::ranges::find_if(edits, [&](const Edit& candidate) {
    return sentence_of(formula, candidate) == guess.sentence;
  });
  return edit != edits.end() && trial->shows(edited(formula, *edit));
}

}  // namespace convkit
