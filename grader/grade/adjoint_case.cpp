// SPDX-License-Identifier: MIT
#include "grade/adjoint_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "compare/judge.h"
#include "convkit/kit_error.h"
#include "convkit/sha256.h"
#include "grade/adjoint_report.h"

namespace convkit {
namespace {

// One trial of one check.
class AdjointTrial final : public CaseMaterial {
 public:
  AdjointTrial(const Stage& stage, const AdjointCase& adjoint, unsigned trial,
               AdjointBaseline& baseline, bool& powerful)
      : stage_(stage),
        adjoint_(adjoint),
        trial_(trial),
        baseline_(baseline),
        powerful_(powerful),
        draw_(draw_adjoint(*adjoint.table, adjoint.seed, trial)) {}

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
      result.status = Status::not_started;
      result.message =
          fmt::format("Task {} is not started: {} wrote nothing.", check().task, check().op);
      return false;
    }
    const AdjointScene scene{*adjoint_.table, check(), draw_, adjoint_.seed, trial_};
    const auto nans = static_cast<size_t>(
        std::ranges::count_if(got, [](float value) { return !std::isfinite(value); }));
    if (nans > 0) {
      describe_not_finite(scene, got.size(), unwritten, nans - unwritten, result);
      return false;
    }
    const AdjointOp& forward = adjoint_.table->forward;
    AdjointBound bound;
    bound.forward_terms = static_cast<double>(forward.terms.value(draw_.params));
    bound.own_terms = static_cast<double>(check().terms.value(draw_.params));
    bound.own_roundoff = stage_.unit_roundoff;
    bound.factor = stage_.factor;
    baseline_.prepare(forward, draw_);
    const AdjointFinding finding = test_adjoint(
        draw_, check().pair, forward.pair, got, bound,
        random_of(adjoint_.seed, fmt::format("{} {} parts", adjoint_.spec.name, trial_)),
        [&](const std::string& replaced, std::span<const float> values, bool magnitudes) {
          return baseline_.forward(replaced, values, magnitudes);
        });
    powerful_ = powerful_ || !finding.powerless;
    if (finding.wrong == 0) return true;
    describe_finding(scene, finding, result);
    return false;
  }

 private:
  const AdjointCheck& check() const { return *adjoint_.check; }

  const Stage& stage_;
  const AdjointCase& adjoint_;
  unsigned trial_;
  AdjointBaseline& baseline_;
  bool& powerful_;
  AdjointDraw draw_;
};

}  // namespace

std::string hidden_seed(const std::filesystem::path& manifest) {
  std::ifstream in(manifest, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw KitError(fmt::format("{} cannot be read.", manifest.string()));
  return sha256_hex("adjoint\n" + text.str());
}

std::vector<AdjointCase> adjoint_cases(const Stage& stage, const std::string& seed, bool hidden) {
  std::vector<AdjointCase> cases;
  for (const AdjointTable& table : stage.adjoint) {
    for (const AdjointCheck& check : table.checks) {
      AdjointCase adjoint;
      adjoint.spec.name = case_name(table, check);
      adjoint.spec.op = check.op;
      adjoint.spec.task = check.task;
      adjoint.spec.group = check.group;
      adjoint.spec.summary = table.title + ".";
      adjoint.spec.hidden = hidden;
      adjoint.table = &table;
      adjoint.check = &check;
      adjoint.seed = seed;
      cases.push_back(std::move(adjoint));
    }
  }
  return cases;
}

CaseResult run_adjoint(CaseRunner& runner, const Stage& stage, const AdjointCase& adjoint,
                       AdjointBaseline& baseline) {
  // Shapes on which every output is zero show nothing, and a table with none but such is no test.
  bool powerful = false;
  const unsigned trials = adjoint.table->trials();
  CaseResult result = runner.run(adjoint.spec, trials, [&](unsigned trial) {
    return std::make_unique<AdjointTrial>(stage, adjoint, trial, baseline, powerful);
  });
  if (result.status == Status::pass && !powerful) {
    result.status = Status::grader_error;
    result.message = fmt::format(
        "[[adjoint]] {}: an output of zeros would pass on every shape drawn. Your code was not "
        "judged on this case and no points were lost.",
        adjoint.table->name);
  }
  return result;
}

}  // namespace convkit
