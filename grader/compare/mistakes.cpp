// SPDX-License-Identifier: MIT
// The registry of known mistakes, and the test whether one of them explains an output.
#include <fnmatch.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>

#include "compare/agreement.h"
#include "compare/diagnose.h"
#include "compare/formula/mistakes.h"
#include "compare/judge.h"
#include "compare/network/mistakes.h"

namespace convkit {
namespace {

// Quiet NaNs with payloads of their own; as doubles they survive being copied.
constexpr uint64_t kUnwritten = 0x7ff8'0000'0000'c04bull;
constexpr uint64_t kFromUnwritten = 0x7ff8'0000'0001'c04bull;
constexpr uint64_t kAnything = 0x7ff8'0000'0002'c04bull;

std::vector<MistakeModel>& registry() {
  static std::vector<MistakeModel> models;
  return models;
}

// Fewer elements than this meet a prediction by accident, or because the shape leaves a mistake
// little to show on: other mistakes come to the same there.
int64_t fewest_telling(const MistakeModel& model, const Evidence& evidence) {
  if (model.fewest > 0) return model.fewest;
  if (!evidence.got.i32.empty()) return 1;  // exact, and few to begin with
  return std::clamp<int64_t>(evidence.comparison.elements / 10, 4, 16);
}

// What speaks for the model, where it explains the output.
std::optional<Weight> explains(const MistakeModel& model, const Evidence& evidence) {
  const auto predicted = model.predict(evidence);
  const size_t elements = size_t(evidence.comparison.elements);
  if (!predicted || predicted->size() != elements) return std::nullopt;
  const Agreement agreement(evidence, model.slack);
  int64_t telling = 0;
  Weigher weigher;
  for (size_t i = 0; i < elements; ++i) {
    if (!agreement.agrees(i, (*predicted)[i])) return std::nullopt;
    telling += agreement.differs_from_reference(i, (*predicted)[i]);
    weigh(evidence, agreement, i, (*predicted)[i], weigher);
  }
  if (telling < fewest_telling(model, evidence)) return std::nullopt;
  return weigher.weight();
}

bool is_of(const Guess& guess, const MistakeModel& model) {
  return guess.basis == Guess::Basis::model && guess.id == model.id &&
         guess.sentence == model.sentence;
}

// Whether its prediction differs from the reference anywhere.
bool shows(const MistakeModel& model, const Evidence& evidence) {
  const auto predicted = model.predict(evidence);
  const size_t elements = std::max(evidence.reference.f64.size(), evidence.reference.i32.size());
  if (!predicted || predicted->size() != elements) return false;
  const Agreement agreement(evidence, model.slack);
  for (size_t i = 0; i < elements; ++i) {
    if (agreement.differs_from_reference(i, (*predicted)[i])) return true;
  }
  return false;
}

std::vector<ComposedOp>& composed_ops() {
  static std::vector<ComposedOp> ops;
  return ops;
}

}  // namespace

double predicted_unwritten() {
  return std::bit_cast<double>(kUnwritten);
}
double predicted_from_unwritten() {
  return std::bit_cast<double>(kFromUnwritten);
}
double predicted_anything() {
  return std::bit_cast<double>(kAnything);
}

RegisterMistakes::RegisterMistakes(std::span<const MistakeModel> models) {
  registry().insert(registry().end(), models.begin(), models.end());
}

std::span<const MistakeModel> registered_mistakes() {
  return registry();
}

bool is_contradicted_by_grid(const Guess& guess, bool rounded_down) {
  return std::ranges::any_of(registered_mistakes(), [&](const MistakeModel& model) {
    if (!is_of(guess, model)) return false;
    return model.grid == MistakeModel::Grid::covers ||
           (model.grid == MistakeModel::Grid::rounded_down && !rounded_down);
  });
}

// (Integers are too few for that to mean anything.)
bool holds_nothing(const Evidence& evidence) {
  const std::span<const float> got = evidence.got.f32;
  if (got.empty()) return evidence.comparison.unwritten == evidence.comparison.elements;
  const auto is_unset = [](const float& value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    return is_unwritten(bits) || is_fresh(bits);
  };
  return std::all_of(got.begin(), got.end(), is_unset) ||
         std::all_of(got.begin(), got.end(), [](float value) { return value == 0; });
}

bool holds_no_values(const Evidence& evidence) {
  return holds_nothing(evidence) || evidence.comparison.nan == evidence.comparison.elements;
}

std::vector<MatchingMistake> matching_mistakes(const Evidence& evidence) {
  std::vector<MatchingMistake> found;
  const bool nothing = holds_nothing(evidence);
  for (const MistakeModel& model : registered_mistakes()) {
    if (fnmatch(model.op, evidence.op.c_str(), 0) != 0) continue;
    if (const auto weight = explains(model, evidence)) {
      const bool is_plainer = model.may_be_plainer && model.may_be_plainer(evidence);
      found.push_back({&model, *weight, is_plainer || (nothing && !model.of_nothing)});
    }
  }
  return found;
}

const MistakeModel* matching_mistake(const Evidence& evidence) {
  auto found = matching_mistakes(evidence);
  std::erase_if(found, &MatchingMistake::needs_support);
  const auto other = [&](const MatchingMistake& one) {
    return std::string_view(one.model->id) != found[0].model->id;
  };
  return found.empty() || std::ranges::any_of(found, other) ? nullptr : found[0].model;
}

bool would_show(const Guess& guess, const Evidence& evidence) {
  if (guess.was_searched()) {
    return guess.id == "network" ? network_would_show(guess, evidence)
                                 : formula_would_show(guess, evidence);
  }
  if (guess.basis == Guess::Basis::relation) return false;
  // Which of the models that say the same explained the failing outputs is not known.
  bool found = false;
  for (const MistakeModel& model : registered_mistakes()) {
    if (!is_of(guess, model) || fnmatch(model.op, evidence.op.c_str(), 0) != 0) continue;
    if (model.of_some_size || !shows(model, evidence)) return false;
    found = true;
  }
  return found;
}

bool misses(const Guess& guess, const Evidence& evidence) {
  if (guess.basis != Guess::Basis::model) return false;
  return std::ranges::any_of(registered_mistakes(), [&](const MistakeModel& model) {
    if (!is_of(guess, model) || fnmatch(model.op, evidence.op.c_str(), 0) != 0) return false;
    const auto predicted = model.predict(evidence);
    const size_t elements = std::max(evidence.reference.f64.size(), evidence.reference.i32.size());
    if (!predicted || predicted->size() != elements) return false;
    const Agreement agreement(evidence, model.slack);
    int64_t telling = 0;
    for (size_t i = 0; i < elements; ++i) {
      telling += agreement.differs_from_reference(i, (*predicted)[i]);
    }
    // On fewer it would not be told.
    constexpr int64_t kMost = 16;
    return telling >= kMost || telling * 2 >= int64_t(elements);
  });
}

RegisterComposedOp::RegisterComposedOp(const ComposedOp& op) {
  composed_ops().push_back(op);
}

const ComposedOp* composed_op(const std::string& op) {
  for (const ComposedOp& composed : composed_ops()) {
    if (composed.op == op) return &composed;
  }
  return nullptr;
}

}  // namespace convkit
