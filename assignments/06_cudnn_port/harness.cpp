// SPDX-License-Identifier: MIT
// Stage 06: how a case becomes calls of the submission's functions. The handle comes to each of
// them without a stream, and after it descriptors are counted.
#include "runner/harness.h"

#include <string>
#include <vector>

#include "cudnn_port.h"
#include "facts.h"
#include "runner/cudnn_calls.h"
#include "runner/device.h"

namespace convkit::harness {
namespace {

// An output, and its content before the call if beta is not 0: "dw0" for "dw".
struct Blended {
  Blended(const Call& call, const char* name)
      : data(call.device_output<float>(name)), beta(float(call.real("beta"))) {
    if (beta == 0.0f) return;
    initial = call.device_input<float>(std::string(name) + "0");
    bytes = sizeof(float);
    for (const int64_t dim : call.dims(name)) bytes *= size_t(dim);
  }
  void prepare(cudaStream_t stream) const {
    if (bytes == 0) return;
    check_cuda(cudaMemcpyAsync(data, initial, bytes, cudaMemcpyDeviceToDevice, stream),
               "cudaMemcpyAsync");
  }

  float* data;
  float beta;
  const float* initial = nullptr;
  size_t bytes = 0;
};

// As many bytes as the submission asks for. A query that fails is told only if the pass fails, too:
// the pass may need no workspace.
struct AskedWorkspace {
  size_t bytes = 0;
  std::string failed;  // "returned CUDNN_STATUS_BAD_PARAM. ..."; empty for a success
};

// `query` takes the bytes, is named `symbol`, and is told to have been asked `what`.
template <class Query>
AskedWorkspace asked_workspace(const Call& call, const std::string& symbol, const std::string& what,
                               Query query) {
  const Stubs stubs(call);
  note_call(symbol + " was asked how many bytes of workspace " + what + ".");
  size_t bytes = kBytesBefore;
  AskedWorkspace asked;
  {
    const DescriptorWatch watch;
    const cudnnStatus_t status = query(&bytes);
    if (status != CUDNN_STATUS_SUCCESS) asked.failed = returned_text(status);
  }
  const std::string wrong = asked.failed.empty() ? wrong_bytes(bytes) : "";
  if (!wrong.empty() && !stubs.any_reached()) throw CudaFailure(wrong);
  if (bytes < kBytesBefore / 2) asked.bytes = bytes;
  note_call("");
  return asked;
}

template <class Query, class Algorithm>
AskedWorkspace asked_workspace(const Call& call, const char* symbol, const Conv2dShape& shape,
                               Algorithm algorithm) {
  return asked_workspace(
      call, symbol, "algorithm " + std::to_string(int(algorithm)) + " needs", [&](size_t* bytes) {
        return call.entry<Query>(symbol)(cudnn_handle(), &shape, algorithm, bytes);
      });
}

constexpr int count_of(cudnnConvolutionFwdAlgo_t) {
  return CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
}
constexpr int count_of(cudnnConvolutionBwdDataAlgo_t) {
  return CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT;
}
constexpr int count_of(cudnnConvolutionBwdFilterAlgo_t) {
  return CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT;
}

// "algorithm 0", "algorithms 0 and 2": those that need just so much; or "".
template <class Algorithm>
std::string that_need(const LibraryConvolution& library, Algorithm, size_t bytes) {
  std::vector<int> found;
  for (int i = 0; i < count_of(Algorithm{}); ++i) {
    size_t needed = 0;
    const bool works = library.workspace(Algorithm(i), &needed) == CUDNN_STATUS_SUCCESS;
    if (works && needed == bytes) found.push_back(i);
  }
  std::string text = found.size() == 1 ? "algorithm " : "algorithms ";
  for (size_t i = 0; i < found.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == found.size() ? " and " : ", ") + std::to_string(found[i]);
  }
  return found.empty() ? "" : text;
}

// Hands a pass's status on, unless the pass had too little workspace.
template <class Algorithm>
cudnnStatus_t judged(cudnnStatus_t status, const Conv2dShape& shape, Algorithm algorithm,
                     const AskedWorkspace& asked) {
  size_t needed = 0;
  if (status == CUDNN_STATUS_SUCCESS) return status;
  const std::string returned = std::string("returned ") + cudnnGetErrorString(status) + ". ";
  const OwnCalls own;
  const LibraryConvolution library(shape);
  if (library.workspace(algorithm, &needed) != CUDNN_STATUS_SUCCESS || asked.bytes >= needed) {
    return status;
  }
  const std::string too_little = returned + "The workspace query asked for " +
                                 std::to_string(asked.bytes) + " bytes, and algorithm " +
                                 std::to_string(int(algorithm)) + " needs " +
                                 std::to_string(needed) + ": that is too little.";
  if (!asked.failed.empty()) throw CudaFailure(too_little + " The query " + asked.failed);
  if (asked.bytes * sizeof(float) == needed) {
    throw CudaFailure(
        too_little +
        " It is a quarter: it was counted in floats, or divided by sizeof(float). The "
        "library counts bytes, and `*bytes` does, too.");
  }
  const std::string others = that_need(library, algorithm, asked.bytes);
  if (others.empty()) {
    throw CudaFailure(too_little +
                      " Query and call must have the same pass, algorithm and descriptors.");
  }
  throw CudaFailure(too_little + " So much is what " + others +
                    (others.starts_with("algorithms") ? " need" : " needs") +
                    ": the query is probably for another algorithm or pass than that of the "
                    "call.");
}

template <class Algorithm>
Algorithm algorithm(const Call& call) {
  return Algorithm(call.integer("algo"));
}

Launch output_dims(const Call& call) {
  return [guard = GuardedCalls(call),
          function = call.entry<decltype(conv2d_output_dims)>("conv2d_output_dims"),
          dims = call.output<int32_t>("dims"), shape = call.conv2d_shape()] {
    guard.without_stream([&](cudnnHandle_t) { return function(&shape, dims); });
  };
}

struct Forward {
  explicit Forward(const Call& call)
      : function(call.entry<decltype(conv2d_forward)>("conv2d_forward")),
        shape(call.conv2d_shape()),
        algo(algorithm<cudnnConvolutionFwdAlgo_t>(call)),
        asked(asked_workspace<decltype(conv2d_workspace)>(call, "conv2d_workspace", shape, algo)),
        workspace(call.device_scratch("workspace", asked.bytes)),
        x(call.device_input<float>("x")),
        w(call.device_input<float>("w")),
        stream(call.stream()) {}

