// SPDX-License-Identifier: MIT
// Stage 01: how a case of each operation becomes a call of the submission's function. Functions,
// tensors and parameters are looked up here; the Launch that comes back is the bare call, because
// that is what is timed.
#include "runner/harness.h"

#include "cpu_conv.h"

namespace convkit::harness {
namespace {

int integer(const Call& call, const char* name) {
  return static_cast<int>(call.integer(name));
}

Launch convolution(const Call& call, const char* symbol) {
  return [function = call.entry<decltype(conv2d_forward)>(symbol), x = call.input<float>("x"),
          w = call.input<float>("w"), b = call.input<float>("b"), y = call.output<float>("y"),
          shape = call.conv2d_shape()] { function(x, w, b, y, &shape); };
}

Launch max_pool(const Call& call) {
  return [function = call.entry<decltype(max_pool2d_forward)>("max_pool2d_forward"),
          x = call.input<float>("x"), y = call.output<float>("y"),
          shape = call.pool2d_shape()] { function(x, y, &shape); };
}

Launch avg_pool(const Call& call) {
  return
      [function = call.entry<decltype(avg_pool2d_forward)>("avg_pool2d_forward"),
       x = call.input<float>("x"), y = call.output<float>("y"), shape = call.pool2d_shape(),
       count_padding = integer(call, "count_padding")] { function(x, y, &shape, count_padding); };
}

// Functions of x, y and the four sizes of x: global average pooling and the layouts.
Launch four_sizes(const Call& call, const char* symbol) {
  using Function = void(const float*, float*, int, int, int, int);
  return [function = call.entry<Function>(symbol), x = call.input<float>("x"),
          y = call.output<float>("y"), n = integer(call, "n"), c = integer(call, "c"),
          h = integer(call, "h"), w = integer(call, "w")] { function(x, y, n, c, h, w); };
}

Launch activation(const Call& call, const char* symbol) {
  using Function = void(const float*, float*, int64_t);
  return [function = call.entry<Function>(symbol), x = call.input<float>("x"),
          y = call.output<float>("y"), size = call.integer("size")] { function(x, y, size); };
}

Launch leaky_relu(const Call& call) {
  return [function = call.entry<decltype(leaky_relu_forward)>("leaky_relu_forward"),
          x = call.input<float>("x"), y = call.output<float>("y"), size = call.integer("size"),
          slope = static_cast<float>(call.real("slope"))] { function(x, y, size, slope); };
}

Launch dense(const Call& call) {
  return [function = call.entry<decltype(dense_forward)>("dense_forward"),
          x = call.input<float>("x"), w = call.input<float>("w"), b = call.input<float>("b"),
          y = call.output<float>("y"), n = integer(call, "n"), in = integer(call, "in"),
          out = integer(call, "out")] { function(x, w, b, y, n, in, out); };
}

Launch softmax(const Call& call) {
  return [function = call.entry<decltype(softmax_forward)>("softmax_forward"),
          x = call.input<float>("x"), y = call.output<float>("y"), n = integer(call, "n"),
          k = integer(call, "k")] { function(x, y, n, k); };
}

Launch padding(const Call& call) {
  return
      [function = call.entry<decltype(same_padding)>("same_padding"), size = integer(call, "size"),
       kernel = integer(call, "kernel"), stride = integer(call, "stride"),
       dilation = integer(call, "dilation"),
       p = call.output<int32_t>("p")] { function(size, kernel, stride, dilation, &p[0], &p[1]); };
}

Launch lenet(const Call& call) {
  const auto weight = [&call](const char* name) { return call.input<float>(name); };
  const LenetWeights weights{
      .conv1_w = weight("conv1_w"),
      .conv1_b = weight("conv1_b"),
      .conv2_w = weight("conv2_w"),
      .conv2_b = weight("conv2_b"),
      .fc1_w = weight("fc1_w"),
      .fc1_b = weight("fc1_b"),
      .fc2_w = weight("fc2_w"),
      .fc2_b = weight("fc2_b"),
      .fc3_w = weight("fc3_w"),
      .fc3_b = weight("fc3_b"),
  };
  return [function = call.entry<decltype(lenet_forward)>("lenet_forward"),
          x = call.input<float>("x"), weights, y = call.output<float>("y"),
          n = integer(call, "n")] { function(x, &weights, y, n); };
}

// clang-format off
constexpr Op kOps[] = {
    {"conv2d_forward", [](const Call& call) { return convolution(call, "conv2d_forward"); }},
    {"conv2d_fast", [](const Call& call) { return convolution(call, "conv2d_fast"); }},
    {"max_pool2d_forward", max_pool},
    {"avg_pool2d_forward", avg_pool},
    {"global_avg_pool_forward", [](const Call& call) { return four_sizes(call, "global_avg_pool_forward"); }},
    {"relu_forward", [](const Call& call) { return activation(call, "relu_forward"); }},
    {"leaky_relu_forward", leaky_relu},
    {"sigmoid_forward", [](const Call& call) { return activation(call, "sigmoid_forward"); }},
    {"tanh_forward", [](const Call& call) { return activation(call, "tanh_forward"); }},
    {"dense_forward", dense},
    {"softmax_forward", softmax},
    {"nchw_to_nhwc", [](const Call& call) { return four_sizes(call, "nchw_to_nhwc"); }},
    {"nhwc_to_nchw", [](const Call& call) { return four_sizes(call, "nhwc_to_nchw"); }},
    {"same_padding", padding},
    {"conv2d_same_forward", [](const Call& call) { return convolution(call, "conv2d_same_forward"); }},
    {"lenet_forward", lenet},
};
// clang-format on

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
