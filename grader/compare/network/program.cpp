// SPDX-License-Identifier: MIT
#include "compare/network/program.h"

#include <utility>

#include "compare/network/op_run.h"

namespace convkit {

bool NetworkOp::by_image() const {
  switch (kind) {
    case OpKind::pixels:
    case OpKind::convolution:
    case OpKind::pool_max:
    case OpKind::pool_average:
    case OpKind::relu:
    case OpKind::dense:
    case OpKind::normalise_by_running:
    case OpKind::reordered:
      return true;
    case OpKind::softmax:
      return choice != Choice::whole_batch && choice != Choice::columns;
    default:
      return false;
  }
}

int NetworkProgram::add(std::string name, int64_t size, std::vector<double> given) {
  values.push_back({std::move(name), size, std::move(given)});
  return int(values.size()) - 1;
}

NetworkRun::NetworkRun(const NetworkProgram& program)
    : NetworkRun(program, *this, std::vector<bool>(program.ops.size(), true), -1) {}

NetworkRun::NetworkRun(const NetworkProgram& program, const NetworkRun& right,
                       const std::vector<bool>& changed, int64_t image)
    : right_(&right == this ? nullptr : &right), own_(program.values.size()) {
  for (const NetworkValue& value : program.values) given_.push_back(&value.given);
  std::vector<std::vector<double>> outputs;
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const NetworkOp& op = program.ops[i];
    bool differs = changed[i];
    for (const int in : op.in) differs = differs || own_[size_t(in)].has_value();
    if (!differs) continue;
    std::vector<const std::vector<double>*> inputs;
    for (const int in : op.in) inputs.push_back(&of(in));
    outputs.assign(op.out.size(), {});
    // Other images keep what they have.
    for (size_t k = 0; right_ && image >= 0 && k < op.out.size(); ++k) {
      if (size_t(op.out[k]) < right_->own_.size()) outputs[k] = right_->of(op.out[k]);
    }
    compute_op(op, inputs, image, outputs);
    work_ += work_of(op) / (image >= 0 && op.by_image() ? op.n : 1);
    for (size_t k = 0; k < op.out.size(); ++k) own_[size_t(op.out[k])] = std::move(outputs[k]);
  }
}

const std::vector<double>& NetworkRun::of(int value) const {
  const size_t at = size_t(value);
  if (own_[at]) return *own_[at];
  if (right_ && at < right_->own_.size() && right_->own_[at]) return *right_->own_[at];
  return *given_[at];
}

}  // namespace convkit
