// SPDX-License-Identifier: MIT
#include "grade/stored_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare/diagnose.h"
#include "convkit/kit_error.h"
#include "grade/judge_output.h"

namespace convkit {
namespace {

CaseTensor tensor_of(const std::string& name, const NpyArray& array) {
  CaseTensor tensor{name, array.dims, {}, {}, {}};
  const std::span<const std::byte> bytes(array.bytes);
  if (array.dtype == DType::float32) tensor.f32 = as<float>(bytes);
  if (array.dtype == DType::float64) tensor.f64 = as<double>(bytes);
  if (array.dtype == DType::int32) tensor.i32 = as<int32_t>(bytes);
  return tensor;
}

// A bound of NaN fails every output and an infinite one passes any: neither is the student's doing.
void check_magnitude(std::span<const double> magnitude, const CaseSpec& spec,
                     const OutputSpec& output) {
  if (std::all_of(magnitude.begin(), magnitude.end(),
                  [](double value) { return value >= 0 && std::isfinite(value); })) {
    return;
  }
  throw KitError(fmt::format("{}/mag.{} in {} holds a value that is negative or not finite.",
                             spec.name, output.name, spec.archive.string()));
}

}  // namespace

std::unique_ptr<Trial> StoredCase::trial(unsigned) {
  return std::make_unique<StoredTrial>(stage_, spec_);
}

StoredTrial::StoredTrial(const Stage& stage, const CaseSpec& spec)
    : stage_(stage), spec_(spec), tensors_(load_tensors(spec)) {}

std::vector<TensorSpec> StoredTrial::inputs() const {
  std::vector<TensorSpec> specs;
  for (const std::string& name : spec_.inputs) {
    const NpyArray& array = tensors_.at("in." + name);
    specs.push_back({name, array.dtype, array.dims});
  }
  return specs;
}

std::vector<TensorSpec> StoredTrial::outputs() const {
  std::vector<TensorSpec> specs;
  for (const OutputSpec& output : spec_.outputs) {
    const NpyArray& expected = tensors_.at("out." + output.name);
    specs.push_back({output.name, expected.dtype == DType::int32 ? DType::int32 : DType::float32,
                     expected.dims});
  }
  return specs;
}

std::span<const std::byte> StoredTrial::input(size_t index) const {
  return tensors_.at("in." + spec_.inputs[index]).bytes;
}

Evidence StoredTrial::evidence_of(const OutputSpec& output) const {
  const NpyArray& expected = tensors_.at("out." + output.name);
  Evidence evidence;
  evidence.op = spec_.op;
  evidence.libraries = stage_.libraries;
  evidence.on_device = stage_.device == "gpu";
  evidence.by_library = std::ranges::find(stage_.by_library, spec_.op) != stage_.by_library.end();
  if (const auto calls = stage_.calls.find(spec_.op); calls != stage_.calls.end()) {
    evidence.calls = calls->second;
  }
  for (const auto& [name, param] : spec_.params) evidence.params[name] = param.value;
  for (const std::string& name : spec_.inputs) {
    evidence.inputs.push_back(tensor_of(name, tensors_.at("in." + name)));
  }
  evidence.reference = tensor_of(output.name, expected);
  evidence.got = {output.name, expected.dims, {}, {}, {}};
  evidence.comparison.elements =
      int64_t(std::max(evidence.reference.f64.size(), evidence.reference.i32.size()));
  const auto of_op = stage_.elements.find(spec_.op);
  if (of_op != stage_.elements.end() && of_op->second.contains(output.name)) {
    evidence.got.elements = of_op->second.at(output.name);
  }
  const auto values = stage_.values.find(spec_.op);
  if (values != stage_.values.end() && values->second.contains(output.name)) {
    evidence.got.values = values->second.at(output.name);
  }
  evidence.comparison.elements =
      int64_t(std::max(evidence.reference.f64.size(), evidence.reference.i32.size()));
  evidence.tolerance = {output.terms, stage_.unit_roundoff, stage_.factor};
  const auto magnitude = tensors_.find("mag." + output.name);
  if (magnitude != tensors_.end()) {
    evidence.magnitude = magnitude->second.values<double>();
    check_magnitude(evidence.magnitude, spec_, output);
  }
  return evidence;
}

std::vector<Evidence> StoredTrial::references() const {
  std::vector<Evidence> all;
  for (const OutputSpec& output : spec_.outputs) all.push_back(evidence_of(output));
  return all;
}

Evidence StoredTrial::evidence_with(size_t index, std::span<const std::byte> got) const {
  Evidence evidence = evidence_of(spec_.outputs[index]);
  if (evidence.reference.i32.empty()) {
    evidence.got.f32 = as<float>(got);
  } else {
    evidence.got.i32 = as<int32_t>(got);
  }
  return evidence;
}

bool StoredTrial::judge(size_t index, std::span<const std::byte> got, bool todo_reached,
                        CaseResult& result) {
  const OutputSpec& output = spec_.outputs[index];
  Evidence evidence = evidence_with(index, got);
  return judge_output(stage_, spec_, evidence, todo_reached,
                      todo_reached && holds_initial_value(output.name, got), result);
}

bool StoredTrial::holds_initial_value(const std::string& output,
                                      std::span<const std::byte> got) const {
  const auto initial = tensors_.find("in." + output + "0");
  return initial != tensors_.end() && std::ranges::equal(initial->second.bytes, got);
}

}  // namespace convkit
