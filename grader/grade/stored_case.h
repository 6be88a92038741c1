// SPDX-License-Identifier: MIT
// Cases with references that were made before: tensors of cases.npz.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "grade/case.h"
#include "stage/stage.h"

namespace convkit {

// `stage` must outlive it.
class StoredCase final : public Case {
 public:
  StoredCase(const Stage& stage, CaseSpec spec) : stage_(stage), spec_(std::move(spec)) {}

  const CaseHead& head() const override { return spec_; }
  CaseKind kind() const override { return CaseKind::stored; }
  std::unique_ptr<Trial> trial(unsigned index) override;
  const Params* own_params() const override { return &spec_.params; }

 private:
  const Stage& stage_;
  CaseSpec spec_;
};

// Its one trial. `stage` and `spec` must outlive it.
class StoredTrial final : public Trial {
 public:
  // Reads its tensors. Throws KitError where they are not what the manifest says.
  StoredTrial(const Stage& stage, const CaseSpec& spec);

  const Params& params() const override { return spec_.params; }
  std::vector<TensorSpec> inputs() const override;
  std::vector<TensorSpec> outputs() const override;
  std::span<const std::byte> input(size_t index) const override;
  bool judge(size_t output, std::span<const std::byte> got, bool todo_reached,
             CaseResult& result) override;
  // With what a submission has put out, but not compared yet. `got` must outlive it.
  Evidence evidence_with(size_t output, std::span<const std::byte> got) const;
  std::vector<Evidence> references() const override;

 private:
  Evidence evidence_of(const OutputSpec& output) const;
  // Whether an output "dw" still is what the harness put there before the call, input "dw0".
  bool holds_initial_value(const std::string& output, std::span<const std::byte> got) const;

  const Stage& stage_;
  const CaseSpec& spec_;
  std::map<std::string, NpyArray> tensors_;
};

}  // namespace convkit
