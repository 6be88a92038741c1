// SPDX-License-Identifier: MIT
// A case with references that were made before: tensors of cases.npz.
#pragma once

#include <map>
#include <string>

#include "grade/case_material.h"
#include "stage/cases.h"

namespace convkit {

class StoredCase final : public CaseMaterial {
 public:
  // Reads its tensors. Throws KitError where it is not what the manifest says.
  StoredCase(const Stage& stage, const CaseSpec& spec);

  const Params& params() const override { return spec_.params; }
  std::vector<TensorSpec> inputs() const override;
  std::vector<TensorSpec> outputs() const override;
  std::span<const std::byte> input(size_t index) const override;
  bool judge(size_t output, std::span<const std::byte> got, bool todo_reached,
             CaseResult& result) override;

 private:
  // Whether an output "dw" still is what the harness put there before the call, input "dw0".
  bool holds_initial_value(const std::string& output, std::span<const std::byte> got) const;

  const Stage& stage_;
  const CaseSpec& spec_;
  std::map<std::string, NpyArray> tensors_;
};

}  // namespace convkit
