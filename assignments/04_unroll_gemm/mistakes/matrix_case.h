// SPDX-License-Identifier: MIT
// A failed case of this stage, as the models of mistakes read it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compare/diagnose.h"

namespace convkit::stage_04 {

using Prediction = std::optional<std::vector<double>>;

// Products or copies computed for one model at most.
inline constexpr double kMostWork = 2e7;

inline int64_t parameter(const Evidence& evidence, const char* name) {
  const auto found = evidence.params.find(name);
  return found == evidence.params.end() ? 0 : int64_t(found->second);
}

inline double real(const Evidence& evidence, const char* name, double otherwise) {
  const auto found = evidence.params.find(name);
  return found == evidence.params.end() ? otherwise : double(float(found->second));
}

inline std::span<const float> input(const Evidence& evidence, std::string_view name) {
  for (const CaseTensor& tensor : evidence.inputs) {
    if (tensor.name == name) return tensor.f32;
  }
  return {};
}

}  // namespace convkit::stage_04
