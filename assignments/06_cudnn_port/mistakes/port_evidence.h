// SPDX-License-Identifier: MIT
// Parameters and inputs of a failed case of stage 06, as the models of mistakes need them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/diagnose.h"

namespace convkit::stage_06 {

using Prediction = std::optional<std::vector<double>>;

// Products computed for one prediction at most; larger cases are not modelled.
inline constexpr double kMostWork = 2e7;

// A parameter of the case; 0 where the case has none of that name.
inline double real(const Evidence& evidence, const char* name) {
  const auto found = evidence.params.find(name);
  return found == evidence.params.end() ? 0.0 : found->second;
}

inline int64_t integer(const Evidence& evidence, const char* name) {
  return int64_t(real(evidence, name));
}

// Nothing else may do the work.
inline bool calls_cudnn(const Evidence& evidence) {
  return evidence.libraries == std::vector<std::string>{"cudnn"};
}

// Empty if the case has no such input.
inline std::span<const float> input(const Evidence& evidence, const std::string& name) {
  for (const CaseTensor& tensor : evidence.inputs) {
    if (tensor.name == name) return tensor.f32;
  }
  return {};
}

}  // namespace convkit::stage_06
