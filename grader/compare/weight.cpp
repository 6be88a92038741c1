// SPDX-License-Identifier: MIT
#include "compare/weight.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace convkit {

Weight& Weight::operator+=(const Weight& other) {
  values += other.values;
  missing += other.missing;
  open += other.open;
  elements += other.elements;
  outputs += other.outputs;
  accesses += other.accesses;
  unexplained += other.unexplained;
  contradicted += other.contradicted;
  return *this;
}

void Weigher::value(float got) {
  ++weight_.elements;
  if (std::isnan(got) || got == 0 || weight_.values == Weight::kMostValues) return;
  const auto bits = std::bit_cast<uint32_t>(got);
  if (std::ranges::find(seen_, bits) != seen_.end()) return;
  seen_.push_back(bits);
  ++weight_.values;
}

Weight Weigher::weight() const {
  Weight weight = weight_;
  weight.outputs = 1;
  return weight;
}

bool says_little(const Weight& weight) {
  if (2 * weight.open > weight.elements) return true;
  const int64_t with_values = weight.elements - weight.missing - weight.open;
  // Of as many elements as this a program with a mistake gives more than one value.
  constexpr int64_t kOfOneValue = 8;
  return weight.values < Weight::kMostValues && weight.values * kOfOneValue < with_values;
}

Certainty certainty_of(const Weight& weight) {
  constexpr int64_t kNoAccident = 4;  // different numbers
  if (weight.values + weight.missing + weight.accesses == 0) return Certainty::none;
  if (2 * weight.open > weight.elements) return Certainty::none;
  const int64_t explained = weight.outputs + weight.accesses;
  const int64_t doubts = weight.unexplained + (weight.contradicted > 0 ? 1 : 0);
  // One failing output may have another cause, too; of several there must be fewer than half.
  const bool is_refuted = weight.unexplained > 1 ? 2 * weight.unexplained > explained
                                                 : weight.unexplained > 0 && doubts > explained;
  if (is_refuted) return Certainty::none;
  const bool enough = weight.values >= kNoAccident || (weight.missing > 0 && weight.outputs >= 2);
  return doubts == 0 && enough ? Certainty::certain : Certainty::probable;
}

}  // namespace convkit
