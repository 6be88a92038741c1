// SPDX-License-Identifier: MIT
#include "grade/drawn_case.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "compare/precision.h"
#include "convkit/kit_error.h"
#include "grade/judge_output.h"
#include "grade/seeds.h"

namespace convkit {
namespace {

class DrawnTrial final : public Trial {
 public:
  DrawnTrial(const Stage& stage, const CaseHead& head, const DrawnTable& table,
             const std::string& seed)
      : stage_(stage), head_(head), table_(table) {
    std::mt19937_64 random = random_of(seed, "drawn " + table.name);
    for (const TensorShape& shape : table.inputs) {
      std::vector<float>& values = values_.emplace_back(static_cast<size_t>(shape.elements()));
      // Multiples of 2^-24 in (-1, 1): random signs and full significands.
      for (float& value : values) {
        value = static_cast<float>(static_cast<int64_t>(random() >> 39) - (1 << 24)) * 0x1p-24f;
      }
    }
    reference_ = computed([](float value) { return value; });
    magnitude_ = computed([](float value) { return std::fabs(value); });
  }

  const Params& params() const override { return table_.params; }
  std::vector<TensorSpec> inputs() const override {
    std::vector<TensorSpec> specs;
    for (const TensorShape& shape : table_.inputs) {
      specs.push_back({shape.name, DType::float32, shape.dims});
    }
    return specs;
  }
  std::vector<TensorSpec> outputs() const override {
    return {{table_.output.name, DType::float32, table_.output.dims}};
  }
  std::span<const std::byte> input(size_t index) const override {
    return std::as_bytes(std::span(values_[index]));
  }

  bool judge(size_t, std::span<const std::byte> got, bool todo_reached,
             CaseResult& result) override {
    Evidence evidence = expected();
    evidence.got.f32 = as<float>(got);
    return judge_output(stage_, head_, evidence, todo_reached, false, result);
  }
  std::vector<Evidence> references() const override { return {expected()}; }

 private:
  Evidence expected() const {
    Evidence evidence = evidence_of(values_);
    evidence.reference.f64 = reference_;
    evidence.magnitude = magnitude_;
    return evidence;
  }

  Evidence evidence_of(const std::vector<std::vector<float>>& values) const {
    Evidence evidence;
    evidence.op = table_.op;
    for (const auto& [name, param] : table_.params) evidence.params[name] = param.value;
    for (size_t i = 0; i < values.size(); ++i) {
      evidence.inputs.push_back({table_.inputs[i].name, table_.inputs[i].dims, values[i], {}, {}});
    }
    evidence.got = evidence.reference = {table_.output.name, table_.output.dims, {}, {}, {}};
    evidence.comparison.elements = table_.output.elements();
    evidence.tolerance = {table_.terms, stage_.unit_roundoff, stage_.factor};
    return evidence;
  }

  template <class Change>
  std::vector<double> computed(Change change) const {
    std::vector<std::vector<float>> changed = values_;
    for (auto& values : changed) {
      for (float& value : values) value = change(value);
    }
    auto result = product_sum(evidence_of(changed));
    if (!result || static_cast<int64_t>(result->size()) != table_.output.elements()) {
      throw KitError(
          fmt::format("[[drawn]] {}: no model computes {} on this shape.", table_.name, table_.op));
    }
    return std::move(*result);
  }

  const Stage& stage_;
  const CaseHead& head_;
  const DrawnTable& table_;
  std::vector<std::vector<float>> values_;
  std::vector<double> reference_, magnitude_;
};

class DrawnCase final : public Case {
 public:
  DrawnCase(const Stage& stage, const DrawnTable& table, std::string seed, bool hidden)
      : stage_(stage),
        table_(table),
        head_{table.name, table.op, table.task, table.group, table.title + ".", hidden},
        seed_(std::move(seed)) {}

  const CaseHead& head() const override { return head_; }
  CaseKind kind() const override { return CaseKind::drawn; }
  std::unique_ptr<Trial> trial(unsigned) override {
    return std::make_unique<DrawnTrial>(stage_, head_, table_, seed_);
  }

 private:
  const Stage& stage_;
  const DrawnTable& table_;
  CaseHead head_;
  std::string seed_;
};

}  // namespace

std::vector<std::unique_ptr<Case>> drawn_cases(const Stage& stage, const std::string& seed,
                                               bool hidden) {
  std::vector<std::unique_ptr<Case>> cases;
  for (const DrawnTable& table : stage.drawn) {
    cases.push_back(std::make_unique<DrawnCase>(stage, table, seed, hidden));
  }
  return cases;
}

}  // namespace convkit
