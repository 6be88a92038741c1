// SPDX-License-Identifier: MIT
#include "grade/adjoint/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare/wording.h"

namespace convkit {
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
