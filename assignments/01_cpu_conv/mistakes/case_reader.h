// SPDX-License-Identifier: MIT
// Parameters and inputs of a failed case, as the models of mistakes need them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compare/diagnose.h"

namespace convkit::stage_01 {

using Prediction = std::optional<std::vector<double>>;

// Products computed for one prediction at most; larger cases are not modelled.
inline constexpr double kMostWork = 5e7;

// A parameter of the case; 0 where the case has none of that name.
inline double parameter(const Evidence& evidence, const char* name) {
  const auto found = evidence.params.find(name);
  return found == evidence.params.end() ? 0.0 : found->second;
}

inline int64_t size_parameter(const Evidence& evidence, const char* name) {
  return int64_t(parameter(evidence, name));
}

// Empty if the case has no such input.
inline std::span<const float> input(const Evidence& evidence, const char* name) {
  for (const CaseTensor& tensor : evidence.inputs) {
    if (tensor.name == name) return tensor.f32;
  }
  return {};
}

struct Pair {
  int64_t h, w;
};

inline void swap(Pair& pair) {
  std::swap(pair.h, pair.w);
}

// What the correct Model of the case predicts after `change` was made to it.
template <class Model, class Change>
Prediction with(const Evidence& evidence, Change change) {
  Model model(evidence);
  change(model);
  return model.predict();
}

inline std::vector<double> unwritten_output(const Evidence& evidence) {
  return std::vector<double>(size_t(evidence.comparison.elements), predicted_unwritten());
}

}  // namespace convkit::stage_01
