// SPDX-License-Identifier: MIT
#include "compare/network/passes.h"

#include <fmt/format.h>

#include <utility>

namespace convkit {
namespace {

bool has_weights(const LayerSpec& layer) {
  return layer.kind == "conv" || layer.kind == "dense";
}

// What all operations of a layer have in common.
NetworkOp op_of(OpKind kind, const LayerSpec& layer, size_t index, const NetworkPass& pass) {
  NetworkOp op{kind, layer.name, {}, {}};
  op.n = pass.n;
  op.c = layer.in.c, op.h = layer.in.h, op.w = layer.in.w;
  op.m = layer.out.c;
  if (layer.kind == "conv" || layer.kind == "maxpool" || layer.kind == "avgpool") {
    op.kh = layer.kh, op.kw = layer.kw, op.pad = layer.pad;
  }
  op.seed = pass.seed, op.step = pass.step, op.index = int64_t(index);
  if (layer.kind == "dropout") op.a = double(layer.probability);
  if (layer.kind == "batchnorm") op.a = pass.momentum, op.b = pass.epsilon;
  return op;
}

std::string output_of(const LayerSpec& layer) {
  return "what " + layer.name + " puts out";
}

}  // namespace

ForwardValues add_forward(NetworkProgram& program, const Architecture& network,
                          NetworkParameters& parameters, int x, const NetworkPass& pass) {
  ForwardValues result;
  for (size_t i = 0; i + 1 < network.layers.size(); ++i) {
    const LayerSpec& layer = network.layers[i];
    const int64_t size = pass.n * layer.out.size();
    ForwardValues::OfLayer values{x, x};
    const auto add = [&](OpKind kind, std::vector<int> inputs) {
      NetworkOp op = op_of(kind, layer, i, pass);
      op.in = std::move(inputs);
      op.out = {program.add(output_of(layer), size)};
      values.y = op.out[0];
      program.ops.push_back(std::move(op));
    };
    const auto own = [&](const char* part) { return parameters.at(layer.name + part); };
    if (layer.kind == "conv") {
      add(OpKind::convolution, {x, own("_weight"), own("_bias")});
    } else if (layer.kind == "dense") {
      add(OpKind::dense, {x, own("_weight"), own("_bias")});
    } else if (layer.kind == "relu") {
      add(OpKind::relu, {x});
    } else if (layer.kind == "maxpool") {
      add(OpKind::pool_max, {x});
    } else if (layer.kind == "avgpool") {
      add(OpKind::pool_average, {x});
    } else if (layer.kind == "flatten") {
      if (layer.in.h * layer.in.w > 1) add(OpKind::reordered, {x});
    } else if (layer.kind == "dropout") {
      if (pass.training) add(OpKind::dropout, {x});
    } else if (layer.kind == "batchnorm") {
      const std::vector<int> inputs = {x, own("_scale"), own("_shift"), own("_mean"),
                                       own("_variance")};
      add(pass.training ? OpKind::normalise : OpKind::normalise_by_running, inputs);
      if (pass.training) {
        NetworkOp& op = program.ops.back();
        const char* const kParts[] = {"the mean of the batch", "1 / deviation of the batch",
                                      "the running mean", "the running variance"};
        for (const char* part : kParts) {
          op.out.push_back(program.add(fmt::format("{} in {}", part, layer.name), layer.in.c));
        }
        values.mean = op.out[1], values.inverse = op.out[2];
        parameters[layer.name + "_mean"] = op.out[3];
        parameters[layer.name + "_variance"] = op.out[4];
      }
    }
    x = values.y;
    result.layers.push_back(values);
  }
  result.last = x;
  return result;
}

BackwardValues add_backward(NetworkProgram& program, const Architecture& network,
                            const NetworkParameters& parameters, const ForwardValues& forward,
                            const NetworkPass& pass, int dlogits) {
  BackwardValues result;
  int dy = dlogits;
  for (size_t i = forward.layers.size(); i-- > 0;) {
    const LayerSpec& layer = network.layers[i];
    const ForwardValues::OfLayer& values = forward.layers[i];
    const auto own = [&](const char* part) { return parameters.at(layer.name + part); };
    const auto add = [&](OpKind kind, std::vector<int> inputs, std::string name, int64_t size) {
      NetworkOp op = op_of(kind, layer, i, pass);
      op.in = std::move(inputs);
      op.out = {program.add(std::move(name), size)};
      program.ops.push_back(std::move(op));
      return program.ops.back().out[0];
    };
    const auto gradient = [&](const char* part, OpKind kind, std::vector<int> inputs,
                              int64_t size) {
      result.gradients[layer.name + part] =
          add(kind, std::move(inputs), fmt::format("the gradient of {}{}", layer.name, part), size);
    };
    const std::string below = i == 0 ? std::string("the gradient of the images")
                                     : fmt::format("the gradient of what {} takes", layer.name);
    const int64_t in_size = pass.n * layer.in.size();
    if (layer.kind == "conv") {
      gradient("_weight", OpKind::convolution_dw, {values.x, dy},
               int64_t(layer.out.c) * layer.in.c * layer.kh * layer.kw);
      gradient("_bias", OpKind::channel_sums, {dy}, layer.out.c);
      dy = add(OpKind::convolution_dx, {dy, own("_weight")}, below, in_size);
    } else if (layer.kind == "dense") {
      gradient("_weight", OpKind::dense_dw, {values.x, dy}, int64_t(layer.out.c) * layer.in.c);
      gradient("_bias", OpKind::dense_db, {dy}, layer.out.c);
      dy = add(OpKind::dense_dx, {dy, own("_weight")}, below, in_size);
    } else if (layer.kind == "relu") {
      dy = add(OpKind::relu_back, {values.y, dy}, below, in_size);
    } else if (layer.kind == "maxpool") {
      dy = add(OpKind::pool_max_back, {values.x, dy}, below, in_size);
    } else if (layer.kind == "avgpool") {
      dy = add(OpKind::pool_average_back, {dy}, below, in_size);
    } else if (layer.kind == "dropout") {
      dy = add(OpKind::dropout, {dy}, below, in_size);
      program.ops.back().layer += " on the way back";
    } else if (layer.kind == "batchnorm") {
      dy = add(OpKind::normalise_back, {values.x, dy, own("_scale"), values.mean, values.inverse},
               below, in_size);
      NetworkOp& op = program.ops.back();
      for (const char* part : {"_scale", "_shift"}) {
        const int one =
            program.add(fmt::format("the gradient of {}{}", layer.name, part), layer.in.c);
        op.out.push_back(one);
        result.gradients[layer.name + part] = one;
      }
    }
  }
  result.dx = dy;
  return result;
}

int add_softmax(NetworkProgram& program, const Architecture& network, int logits, int64_t n) {
  NetworkOp op{OpKind::softmax, "the softmax", {logits}, {}};
  op.n = n, op.c = network.layers.back().in.c;
  op.out = {program.add("the probabilities", op.n * op.c)};
  program.ops.push_back(op);
  return op.out[0];
}

std::vector<std::pair<std::string, int64_t>> parameters_of(const Architecture& network) {
  std::vector<std::pair<std::string, int64_t>> result;
  for (const LayerSpec& layer : network.layers) {
    if (has_weights(layer)) {
      const int64_t taps = layer.kind == "conv" ? int64_t(layer.kh) * layer.kw : 1;
      result.emplace_back(layer.name + "_weight", taps * layer.in.c * layer.out.c);
      result.emplace_back(layer.name + "_bias", layer.out.c);
    } else if (layer.kind == "batchnorm") {
      for (const char* part : {"_scale", "_shift", "_mean", "_variance"}) {
        result.emplace_back(layer.name + part, layer.in.c);
      }
    }
  }
  return result;
}

}  // namespace convkit
