// SPDX-License-Identifier: MIT
#include "grade/adjoint/adjoint_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "compare/diagnose.h"
#include "compare/judge.h"
#include "compare/precision.h"
#include "convkit/kit_error.h"
#include "grade/adjoint/identity.h"
#include "grade/case.h"
#include "grade/seeds.h"

namespace convkit {

void AdjointBaseline::must(const Answer& answer) {
  if (answer.kind == Answer::Kind::ok) return;
  session_.reset();
  if (answer.kind == Answer::Kind::interrupted) throw KitError("Interrupted.");
  throw KitError(fmt::format("{} of the baseline failed on {} ({}).", name_, draw_->params_text(),
                             answer.text.empty() ? "its process ended" : answer.text));
}

void AdjointBaseline::prepare(const AdjointOp& op, const AdjointDraw& draw) {
  if (!why_not_.empty()) {
    throw KitError(fmt::format("The baseline does not build: {}", why_not_));
  }
  name_ = op.op;
  draw_ = &draw;
  std::vector<TensorSpec> inputs;
  for (const std::string& name : op.inputs) {
    inputs.push_back({name, DType::float32, draw.shapes.at(name).dims});
  }
  inputs_ = std::make_unique<SharedArena>(std::move(inputs));
  outputs_ = std::make_unique<SharedArena>(
      std::vector<TensorSpec>{{op.output, DType::float32, draw.shapes.at(op.pair).dims}});
  if (!session_) {
    session_ = std::make_unique<Session>(options_);
    must(session_->start());
  }
  must(session_->prepare(op.op, draw.params, *inputs_, *outputs_));
}

std::vector<float> AdjointBaseline::forward(const std::string& replaced,
                                            std::span<const float> values, bool magnitudes) {
  for (size_t i = 0; i < inputs_->tensors().size(); ++i) {
    const std::string& name = inputs_->tensors()[i].name;
    const std::span<const float> source =
        name == replaced ? values : std::span<const float>(draw_->values.at(name));
    auto* target = reinterpret_cast<float*>(inputs_->bytes(i).data());
    for (size_t k = 0; k < source.size(); ++k) {
      target[k] = magnitudes ? std::fabs(source[k]) : source[k];
    }
  }
  outputs_->poison();
  must(session_->run_timed(1));
  const std::span<const float> shared = as<float>(outputs_->bytes(0));
  return {shared.begin(), shared.end()};
}

namespace {

// One check of a table.
class AdjointCase final : public Case {
 public:
  AdjointCase(const Stage& stage, const AdjointTable& table, const AdjointCheck& check,
              std::string seed, bool hidden, AdjointBaseline& baseline)
      : stage_(stage),
        table_(table),
        check_(check),
        head_{case_name(table, check), check.op, check.task, check.group,
              table.title + ".",       hidden},
        seed_(std::move(seed)),
        baseline_(baseline) {}

  const CaseHead& head() const override { return head_; }
  CaseKind kind() const override { return CaseKind::adjoint; }
  unsigned trials() const override { return table_.trials(); }
  std::unique_ptr<Trial> trial(unsigned index) override;

 private:
  friend class AdjointTrial;

  const Stage& stage_;
  const AdjointTable& table_;
  const AdjointCheck& check_;
  CaseHead head_;
  std::string seed_;
  AdjointBaseline& baseline_;
  // A shape was drawn on which an output of zeros would fail.
  bool powerful_ = false;
};

class AdjointTrial final : public Trial {
 public:
  AdjointTrial(AdjointCase& adjoint, unsigned index)
      : adjoint_(adjoint),
        index_(index),
        draw_(draw_adjoint(adjoint.table_, adjoint.seed_, index)) {}

  const Params& params() const override { return draw_.params; }
  std::vector<TensorSpec> inputs() const override {
    std::vector<TensorSpec> specs;
    for (const std::string& name : check().inputs) {
      specs.push_back({name, DType::float32, draw_.shapes.at(name).dims});
    }
    return specs;
  }
  std::vector<TensorSpec> outputs() const override {
    return {{check().output, DType::float32, draw_.shapes.at(check().pair).dims}};
  }
  std::span<const std::byte> input(size_t index) const override {
    return std::as_bytes(std::span(draw_.values.at(check().inputs[index])));
  }

  bool judge(size_t, std::span<const std::byte> bytes, bool todo_reached,
             CaseResult& result) override {
    const std::span<const float> got = as<float>(bytes);
    const auto patterns = as<uint32_t>(bytes);
    const auto unwritten = static_cast<size_t>(std::ranges::count_if(
        patterns, [](uint32_t bits) { return is_unwritten(bits) || is_from_unwritten(bits); }));
    if (unwritten == got.size() && todo_reached) {
      tell_not_started(adjoint_.head(), result);
      return false;
    }
    const AdjointScene scene{adjoint_.table_, check(), draw_, adjoint_.seed_, index_};
    const auto nans = static_cast<size_t>(
        std::ranges::count_if(got, [](float value) { return !std::isfinite(value); }));
    if (nans > 0) {
      describe_not_finite(scene, got.size(), unwritten, nans - unwritten, result);
      return false;
    }
    const AdjointFinding finding = tested(got);
    if (finding.wrong > 0) {
      describe_finding(scene, finding, result);
      if (!adjoint_.head().hidden) look_at_output(got, finding, result);
      return false;
    }
    // A shape on which every output is zero tests nothing, and neither does a table that has only
    // such shapes.
    adjoint_.powerful_ = adjoint_.powerful_ || !finding.powerless;
    if (index_ + 1 == adjoint_.trials() && !adjoint_.powerful_) {
      throw KitError(
          fmt::format("[[adjoint]] {}: an output of zeros would pass on every shape drawn.",
                      adjoint_.table_.name));
    }
    return true;
  }

