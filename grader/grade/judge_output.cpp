// SPDX-License-Identifier: MIT
#include "grade/judge_output.h"

#include <optional>
#include <utility>

#include "compare/compare.h"
#include "compare/precision.h"

namespace convkit {
namespace {

// False, as the output is wrong.
bool tell(Diagnosis diagnosis, CaseResult& result) {
  result.status = Status::wrong;
  result.message = std::move(diagnosis.message);
  result.map = std::move(diagnosis.map);
  result.hint = std::move(diagnosis.hint);
  result.mistake = std::move(diagnosis.id);
  return false;
}

}  // namespace

Comparison compared(const Evidence& evidence) {
  if (evidence.got.f32.empty()) return compare_int(evidence.got.i32, evidence.reference.i32);
  return compare(evidence.got.f32, evidence.reference.f64, evidence.magnitude, evidence.tolerance);
}

bool judge_output(const Stage& stage, const CaseHead& head, Evidence& evidence, bool todo_reached,
                  bool untouched, CaseResult& result) {
  evidence.comparison = compared(evidence);
  const auto factors = stage.products.find(head.op);
  const bool sums_products = factors != stage.products.end();
  if (evidence.comparison.passed()) {
    auto imprecise = sums_products ? judge_precision(evidence, factors->second) : std::nullopt;
    return !imprecise || tell(std::move(*imprecise), result);
  }
  const bool nothing_written = evidence.comparison.unwritten == evidence.comparison.elements;
  if (todo_reached && (nothing_written || untouched)) {
    tell_not_started(head, result);
    return false;
  }
  result.symptoms = examine(evidence);
  for (Guess& guess : result.symptoms.guesses) {
    if (!sums_products || guess.id != "lost_precision") continue;
    const std::string lost = lost_inputs_sentence(evidence, factors->second);
    if (!lost.empty()) guess.sentence += '\n' + lost;
  }
  return tell(diagnosis_of(result.symptoms, result.symptoms.guesses), result);
}

}  // namespace convkit
