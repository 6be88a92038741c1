// SPDX-License-Identifier: MIT
#include "grade/adjoint/identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "compare/compare.h"
#include "compare/wording.h"

namespace convkit {
namespace {

double inner(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

double inner_of_magnitudes(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::fabs(double(a[i]) * double(b[i]));
  return sum;
}

// The elements in random order: consecutive ones form a part.
std::vector<size_t> shuffled_elements(size_t count, std::mt19937_64& random) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  // Not std::shuffle, which may draw in another way elsewhere.
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

class Tester {
 public:
  Tester(const AdjointDraw& draw, const std::string& pair, const std::string& dual,
         const AdjointBound& bound, const ForwardCall& forward)
      : values_(draw.values.at(pair)),
        dual_(draw.values.at(dual)),
        pair_(pair),
        bound_(bound),
        forward_(forward),
        probe_(values_.size(), 0.0f) {}

  // Both sides for x on these elements, zero elsewhere.
  AdjointPart part(std::span<const size_t> elements, std::span<const float> got) {
    for (const size_t i : elements) probe_[i] = values_[i];
    AdjointPart part;
    part.forward = inner(forward_(pair_, probe_, false), dual_);
    // Not all of `got`: where the probe is zero, an infinity would make a NaN.
    for (const size_t i : elements) part.own += double(values_[i]) * double(got[i]);
    const double magnitude = inner_of_magnitudes(forward_(pair_, probe_, true), dual_);
    const auto additions = static_cast<double>(dual_.size() + elements.size());
    part.allowed = (bound_.relative() + 2 * additions * 0x1p-53) * magnitude /
                   (1 - Tolerance{bound_.forward_terms, 0x1p-24, 1}.gamma());
    for (const size_t i : elements) probe_[i] = 0;
    return part;
  }

  double value(size_t i) const { return values_[i]; }

 private:
  std::span<const float> values_, dual_;
  std::string pair_;
  AdjointBound bound_;
  const ForwardCall& forward_;
  std::vector<float> probe_;
};

}  // namespace

bool AdjointPart::agrees() const {
  return std::fabs(forward - own) <= allowed;
}

double AdjointPart::ratio() const {
  const double difference = std::fabs(forward - own);
  if (difference == 0) return 0;
  if (!std::isfinite(difference) || allowed == 0) return std::numeric_limits<double>::infinity();
  return difference / allowed;
}

double AdjointBound::relative() const {
  return Tolerance{forward_terms, 0x1p-24, 1}.gamma() +
         factor * Tolerance{own_terms, own_roundoff, 1}.gamma();
}

// With p for the mean magnitude of a product, 0.42: a part of g elements has S = g n p; the wrong
// sign of a product changes its sum by twice that product, 1/4 or more.
size_t parts_wanted(size_t elements, const AdjointBound& bound) {
  constexpr double kMean = 0.42, kLeast = 0.25;
  const double most = kLeast / (kMean * bound.own_terms * bound.relative());  // elements in a part
  const auto wanted = std::ceil(static_cast<double>(elements) / std::max(1.0, std::floor(most)));
  return std::clamp<size_t>(static_cast<size_t>(wanted), std::min(elements, kFewestParts),
                            std::min(elements, kMostParts));
}

AdjointFinding test_adjoint(const AdjointDraw& draw, const std::string& pair,
                            const std::string& dual, std::span<const float> got,
                            const AdjointBound& bound, std::mt19937_64 random,
                            const ForwardCall& forward) {
  AdjointFinding finding;
  const std::vector<size_t> order = shuffled_elements(got.size(), random);
  const size_t count = parts_wanted(got.size(), bound);
  const auto elements_of = [&](size_t part) {
    const size_t begin = got.size() * part / count, end = got.size() * (part + 1) / count;
    return std::span(order).subspan(begin, end - begin);
  };
  Tester tester(draw, pair, dual, bound, forward);
  finding.powerless = true;
  for (size_t k = 0; k < count; ++k) {
    const AdjointPart part = tester.part(elements_of(k), got);
    finding.wrong += !part.agrees();
    finding.powerless = finding.powerless && std::fabs(part.forward) <= part.allowed;
    finding.parts.push_back(part);
    if (!(part.ratio() <= finding.parts[finding.worst].ratio())) finding.worst = k;
  }
  if (finding.wrong == 0) return finding;
  double worst_ratio = 1;
  for (const size_t i : elements_of(finding.worst)) {
    const size_t one[] = {i};
    const AdjointPart part = tester.part(one, got);
    if (part.agrees() || part.ratio() < worst_ratio) continue;
    worst_ratio = part.ratio();
    finding.element = static_cast<int64_t>(i);
    finding.expected = part.forward / tester.value(i);
    finding.got = got[i];
  }
  return finding;
}

namespace {

// "conv2d_xgrad_gather(dy, w)"
std::string call_text(const AdjointOp& op) {
  return fmt::format("{}({})", op.op, fmt::join(op.inputs, ", "));
}

std::string shape_text(const AdjointScene& scene) {
  return fmt::format("Shape {} of {}, drawn with seed \"{}\": {}.", scene.trial + 1,
                     scene.table.trials(), scene.seed, scene.draw.params_text());
}

// The same wrong factor on every part: what it is, or "".
std::string common_factor(const AdjointFinding& finding) {
  const auto all = [&](double factor) {
    return std::ranges::all_of(finding.parts, [&](const AdjointPart& part) {
      return std::fabs(part.own - factor * part.forward) <=
             std::max(1.0, std::fabs(factor)) * part.allowed;
    });
  };
  if (all(0)) return "Every part is zero.";
  if (all(-1)) return "Every part has the wrong sign.";
  if (all(2)) return "Every part is twice what it should be: is something added to what was there?";
  return "";
}

}  // namespace

void describe_not_finite(const AdjointScene& scene, size_t elements, size_t unwritten, size_t other,
                         CaseResult& result) {
  result.status = Status::wrong;
  std::string what;
  if (unwritten > 0) what = fmt::format("{} were never written", unwritten);
  if (other > 0) what += fmt::format("{}{} are NaN or infinite", what.empty() ? "" : ", ", other);
  result.message = fmt::format("Of the {} elements of `{}`, {}.\n{}", elements, scene.check.output,
                               what, shape_text(scene));
  result.hint = "Elements that nothing contributes to are zero, and must be written, too.";
}

void describe_finding(const AdjointScene& scene, const AdjointFinding& finding,
                      CaseResult& result) {
  const AdjointCheck& check = scene.check;
  const AdjointOp& forward = scene.table.forward;
  const AdjointPart& worst = finding.parts[finding.worst];
  result.status = Status::wrong;
  result.mistake = "not_adjoint";
  for (const auto& [name, param] : scene.draw.params) result.drawn[name] = param.value;
  result.message = fmt::format(
      "<{0}, {1}> must equal <{2}, {3}> for every {0}: "
      "both sums have the same products, only in another order.\n"
      "They differ on {4} of {5} parts of {0}. The worst: {6:.6g} instead of {7:.6g}, {8:.3g} "
      "apart, {9:.3g} times what rounding can explain.",
      check.pair, call_text(check), call_text(forward), forward.pair, finding.wrong,
      finding.parts.size(), worst.own, worst.forward, std::fabs(worst.own - worst.forward),
      worst.ratio());
  if (const std::string factor = common_factor(finding); !factor.empty()) {
    result.message += " " + factor;
  }
  if (finding.element >= 0) {
    result.message += fmt::format(
        "\nOne wrong element: {} should be {:.6g} and is {:.6g}.",
        element_name(check.output, scene.draw.shapes.at(check.pair).dims, finding.element),
        finding.expected, finding.got);
  }
  result.message += fmt::format("\nThe kit computed {}, so the error is in {}. {}", forward.op,
                                check.op, shape_text(scene));
  result.hint = fmt::format(
      "Take one element of {0}. List the outputs of {1} that it "
      "contributes to, each with its factor. For this element, {2} must "
      "add up exactly these products, with {3} in place of the outputs.",
      check.pair, forward.op, check.op, forward.pair);
}

}  // namespace convkit
