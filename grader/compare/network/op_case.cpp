// SPDX-License-Identifier: MIT
#include "compare/network/op_case.h"

#include <map>
#include <utility>

#include "compare/formula/value.h"
#include "compare/network/op_run.h"

namespace convkit {
namespace {

using Dims = std::vector<int64_t>;

struct Tensor {
  const char* name;
  Dims dims;
};

// The operation as the stages' cases name it.
struct Form {
  const char* op = "";
  std::vector<const char*> inputs;
  std::vector<Tensor> outputs;
  std::map<std::string, double> params;
};

std::map<std::string, double> window(const NetworkOp& op, int64_t stride_h, int64_t stride_w) {
  return {{"n", op.n},
          {"c", op.c},
          {"h", op.h},
          {"w", op.w},
          {"m", op.m},
          {"kh", op.kh},
          {"kw", op.kw},
          {"pad_h", op.pad},
          {"pad_w", op.pad},
          {"stride_h", stride_h},
          {"stride_w", stride_w},
          {"dilation_h", 1},
          {"dilation_w", 1},
          {"groups", 1},
          {"accumulate", 0},
          {"count_padding", 0}};
}

Form form_of(const NetworkOp& op) {
  const Dims images = {op.n, op.c, op.h, op.w};
  const int64_t area = op.h * op.w;
  const std::map<std::string, double> channels = {
      {"n", op.n}, {"c", op.c}, {"area", area}, {"momentum", op.a}, {"epsilon", op.b}};
  const std::map<std::string, double> rows = {
      {"n", op.n}, {"in", op.c}, {"out", op.m}, {"accumulate", 0}};
  const std::map<std::string, double> size = {{"size", op.size()}};
  const std::map<std::string, double> rates = {{"size", op.c},
                                               {"lr", op.a},
                                               {"momentum", op.b},
                                               {"weight_decay", op.decay},
                                               {"step", op.step}};
  switch (op.kind) {
    case OpKind::pixels:
      return {"network_pixels", {"bytes"}, {{"x", {op.size()}}}, size};
    case OpKind::convolution:
      return {"conv2d_forward",
              {"x", "w", "b"},
              {{"y", {op.n, op.m, op.oh(), op.ow()}}},
              window(op, 1, 1)};
    case OpKind::pool_max:
      return {"max_pool2d_forward",
              {"x"},
              {{"y", {op.n, op.c, op.oh(), op.ow()}}},
              window(op, op.kh, op.kw)};
    case OpKind::pool_average:
      return {"avg_pool2d_forward",
              {"x"},
              {{"y", {op.n, op.c, op.oh(), op.ow()}}},
              window(op, op.kh, op.kw)};
    case OpKind::relu:
      return {"relu_forward", {"x"}, {{"y", {op.size()}}}, size};
    case OpKind::dense:
      return {"dense_forward", {"x", "w", "b"}, {{"y", {op.n, op.m}}}, rows};
    case OpKind::normalise:
      return {"batchnorm_forward",
              {"x", "scale", "shift", "mean0", "variance0"},
              {{"y", {op.n, op.c, area}},
               {"mean", {op.c}},
               {"inverse", {op.c}},
               {"running_mean", {op.c}},
               {"running_variance", {op.c}}},
              channels};
    case OpKind::normalise_by_running:
      return {"batchnorm_by_running",
              {"x", "scale", "shift", "mean", "variance"},
              {{"y", {op.n, op.c, area}}},
              channels};
    case OpKind::dropout:
      return {"dropout_forward",
              {"x"},
              {{"y", {op.size()}}},
              {{"size", op.size()}, {"probability", op.a}}};
    case OpKind::softmax:
      return {"softmax_forward", {"x"}, {{"y", {op.n, op.c}}}, {{"n", op.n}, {"k", op.c}}};
    case OpKind::cross_entropy:
      return {"softmax_cross_entropy",
              {"logits", "labels"},
              {{"dlogits", {op.n, op.c}}},
              {{"n", op.n}, {"k", op.c}}};
    case OpKind::convolution_dx:
      return {"conv2d_xgrad_gather", {"dy", "w"}, {{"dx", images}}, window(op, 1, 1)};
    case OpKind::convolution_dw:
      return {"conv2d_wgrad_network",
              {"x", "dy"},
              {{"dw", {op.m, op.c, op.kh, op.kw}}},
              window(op, 1, 1)};
    case OpKind::channel_sums:
      return {"conv2d_bgrad", {"dy"}, {{"db", {op.m}}}, window(op, 1, 1)};
    case OpKind::pool_max_back:
      return {"max_pool2d_backward", {"x", "dy"}, {{"dx", images}}, window(op, op.kh, op.kw)};
    case OpKind::pool_average_back:
      return {"avg_pool2d_backward", {"dy"}, {{"dx", images}}, window(op, op.kh, op.kw)};
    case OpKind::relu_back:
      return {"relu_backward", {"y", "dy"}, {{"dx", {op.size()}}}, size};
    case OpKind::dense_dx:
      return {"dense_xgrad", {"dy", "w"}, {{"dx", {op.n, op.c}}}, rows};
    case OpKind::dense_dw:
      return {"dense_wgrad", {"x", "dy"}, {{"dw", {op.m, op.c}}}, rows};
    case OpKind::dense_db:
      return {"dense_bgrad", {"dy"}, {{"db", {op.m}}}, rows};
    case OpKind::normalise_back:
      return {"batchnorm_backward",
              {"x", "dy", "scale", "mean", "inverse"},
              {{"dx", {op.n, op.c, area}}, {"dscale", {op.c}}, {"dshift", {op.c}}},
              channels};
    case OpKind::sgd:
      return {"sgd_step",
              {"w0", "gradient", "velocity0"},
              {{"w", {op.c}}, {"velocity", {op.c}}},
              rates};
    case OpKind::adam:
      return {"adam_step",
              {"w0", "gradient", "m0", "v0"},
              {{"w", {op.c}}, {"m", {op.c}}, {"v", {op.c}}},
              rates};
    case OpKind::gather:
    case OpKind::reordered:
    case OpKind::scaled:
    case OpKind::sum:
      return {};
  }
  return {};
}

}  // namespace

std::string function_of(const NetworkOp& op) {
  return form_of(op).op;
}

OpCase::OpCase(const NetworkOp& op, const std::vector<const std::vector<double>*>& inputs,
               size_t output, bool as_float) {
  Form form = form_of(op);
  evidence.op = form.op;
  if (!is_known()) return;
  evidence.params = std::move(form.params);
  const auto add = [&](const char* name, const std::vector<double>& values) {
    CaseTensor tensor{name, {int64_t(values.size())}, {}, {}, {}};
    if (as_float) {
      tensor.f32 = floats_.emplace_back(values.begin(), values.end());
    } else {
      tensor.f64 = values;
    }
    evidence.inputs.push_back(std::move(tensor));
  };
  for (size_t i = 0; i < form.inputs.size(); ++i) add(form.inputs[i], *inputs[i]);
  if (op.kind == OpKind::dropout) add("keep", doubles_.emplace_back(kept_by_dropout(op)));
  const Tensor& one = form.outputs[output];
  evidence.got = evidence.reference = {one.name, one.dims, {}, {}, {}};
  evidence.comparison.elements = 1;
  for (const int64_t dim : one.dims) evidence.comparison.elements *= dim;
}

void compute_formula(const NetworkOp& op, const std::vector<const std::vector<double>*>& inputs,
                     int64_t image, std::vector<std::vector<double>>& outputs) {
  constexpr int64_t kMostWork = 4'000'000;
  const OpCase as_case(op, inputs, op.formula_of, false);
  FormulaValue value(*op.formula, as_case.evidence, kMostWork);
  std::vector<double>& output = outputs[op.formula_of];
  const bool one_only = image >= 0 && op.by_image();
  const int64_t part = int64_t(output.size()) / (one_only ? op.n : 1);
  const int64_t begin = one_only ? image * part : 0;
  for (int64_t i = begin; i < begin + part; ++i) {
    const double result = value.complete() ? value.at(i) : predicted_anything();
    output[size_t(i)] = value.complete() ? result : predicted_anything();
  }
}

}  // namespace convkit
