// SPDX-License-Identifier: MIT
#include "grade/adjoint/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "convkit/kit_error.h"
#include "grade/case.h"

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

}  // namespace convkit
