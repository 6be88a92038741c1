// SPDX-License-Identifier: MIT
#include "grade/causes.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compare/diagnose.h"

namespace convkit {
namespace {

using Failing = std::vector<CaseResult*>;

// The sentence of a relation holds numbers of its case; a model's says which of its kind it is.
bool is_same(const Guess& a, const Guess& b) {
  return a.id == b.id && a.basis == b.basis && (!a.predicts() || a.sentence == b.sentence);
}

size_t cases_with(const Guess& guess, const Failing& failing) {
  return static_cast<size_t>(std::ranges::count_if(failing, [&](const CaseResult* one) {
    return std::ranges::any_of(one->symptoms.guesses,
                               [&](const Guess& other) { return is_same(guess, other); });
  }));
}

// Some case suggests it by more than an output that holds nothing.
bool is_suggested(const Guess& guess, const Failing& failing) {
  return std::ranges::any_of(failing, [&](const CaseResult* one) {
    return std::ranges::any_of(one->symptoms.guesses, [&](const Guess& other) {
      return !other.needs_support && is_same(guess, other);
    });
  });
}

// Cases of a function that passed: more are not looked at, nor are large ones.
constexpr size_t kMostPassed = 12;
constexpr size_t kLargeOutput = 1 << 16;

// The function's outputs that were right, with the trials that hold them.
class Passed {
 public:
  void add(std::unique_ptr<Trial> trial) {
    for (Evidence& reference : trial->references()) {
      const size_t elements =
          std::max(reference.reference.f64.size(), reference.reference.i32.size());
      if (elements <= kLargeOutput) references_.push_back(std::move(reference));
    }
    trials_.push_back(std::move(trial));
  }
  bool is_full() const { return trials_.size() == kMostPassed; }

  size_t outputs_that_contradict(const Guess& guess) const {
    return static_cast<size_t>(std::ranges::count_if(
        references_, [&](const Evidence& reference) { return would_show(guess, reference); }));
  }

 private:
  std::vector<std::unique_ptr<Trial>> trials_;
  std::vector<Evidence> references_;
};

class Cause {
 public:
  Cause(const Failing& failing, std::function<Passed()> passed)
      : failing_(failing), load_passed_(std::move(passed)) {}

  std::vector<Guess> supported(const CaseResult& one) {
    size_t most = 0;
    for (const Guess& guess : one.symptoms.guesses) {
      if (guess.predicts() && is_suggested(guess, failing_)) {
        most = std::max(most, cases_with(guess, failing_));
      }
    }
    const bool enough = most >= 2 || 2 * most >= failing_.size();
    std::vector<Guess> kept;
    std::ranges::copy_if(one.symptoms.guesses, std::back_inserter(kept), [&](const Guess& guess) {
      const size_t support = cases_with(guess, failing_);
      if (!guess.predicts()) return support == failing_.size();
      return enough && support == most && is_suggested(guess, failing_);
    });
    for (Guess& guess : kept) guess.needs_support = false;
    keep_least_contradicted(kept);
    return kept;
  }

 private:
  void keep_least_contradicted(std::vector<Guess>& guesses) {
    if (std::ranges::count_if(guesses, &Guess::predicts) < 2) return;
    size_t fewest = SIZE_MAX;
    for (const Guess& guess : guesses) {
      if (guess.predicts()) fewest = std::min(fewest, contradictions(guess));
    }
    std::erase_if(guesses, [&](const Guess& guess) {
      return guess.predicts() && contradictions(guess) > fewest;
    });
  }

  size_t contradictions(const Guess& guess) {
    const auto [known, is_new] = contradictions_.try_emplace({guess.id, guess.sentence}, 0);
    if (is_new) {
      if (!passed_) passed_ = load_passed_();
      known->second = passed_->outputs_that_contradict(guess);
    }
    return known->second;
  }

  const Failing& failing_;
  std::function<Passed()> load_passed_;
  std::optional<Passed> passed_;
  std::map<std::pair<std::string, std::string>, size_t> contradictions_;
};

}  // namespace

void agree_on_causes(std::span<CaseResult> cases, const TrialOf& trial_of) {
  std::map<std::string_view, Failing> of_function;
  for (CaseResult& one : cases) {
    // A report of the device may have taken the place of the facts.
    const bool examined = one.status == Status::wrong && !one.symptoms.facts.empty() &&
                          one.message.starts_with(one.symptoms.facts);
    if (examined && !one.hidden) of_function[one.op].push_back(&one);
  }
  for (const auto& [function, failing] : of_function) {
    Cause cause(failing, [&] {
      Passed passed;
      for (size_t i = 0; i < cases.size() && !passed.is_full(); ++i) {
        const CaseResult& one = cases[i];
        const bool counts = one.op == function && one.status == Status::pass && !one.hidden;
        if (counts) passed.add(trial_of(i));
      }
      return passed;
    });
    for (CaseResult* one : failing) {
      Diagnosis told = diagnosis_of(one->symptoms, cause.supported(*one));
      one->message = std::move(told.message);
      if (!one->explained.empty()) one->message += "\n" + one->explained;
      one->hint = std::move(told.hint);
      one->mistake = std::move(told.id);
    }
  }
}

}  // namespace convkit