 private:
  const AdjointCheck& check() const { return adjoint_.check_; }

  // All that the output is judged by but what is right.
  Evidence evidence_of(std::span<const float> got) const {
    const Stage& stage = adjoint_.stage_;
    Evidence evidence;
    evidence.op = check().op;
    evidence.libraries = stage.libraries;
    evidence.on_device = stage.device == "gpu";
    evidence.by_library = std::ranges::find(stage.by_library, check().op) != stage.by_library.end();
    for (const auto& [name, param] : draw_.params) evidence.params[name] = param.value;
    for (const std::string& name : check().inputs) {
      evidence.inputs.push_back({name, draw_.shapes.at(name).dims, draw_.values.at(name), {}, {}});
    }
    const std::vector<int64_t>& dims = draw_.shapes.at(check().pair).dims;
    evidence.got = {check().output, dims, got, {}, {}};
    evidence.reference = {check().output, dims, {}, {}, {}};
    evidence.comparison.elements = std::ssize(got);
    evidence.tolerance = {static_cast<double>(check().terms.value(draw_.params)),
                          stage.unit_roundoff, stage.factor};
    return evidence;
  }

  // Where a model computes what is right, the output as a whole may say which mistake it is. (The
  // verdict is the identity's, which needs no model.)
  void look_at_output(std::span<const float> got, const AdjointFinding& finding,
                      CaseResult& result) const {
    Evidence evidence = evidence_of(got);
    const auto right = product_sum(evidence);
    if (!right || right->size() != got.size() || finding.element < 0) return;
    Evidence positive = evidence;
    std::vector<std::vector<float>> magnitudes;
    for (CaseTensor& input : positive.inputs) {
      std::vector<float>& values = magnitudes.emplace_back(input.f32.begin(), input.f32.end());
      for (float& value : values) value = std::fabs(value);
      input.f32 = values;
    }
    const auto magnitude = product_sum(positive);
    if (!magnitude) return;
    const auto element = static_cast<size_t>(finding.element);
    constexpr double kNear = 1e-3;  // of an element that was computed in float
    if (!(std::fabs((*right)[element] - finding.expected) <= kNear * (*magnitude)[element])) return;
    evidence.reference.f64 = *right;
    evidence.magnitude = *magnitude;
    evidence.comparison =
        compare(got, evidence.reference.f64, evidence.magnitude, evidence.tolerance);
    if (evidence.comparison.passed()) return;
    result.symptoms = examine(evidence);
    std::erase_if(result.symptoms.guesses, [](const Guess& guess) { return !guess.predicts(); });
    result.symptoms.facts = result.message;
    result.symptoms.hint = result.hint;
    result.map = result.symptoms.map;
  }

  AdjointFinding tested(std::span<const float> got) const {
    const AdjointOp& forward = adjoint_.table_.forward;
    AdjointBound bound;
    bound.forward_terms = static_cast<double>(forward.terms.value(draw_.params));
    bound.own_terms = static_cast<double>(check().terms.value(draw_.params));
    bound.own_roundoff = adjoint_.stage_.unit_roundoff;
    bound.factor = adjoint_.stage_.factor;
    AdjointBaseline& baseline = adjoint_.baseline_;
    const auto held = baseline.hold();
    baseline.prepare(forward, draw_);
    return test_adjoint(
        draw_, check().pair, forward.pair, got, bound,
        random_of(adjoint_.seed_, fmt::format("{} {} parts", adjoint_.head().name, index_)),
        [&](const std::string& replaced, std::span<const float> values, bool magnitudes) {
          return baseline.forward(replaced, values, magnitudes);
        });
  }

  AdjointCase& adjoint_;
  unsigned index_;
  AdjointDraw draw_;
};

std::unique_ptr<Trial> AdjointCase::trial(unsigned index) {
  if (index == 0) powerful_ = false;
  return std::make_unique<AdjointTrial>(*this, index);
}

}  // namespace

std::vector<std::unique_ptr<Case>> adjoint_cases(const Stage& stage, const std::string& seed,
                                                 bool hidden, AdjointBaseline& baseline) {
  std::vector<std::unique_ptr<Case>> cases;
  for (const AdjointTable& table : stage.adjoint) {
    for (const AdjointCheck& check : table.checks) {
      cases.push_back(std::make_unique<AdjointCase>(stage, table, check, seed, hidden, baseline));
    }
  }
  return cases;
}

}  // namespace convkit