  cudnnStatus_t run(cudnnHandle_t handle, float alpha, const float* b, float beta, float* y) const {
    return judged(function(handle, &shape, algo, alpha, x, w, b, beta, y,
                           asked.bytes ? workspace : nullptr, asked.bytes, stream),
                  shape, algo, asked);
  }

  decltype(conv2d_forward)* function;
  Conv2dShape shape;
  cudnnConvolutionFwdAlgo_t algo;
  AskedWorkspace asked;
  void* workspace;
  const float *x, *w;
  cudaStream_t stream;
};

Launch forward(const Call& call) {
  return [guard = GuardedCalls(call), f = Forward(call), b = call.device_input<float>("b"),
          y = call.device_output<float>("y")] {
    guard([&](cudnnHandle_t handle) { return f.run(handle, 1.0f, b, 0.0f, y); });
  };
}

Launch blend(const Call& call, bool biased) {
  return [guard = GuardedCalls(call), f = Forward(call), alpha = float(call.real("alpha")),
          b = biased ? call.device_input<float>("b") : nullptr, y = Blended(call, "y")] {
    y.prepare(f.stream);
    guard([&](cudnnHandle_t handle) { return f.run(handle, alpha, b, y.beta, y.data); });
  };
}

// dx from dy and w, or dw from x and dy: first and second, in this order.
template <class Pass, class Query, class Algorithm>
Launch gradient(const Call& call, const char* symbol, const char* query, const char* first,
                const char* second, const char* output) {
  const Conv2dShape shape = call.conv2d_shape();
  const auto algo = algorithm<Algorithm>(call);
  const AskedWorkspace asked = asked_workspace<Query>(call, query, shape, algo);
  return [guard = GuardedCalls(call), function = call.entry<Pass>(symbol),
          first = call.device_input<float>(first), second = call.device_input<float>(second),
          result = Blended(call, output), shape, algo, asked,
          workspace = call.device_scratch("workspace", asked.bytes),
          alpha = float(call.real("alpha")), stream = call.stream()] {
    result.prepare(stream);
    guard([&](cudnnHandle_t handle) {
      return judged(function(handle, &shape, algo, alpha, first, second, result.beta, result.data,
                             asked.bytes ? workspace : nullptr, asked.bytes, stream),
                    shape, algo, asked);
    });
  };
}

Launch backward_data(const Call& call) {
  return gradient<decltype(conv2d_backward_data), decltype(conv2d_backward_data_workspace),
                  cudnnConvolutionBwdDataAlgo_t>(call, "conv2d_backward_data",
                                                 "conv2d_backward_data_workspace", "dy", "w", "dx");
}

Launch backward_filter(const Call& call) {
  return gradient<decltype(conv2d_backward_filter), decltype(conv2d_backward_filter_workspace),
                  cudnnConvolutionBwdFilterAlgo_t>(
      call, "conv2d_backward_filter", "conv2d_backward_filter_workspace", "x", "dy", "dw");
}

Launch backward_bias(const Call& call) {
  return [guard = GuardedCalls(call),
          function = call.entry<decltype(conv2d_backward_bias)>("conv2d_backward_bias"),
          dy = call.device_input<float>("dy"), db = Blended(call, "db"),
          shape = call.conv2d_shape(), alpha = float(call.real("alpha")), stream = call.stream()] {
    db.prepare(stream);
    guard([&](cudnnHandle_t handle) {
      return function(handle, &shape, alpha, dy, db.beta, db.data, stream);
    });
  };
}

cudnnPoolingMode_t average(const Call& call) {
  return call.integer("count_padding") ? CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING
                                       : CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING;
}

Launch pool(const Call& call, cudnnPoolingMode_t mode) {
  return [guard = GuardedCalls(call),
          function = call.entry<decltype(pool2d_forward)>("pool2d_forward"),
          x = call.device_input<float>("x"), y = call.device_output<float>("y"),
          shape = call.pool2d_shape(), mode, stream = call.stream()] {
    guard([&](cudnnHandle_t handle) { return function(handle, &shape, mode, x, y, stream); });
  };
}

// The gradient needs y, which a maximum gets from the submission's forward pass. An average has no
// x in the case: cuDNN requires memory there but does not read it.
Launch pool_backward(const Call& call, cudnnPoolingMode_t mode, bool maximum) {
  const Pool2dShape shape = call.pool2d_shape();
  const auto room = [&](const char* name, int64_t floats) {
    return static_cast<float*>(call.device_scratch(name, size_t(floats) * sizeof(float)));
  };
  return [guard = GuardedCalls(call),
          forward = call.entry<decltype(pool2d_forward)>("pool2d_forward"),
          function = call.entry<decltype(pool2d_backward)>("pool2d_backward"), maximum, shape, mode,
          dy = call.device_input<float>("dy"), dx = call.device_output<float>("dx"),
          x = maximum ? call.device_input<float>("x") : room("x", shape.x_size()),
          y = room("y", shape.y_size()), stream = call.stream()] {
    if (!maximum) {
      check_cuda(
          cudaMemsetAsync(const_cast<float*>(x), 0, size_t(shape.x_size()) * sizeof(float), stream),
          "cudaMemsetAsync");
    }
    note_call("pool2d_forward was called first, for the y that pool2d_backward needs.");
    guard([&](cudnnHandle_t handle) { return forward(handle, &shape, mode, x, y, stream); });
    note_call("");
    guard(
        [&](cudnnHandle_t handle) { return function(handle, &shape, mode, x, y, dy, dx, stream); });
  };
}

Launch activation(const Call& call, cudnnActivationMode_t mode) {
  return [guard = GuardedCalls(call),
          function = call.entry<decltype(activation_forward)>("activation_forward"),
          x = call.device_input<float>("x"), y = call.device_output<float>("y"),
          size = int(call.integer("size")), mode, stream = call.stream()] {
    guard([&](cudnnHandle_t handle) { return function(handle, mode, x, y, size, stream); });
  };
}

Launch activation_gradient(const Call& call, cudnnActivationMode_t mode) {
  return [guard = GuardedCalls(call),
          function = call.entry<decltype(activation_backward)>("activation_backward"),
          y = call.device_input<float>("y"), dy = call.device_input<float>("dy"),
          dx = call.device_output<float>("dx"), size = int(call.integer("size")), mode,
          stream = call.stream()] {
    guard([&](cudnnHandle_t handle) { return function(handle, mode, y, dy, dx, size, stream); });
  };
}

Launch softmax(const Call& call) {
  return [guard = GuardedCalls(call),
          function = call.entry<decltype(softmax_forward)>("softmax_forward"),
          x = call.device_input<float>("x"), y = call.device_output<float>("y"),
          n = int(call.integer("n")), k = int(call.integer("k")), stream = call.stream()] {
    guard([&](cudnnHandle_t handle) { return function(handle, x, y, n, k, stream); });
  };
}

Launch softmax_gradient(const Call& call) {
  return [guard = GuardedCalls(call),
          function = call.entry<decltype(softmax_backward)>("softmax_backward"),
          y = call.device_input<float>("y"), dy = call.device_input<float>("dy"),
          dx = call.device_output<float>("dx"), n = int(call.integer("n")),
          k = int(call.integer("k")), stream = call.stream()] {
    guard([&](cudnnHandle_t handle) { return function(handle, y, dy, dx, n, k, stream); });
  };
}

Launch lenet(const Call& call) {
  const auto weight = [&call](const char* name) { return call.device_input<float>(name); };
  const LenetWeights weights{
      weight("conv1_w"), weight("conv1_b"), weight("conv2_w"), weight("conv2_b"), weight("fc1_w"),
      weight("fc1_b"),   weight("fc2_w"),   weight("fc2_b"),   weight("fc3_w"),   weight("fc3_b")};
  const int n = int(call.integer("n"));
  const size_t bytes =
      asked_workspace(call, "lenet_workspace", "a batch of " + std::to_string(n) + " needs",
                      [&](size_t* asked) {
                        return call.entry<decltype(lenet_workspace)>("lenet_workspace")(
                            cudnn_handle(), n, asked);
                      })
          .bytes;
  return
      [guard = GuardedCalls(call), function = call.entry<decltype(lenet_forward)>("lenet_forward"),
       x = call.device_input<float>("x"), weights, y = call.device_output<float>("y"), n, bytes,
       workspace = call.device_scratch("workspace", bytes), stream = call.stream()] {
        guard([&](cudnnHandle_t handle) {
          return function(handle, x, &weights, y, n, workspace, bytes, stream);
        });
      };
}

// clang-format off
constexpr Op kOps[] = {
    {"conv2d_dims", output_dims},
    {"conv2d_dims_statuses", dims_statuses},
    {"conv2d_cudnn", forward},
    {"conv2d_blend", [](const Call& call) { return blend(call, false); }},
    {"conv2d_blend_biased", [](const Call& call) { return blend(call, true); }},
    {"conv2d_forward_statuses", forward_statuses},
    {"conv2d_heuristic", [](const Call& call) { return choice(call, false); }},
    {"conv2d_measured", [](const Call& call) { return choice(call, true); }},
    {"conv2d_workspaces", [](const Call& call) { return workspaces<Algorithm>(call, "conv2d_workspace"); }},
    {"conv2d_xgrad_workspaces", [](const Call& call) { return workspaces<cudnnConvolutionBwdDataAlgo_t>(call, "conv2d_backward_data_workspace"); }},
    {"conv2d_wgrad_workspaces", [](const Call& call) { return workspaces<cudnnConvolutionBwdFilterAlgo_t>(call, "conv2d_backward_filter_workspace"); }},
    {"conv2d_xgrad_cudnn", backward_data},
    {"conv2d_wgrad_cudnn", backward_filter},
    {"conv2d_bgrad_cudnn", backward_bias},
    {"max_pool2d_forward", [](const Call& call) { return pool(call, CUDNN_POOLING_MAX); }},
    {"avg_pool2d_forward", [](const Call& call) { return pool(call, average(call)); }},
    {"max_pool2d_backward", [](const Call& call) { return pool_backward(call, CUDNN_POOLING_MAX, true); }},
    {"avg_pool2d_backward", [](const Call& call) { return pool_backward(call, average(call), false); }},
    {"relu_forward", [](const Call& call) { return activation(call, CUDNN_ACTIVATION_RELU); }},
    {"sigmoid_forward", [](const Call& call) { return activation(call, CUDNN_ACTIVATION_SIGMOID); }},
    {"tanh_forward", [](const Call& call) { return activation(call, CUDNN_ACTIVATION_TANH); }},
    {"relu_backward", [](const Call& call) { return activation_gradient(call, CUDNN_ACTIVATION_RELU); }},
    {"sigmoid_backward", [](const Call& call) { return activation_gradient(call, CUDNN_ACTIVATION_SIGMOID); }},
    {"tanh_backward", [](const Call& call) { return activation_gradient(call, CUDNN_ACTIVATION_TANH); }},
    {"softmax_forward", softmax},
    {"softmax_backward", softmax_gradient},
    {"lenet_forward", lenet},
    {"algorithm_table", table},
    {"algorithm_times", times},
};
// clang-format on

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
