// SPDX-License-Identifier: MIT
#include "grade/judge_output.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "compare/compare.h"
#include "compare/precision.h"
#include "compare/wording.h"
#include "grade/case.h"

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

namespace {

std::string value_text(const TensorSpec& tensor, std::span<const std::byte> bytes, size_t index) {
  if (tensor.dtype == DType::int32) return std::to_string(as<int32_t>(bytes)[index]);
  if (tensor.dtype == DType::float32) return fmt::format("{:.9g}", as<float>(bytes)[index]);
  if (tensor.dtype == DType::float64) return fmt::format("{:.17g}", as<double>(bytes)[index]);
  return std::to_string(static_cast<int>(bytes[index]));
}

}  // namespace

bool judge_same_bits(const std::string& op, const TensorSpec& tensor,
                     std::span<const std::byte> first, std::span<const std::byte> again,
                     CaseResult& result) {
  const size_t size = size_of(tensor.dtype);
  const size_t elements = first.size() / size;
  size_t different = 0, first_different = 0;
  for (size_t i = elements; i-- > 0;) {
    if (std::memcmp(&first[i * size], &again[i * size], size) == 0) continue;
    ++different;
    first_different = i;
  }
  if (different == 0) return true;
  result.status = Status::wrong;
  result.mistake = "not_deterministic";
  result.message = fmt::format(
      "{} was run again on the same inputs, and {} of {} elements of `{}` have other bits.\n"
      "First: {} was {} and then {}. Both are within the error bound.\n"
      "Float addition rounds, so (a + b) + c and a + (b + c) differ: if blocks and threads add to "
      "one element in any order, every run gives other bits.",
      op, different, elements, tensor.name,
      element_name(tensor.name, tensor.dims, static_cast<int64_t>(first_different)),
      value_text(tensor, first, first_different), value_text(tensor, again, first_different));
  result.hint =
      "Look for atomicAdd on floats. Let each block write its sum to its own element of a buffer. "
      "In a second kernel, let one thread for each element add these sums in a fixed order.";
  return false;
}

}  // namespace convkit
