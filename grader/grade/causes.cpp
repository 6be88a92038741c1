// SPDX-License-Identifier: MIT
#include "grade/causes.h"

#include <algorithm>
#include <map>
#include <string_view>
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

std::vector<Guess> supported(const CaseResult& one, const Failing& failing) {
  size_t most = 0;
  for (const Guess& guess : one.symptoms.guesses) {
    if (guess.predicts() && is_suggested(guess, failing)) {
      most = std::max(most, cases_with(guess, failing));
    }
  }
  const bool enough = most >= 2 || 2 * most >= failing.size();
  std::vector<Guess> kept;
  std::ranges::copy_if(one.symptoms.guesses, std::back_inserter(kept), [&](const Guess& guess) {
    const size_t support = cases_with(guess, failing);
    if (!guess.predicts()) return support == failing.size();
    return enough && support == most && is_suggested(guess, failing);
  });
  for (Guess& guess : kept) guess.needs_support = false;
  return kept;
}

}  // namespace

void agree_on_causes(std::span<CaseResult> cases) {
  std::map<std::string_view, Failing> of_function;
  for (CaseResult& one : cases) {
    // A report of the device may have taken the place of the facts.
    const bool examined = one.status == Status::wrong && !one.symptoms.facts.empty() &&
                          one.message.starts_with(one.symptoms.facts);
    if (examined && !one.hidden) of_function[one.op].push_back(&one);
  }
  for (const auto& [function, failing] : of_function) {
    for (CaseResult* one : failing) {
      Diagnosis told = diagnosis_of(one->symptoms, supported(*one, failing));
      one->message = std::move(told.message);
      one->hint = std::move(told.hint);
      one->mistake = std::move(told.id);
    }
  }
}

}  // namespace convkit
