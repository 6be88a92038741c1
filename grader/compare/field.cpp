// SPDX-License-Identifier: MIT
#include "compare/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "compare/wording.h"

namespace convkit {
namespace {

bool describes(const std::vector<int64_t>& dims, int64_t elements) {
  return !dims.empty() &&
         std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>()) == elements;
}

// dims padded in front to four: a plain vector is one row, a matrix [n][f] is n images with f
// channels of one element.
std::array<int64_t, 4> four_dims(const std::vector<int64_t>& dims, int64_t elements) {
  if (!describes(dims, elements)) return {1, 1, 1, elements};
  switch (dims.size()) {
    case 2:
      return {dims[0], dims[1], 1, 1};
    case 3:
      return {1, dims[0], dims[1], dims[2]};
    case 4:
      return {dims[0], dims[1], dims[2], dims[3]};
    default:
      return {1, 1, 1, elements};
  }
}

}  // namespace

Field::Field(const Evidence& evidence)
    : evidence_(evidence), exact_(evidence.tolerance.terms == 0 || evidence.magnitude.empty()) {
  const int64_t elements = evidence.comparison.elements;
  const auto dims = four_dims(evidence.got.dims, elements);
  extent_ = dims;
  step_ = {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
  // Channels-last outputs say so in the name of the operation that makes them.
  if (evidence.op.ends_with("_to_nhwc") && evidence.got.dims.size() == 4) {
    extent_ = {dims[0], dims[3], dims[1], dims[2]};
    step_ = {dims[1] * dims[2] * dims[3], 1, dims[2] * dims[3], dims[3]};
  }
  if (!exact_) {
    scale_ = evidence.tolerance.factor * evidence.tolerance.gamma();
    floor_ = evidence.tolerance.allowed(0);
  }
  states_.resize(size_t(elements));
  for (int64_t i = 0; i < elements; ++i) {
    const uint32_t bits = is_int() ? uint32_t(evidence.got.i32[size_t(i)])
                                   : std::bit_cast<uint32_t>(evidence.got.f32[size_t(i)]);
    const bool equal_ints = is_int() && got(i) == expected(i);
    states_[size_t(i)] =
        equal_ints ? ElementState::right : judge(bits, got(i), expected(i), allowed(i));
  }
}

int64_t Field::index(const Cell& at) const {
  return at.image * step_[0] + at.channel * step_[1] + at.row * step_[2] + at.column * step_[3];
}

Cell Field::cell(int64_t index) const {
  return {index / step_[0] % extent_[0], index / step_[1] % extent_[1],
          index / step_[2] % extent_[2], index / step_[3] % extent_[3]};
}

double Field::got(int64_t index) const {
  return is_int() ? evidence_.got.i32[size_t(index)] : double(evidence_.got.f32[size_t(index)]);
}

double Field::expected(int64_t index) const {
  return is_int() ? evidence_.reference.i32[size_t(index)] : evidence_.reference.f64[size_t(index)];
}

double Field::allowed(int64_t index) const {
  return exact_ ? 0 : scale_ * evidence_.magnitude[size_t(index)] + floor_;
}

bool Field::is_padded() const {
  // "Same" padding follows from the other parameters.
  if (evidence_.op.find("_same_") != std::string::npos) return true;
  return std::any_of(evidence_.params.begin(), evidence_.params.end(), [](const auto& parameter) {
    return parameter.first.starts_with("pad_") && parameter.second > 0;
  });
}

std::string Field::name(int64_t index) const {
  std::vector<int64_t> dims = evidence_.got.dims;
  if (!describes(dims, size())) dims = {size()};
  const std::string name = element_name(evidence_.got.name, dims, index);
  const auto& known = evidence_.got.elements;
  const auto at = static_cast<size_t>(index);
  return at < known.size() ? name + " (" + known[at] + ")" : name;
}

std::string Field::expected_and_got(int64_t index) const {
  const auto& known = evidence_.got.values;
  if (known.empty()) return convkit::expected_and_got(expected(index), got(index));
  const auto word = [&](double value) {
    const auto found = known.find(int32_t(value));
    return found != known.end() ? found->second : fmt::format("{:.0f}", value);
  };
  return fmt::format("expected {}, got {}", word(expected(index)), word(got(index)));
}

}  // namespace convkit
