// SPDX-License-Identifier: MIT
// Outputs each of which is made from the element of the input at its place.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/agreement.h"
#include "compare/formula/edits.h"
#include "compare/formula/mistakes.h"
#include "compare/formula/value.h"
#include "compare/patterns.h"

namespace convkit {
namespace {

using Kind = Node::Kind;

bool is_elementwise(const Field& field) {
  const auto& inputs = field.evidence().inputs;
  return !field.is_int() && !inputs.empty() &&
         std::ranges::all_of(inputs, [&](const CaseTensor& input) {
           return int64_t(input.f32.size()) == field.size();
         });
}

// A comparison of an element with a number, and what belongs on either side of it.
struct Branches {
  std::string tensor;
  double threshold;
  std::vector<double> then, otherwise;  // by element
};

std::optional<Branches> branches_of(const Evidence& evidence) {
  const OperationFormula* one = formula_of(evidence);
  if (!one) return std::nullopt;
  const Formula formula(one->text);
  const Node& root = formula.at(formula.root);
  if (root.kind != Kind::choose) return std::nullopt;
  const Node& condition = formula.at(root.children[0]);
  const bool compares = condition.kind >= Kind::less && condition.kind <= Kind::greater_equal;
  if (!compares) return std::nullopt;
  const Node& left = formula.at(condition.children[0]);
  const Node& right = formula.at(condition.children[1]);
  if (left.kind != Kind::read || right.kind != Kind::number) return std::nullopt;
  Branches found{formula.names[size_t(left.name)], right.number, {}, {}};
  for (const auto what : {Edit::What::always_then, Edit::What::always_else}) {
    constexpr int64_t kMostWork = 4'000'000;
    const Formula always = edited(formula, {what, formula.root});
    FormulaValue value(always, evidence, kMostWork);
    auto& values = what == Edit::What::always_then ? found.then : found.otherwise;
    for (int64_t i = 0; i < evidence.comparison.elements && value.complete(); ++i) {
      values.push_back(value.at(i));
    }
    if (!value.complete()) return std::nullopt;
  }
  return found;
}

struct Interval {
  double first = INFINITY, last = -INFINITY;
  void take(double value) { first = std::min(first, value), last = std::max(last, value); }
  bool holds(double value) const { return value >= first && value <= last; }
};

// The parameter that lies where another threshold would have to: behind the last wrong element and
// before the next right one.
std::string parameter_between(const Evidence& evidence, double from, double to) {
  std::string found;
  for (const auto& [name, value] : evidence.params) {
    if (!(value >= std::min(from, to) && value <= std::max(from, to))) continue;
    if (!found.empty()) return "";
    found = name;
  }
  return found;
}

// The leading digits of two numbers near 1 cancel where they are almost equal; what is left are
// multiples of the rounding of such numbers.
// `rounding` is that of a number near 1, in float or in double.
std::optional<Pattern> cancelled_digits(const Field& field, double rounding) {
  const Comparison& seen = field.evidence().comparison;
  if (!is_elementwise(field) || seen.nan + seen.unwritten + seen.from_unwritten > 0) {
    return std::nullopt;
  }
  const double step = rounding / 2;
  int64_t telling = 0, exact = 0;
  double largest_error = 0, largest_expected = 0, nearest_input = INFINITY;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (!field.bad(i)) continue;
    const double got = field.got(i), error = std::fabs(got - field.expected(i));
    if (!(error <= 4 * rounding)) return std::nullopt;
    largest_error = std::max(largest_error, error);
    largest_expected = std::max(largest_expected, std::fabs(field.expected(i)));
    for (const CaseTensor& input : field.evidence().inputs) {
      nearest_input = std::min(nearest_input, std::fabs(double(input.f32[size_t(i)])));
    }
    // A float of this size could be no multiple. (Of larger ones a divisor near 1 makes none.)
    if (got == 0 || std::fabs(got) > 0x1p14 * rounding) continue;
    const double steps = got / step, beside = std::fabs(steps - std::round(steps));
    if (beside > 0x1p-5) return std::nullopt;
    ++telling;
    exact += beside == 0;
  }
  constexpr int64_t kExact = 4, kNearly = 6;
  const bool enough = exact == telling ? telling >= kExact : telling >= kNearly;
  if (!enough || largest_error < rounding / 8 || largest_expected > 0.05) return std::nullopt;
  const bool far_out = nearest_input >= 1;  // results near 0 of inputs that are not
  return Pattern{
      "cancelled_digits",
      fmt::format("Digits are lost {}: no wrong output is off by more than {:.1g}, which is "
                  "the rounding of a number near 1{}, but none should be larger than {:.1g}. Two "
                  "numbers near 1 that are almost equal were subtracted, and their leading digits "
                  "cancelled.",
                  far_out ? "where the result is near 0" : "near 0", largest_error,
                  rounding < 0x1p-24 ? " in double" : "", largest_expected),
      far_out ? "Use a form that subtracts nothing there, such as a quotient of sums of numbers "
                "above 0."
              : "Use a form that subtracts nothing near 0, or a function that is exact there, such "
                "as std::tanh or std::expm1."};
}

// From some input on, all outputs are one number, where others are expected: the input was limited,
// or what is small was taken for 0.
std::optional<Pattern> one_number_beyond(const Field& field) {
  const Evidence& evidence = field.evidence();
  if (!is_elementwise(field) || evidence.inputs.size() != 1) return std::nullopt;
  const CaseTensor& input = evidence.inputs[0];
  Interval wrong, right, expected, got;
  for (int64_t i = 0; i < field.size(); ++i) {
    const double x = double(input.f32[size_t(i)]);
    if (std::isnan(x)) continue;
    if (!field.bad(i)) {
      right.take(x);
      continue;
    }
    wrong.take(x), expected.take(field.expected(i)), got.take(field.got(i));
    if (!std::isfinite(field.got(i))) return std::nullopt;
  }
  constexpr int64_t kFewest = 4;
  const bool below = wrong.last<right.first, above = wrong.first> right.last;
  if (evidence.comparison.wrong < kFewest || got.first != got.last || below == above ||
      expected.first == expected.last) {
    return std::nullopt;
  }
  const std::string where = fmt::format("{} is {} {:.3g}", input.name, below ? "up to" : "from",
                                        below ? wrong.last : wrong.first);
  const std::string others = fmt::format("where numbers from {:.2g} to {:.2g} are expected",
                                         expected.first, expected.last);
  if (got.first == 0) {
    return Pattern{"zero_beyond",
                   fmt::format("All wrong outputs are where {}{}, and are 0, {}.", where,
                               below ? "" : " on", others),
                   "float32 has numbers as small as 1e-38: do not take a result for 0 that is only "
                   "small, and do not get it by subtracting numbers near 1."};
  }
  return Pattern{
      "limited_input",
      fmt::format("All wrong outputs are where {}{}, and are the same number, {:.3g}, {}. "
                  "{}, or what is computed from it, is limited (clamped) there.",
                  where, below ? "" : " on", got.first, others, input.name),
      fmt::format("Use {} as it is. If something overflows, use another form of the "
                  "formula there.",
                  input.name)};
}

std::optional<Pattern> other_side(const Field& field) {
  const Evidence& evidence = field.evidence();
  if (!is_elementwise(field) || evidence.comparison.wrong == 0) return std::nullopt;
  const auto branches = branches_of(evidence);
  if (!branches) return std::nullopt;
  const auto input = std::ranges::find(evidence.inputs, branches->tensor, &CaseTensor::name);
  if (input == evidence.inputs.end()) return std::nullopt;
  const Agreement agreement(evidence);
  const double threshold = branches->threshold;
  Interval wrong;
  for (int64_t i = 0; i < field.size(); ++i) {
    if (!field.bad(i)) continue;
    const double x = double(input->f32[size_t(i)]);
    const double then = branches->then[size_t(i)], otherwise = branches->otherwise[size_t(i)];
    const double other = agreement.differs_from_reference(size_t(i), then) ? then : otherwise;
    if (std::isnan(x) || !agreement.agrees(size_t(i), other)) return std::nullopt;
    wrong.take(x);
  }
  const bool above = wrong.first > threshold, below = wrong.last < threshold;
  if (!above && !below) return std::nullopt;
  // From the threshold to the farthest wrong element none is right; the next one that is.
  wrong.take(threshold);
  const double farthest = above ? wrong.last : wrong.first;
  double next = above ? INFINITY : -INFINITY;
  for (int64_t i = 0; i < field.size(); ++i) {
    const double x = double(input->f32[size_t(i)]);
    const double then = branches->then[size_t(i)], otherwise = branches->otherwise[size_t(i)];
    const bool is_alike = !agreement.differs_from_reference(size_t(i), then) &&
                          !agreement.differs_from_reference(size_t(i), otherwise);
    if (field.bad(i) || std::isnan(x) || x == threshold || is_alike) continue;
    if (wrong.holds(x)) return std::nullopt;
    if (above ? x > farthest : x < farthest) next = above ? std::min(next, x) : std::max(next, x);
  }
  if (std::isinf(next)) return std::nullopt;  // the whole side is wrong
  const std::string parameter = parameter_between(evidence, farthest, next);
  constexpr int64_t kFewest = 4;
  const bool few = evidence.comparison.wrong < kFewest;
  if (few && parameter.empty()) return std::nullopt;
  const std::string other = parameter.empty() ? fmt::format("{:.3g}", farthest) : parameter;
  return Pattern{
      "other_side_of_threshold",
      fmt::format("{} where {} lies between {:g} and {}{}, and {} what belongs on the other side "
                  "of {:g}.{}",
                  evidence.comparison.wrong == 1 ? "The wrong output is" : "All wrong outputs are",
                  branches->tensor, threshold, other,
                  parameter.empty() ? "" : fmt::format(" ({:g})", evidence.params.at(parameter)),
                  evidence.comparison.wrong == 1 ? "is" : "are", threshold,
                  parameter.empty()
                      ? fmt::format(" {} is compared with another number than {:g}.",
                                    branches->tensor, threshold)
                      : fmt::format(" {}{} is compared with {} instead of {:g}.",
                                    few ? "Perhaps " : "", branches->tensor, parameter, threshold)),
      fmt::format("What is {} compared with, and what is to be on either side of {:g}?",
                  branches->tensor, threshold)};
}

}  // namespace

std::optional<Pattern> elementwise_values(const Field& field) {
  for (const double rounding : {0x1p-24, 0x1p-53}) {
    if (auto pattern = cancelled_digits(field, rounding)) return pattern;
  }
  if (auto pattern = other_side(field)) return pattern;
  return one_number_beyond(field);
}

}  // namespace convkit
