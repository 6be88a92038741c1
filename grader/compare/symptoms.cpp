// SPDX-License-Identifier: MIT
#include "compare/symptoms.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace convkit {

Weight& Weight::operator+=(const Weight& other) {
  values += other.values;
  missing += other.missing;
  zeros += other.zeros;
  nans += other.nans;
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
  weight_.zeros += got == 0;
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

namespace {

// What is left open lies in other memory. So many different numbers cannot be an accident, however
// much is.
bool leaves_too_much_open(const Weight& weight) {
  constexpr int64_t kBeyondDoubt = 16;
  return 2 * weight.open > weight.elements && weight.values < kBeyondDoubt;
}

}  // namespace

bool says_little(const Weight& weight) {
  if (leaves_too_much_open(weight)) return true;
  const int64_t with_values = weight.elements - weight.missing - weight.open - weight.zeros;
  // Of as many elements as this a program with a mistake gives more than one value.
  constexpr int64_t kOfOneValue = 8;
  return weight.values < Weight::kMostValues && weight.values * kOfOneValue < with_values;
}

namespace {
constexpr int64_t kNoAccident = 4;  // different numbers
}  // namespace

bool tells_by_zeros(const Weight& weight) {
  return weight.zeros >= kNoAccident && weight.outputs >= 2;
}

bool says_too_little(const Weight& weight) {
  return weight.values < kNoAccident && weight.missing == 0;
}

Certainty certainty_of(const Weight& weight) {
  constexpr int64_t kFew = 16;  // the same
  const bool tells = weight.values + weight.missing + weight.accesses > 0;
  if (!tells && !tells_by_zeros(weight)) return Certainty::none;
  if (leaves_too_much_open(weight)) return Certainty::none;
  const int64_t explained = weight.outputs + weight.accesses;
  const int64_t doubts = weight.unexplained + (weight.contradicted > 0 ? 1 : 0);
  // One failing output may have another cause, too; of several there must be fewer than half. Where
  // an output that is right contradicts besides, code of its own for those that fail would have to
  // leave out one of them, and as many doubts as outputs are too many.
  const bool is_refuted =
      weight.unexplained > 1
          ? 2 * weight.unexplained > explained
          : weight.unexplained > 0 && (doubts > explained || (doubts > 1 && doubts >= explained));
  if (is_refuted) return Certainty::none;
  // The numbers of one output are few, and others contradict what explains them.
  if (explained == 1 && weight.contradicted > 1 && weight.values < kFew) return Certainty::none;
  const bool enough = weight.values >= kNoAccident || tells_by_zeros(weight) ||
                      (weight.missing > 0 && weight.outputs >= 2);
  const bool is_open = 2 * weight.open > weight.elements;
  return doubts == 0 && enough && !is_open ? Certainty::certain : Certainty::probable;
}

}  // namespace convkit
