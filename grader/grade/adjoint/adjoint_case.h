// SPDX-License-Identifier: MIT
// The checks of the [[adjoint]] tables as cases: drawn on the spot, judged by the identity.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "grade/adjoint/draw.h"
#include "grade/case.h"
#include "session/session.h"

namespace convkit {

// The forward operation of an [[adjoint]] table, computed by the stage's baseline in a separate
// process.
class AdjointBaseline {
 public:
  AdjointBaseline() = default;
  explicit AdjointBaseline(SessionOptions options) : options_(std::move(options)) {}
  // A baseline that did not build: every use of it fails and says why.
  explicit AdjointBaseline(std::string why_not) : why_not_(std::move(why_not)) {}

  // For as long as a thread needs the baseline for one draw: another may judge a case as well.
  std::unique_lock<std::mutex> hold() { return std::unique_lock(*mutex_); }

  // The shape and the tensors that forward() is about from now on.
  void prepare(const AdjointOp& op, const AdjointDraw& draw);
  // The output with `values` in place of the tensor `replaced`; `magnitudes`: on absolute values.
  // Throws KitError where the baseline fails: it is the kit's own code.
  std::vector<float> forward(const std::string& replaced, std::span<const float> values,
                             bool magnitudes);

 private:
  void must(const Answer& answer);

  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  SessionOptions options_;
  std::string why_not_;
  std::unique_ptr<Session> session_;
  std::string name_;  // of the operation
  const AdjointDraw* draw_ = nullptr;
  std::unique_ptr<SharedArena> inputs_, outputs_;
};

// The cases of a stage for one seed. `stage` and `baseline`, which all of them ask, must outlive
// them.
std::vector<std::unique_ptr<Case>> adjoint_cases(const Stage& stage, const std::string& seed,
                                                 bool hidden, AdjointBaseline& baseline);

}  // namespace convkit
