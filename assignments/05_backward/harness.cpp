// SPDX-License-Identifier: MIT
// Stage 05: how a case becomes calls of the submission's functions. With accumulate = 1 the launch
// begins with a copy of the case's "dx0", "dw0" or "db0" to the output, on the same stream.
#include "runner/harness.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "backward.h"
#include "runner/device.h"

namespace convkit::harness {
namespace {

using Grad = decltype(conv2d_xgrad_gather);        // of conv2d_wgrad_scatter as well
using GradWithWorkspace = decltype(conv2d_wgrad);  // and of both ..._gemm
using Activation = decltype(relu_backward);

// An output, and its content before the call.
struct Gradient {
  Gradient(const Call& call, const char* name, const char* before)
      : data(call.device_output<float>(name)), accumulate(call.integer("accumulate") != 0) {
    if (!accumulate) return;
    initial = call.device_input<float>(before);
    bytes = sizeof(float);
    for (const int64_t dim : call.dims(name)) bytes *= size_t(dim);
  }
  void prepare(cudaStream_t stream) const {
    if (!accumulate) return;
    check_cuda(cudaMemcpyAsync(data, initial, bytes, cudaMemcpyDeviceToDevice, stream),
               "cudaMemcpyAsync");
  }

  float* data;
  bool accumulate;
  const float* initial = nullptr;
  size_t bytes = 0;
};

// dx from dy and w, or dw from x and dy.
struct Names {
  const char *symbol, *first, *second, *output, *before;
};

Launch gradient(const Call& call, const Names& names) {
  return [function = call.entry<Grad>(names.symbol), first = call.device_input<float>(names.first),
          second = call.device_input<float>(names.second),
          result = Gradient(call, names.output, names.before), shape = call.conv2d_shape(),
          stream = call.stream(), symbol = names.symbol] {
    result.prepare(stream);
    check_cuda(function(first, second, result.data, &shape, result.accumulate, stream), symbol);
  };
}

// The bytes that the submission asks for. What happens meanwhile is told as of the query.
size_t asked_bytes(decltype(conv2d_wgrad_workspace)* query, const char* symbol,
                   const Conv2dShape& shape) {
  note_call(std::string(symbol) + " was asked how many bytes are needed.");
  const size_t bytes = query(&shape);
  note_call("");
  return bytes;
}
size_t asked_bytes(const Call& call, const char* symbol, const Conv2dShape& shape) {
  return asked_bytes(call.entry<decltype(conv2d_wgrad_workspace)>(symbol), symbol, shape);
}

// The submission says how much workspace it needs, and gets exactly that.
Launch gradient_with_workspace(const Call& call, const Names& names, const char* workspace_symbol) {
  const Conv2dShape shape = call.conv2d_shape();
  const size_t bytes = asked_bytes(call, workspace_symbol, shape);
  return [function = call.entry<GradWithWorkspace>(names.symbol),
          first = call.device_input<float>(names.first),
          second = call.device_input<float>(names.second),
          result = Gradient(call, names.output, names.before), shape,
          workspace = call.device_scratch("workspace", bytes), bytes, stream = call.stream(),
          symbol = names.symbol] {
    result.prepare(stream);
    check_cuda(
        function(first, second, result.data, &shape, result.accumulate, workspace, bytes, stream),
        symbol);
  };
}

Launch bgrad(const Call& call) {
  return [function = call.entry<decltype(conv2d_bgrad)>("conv2d_bgrad"),
          dy = call.device_input<float>("dy"), db = Gradient(call, "db", "db0"),
          shape = call.conv2d_shape(), stream = call.stream()] {
    db.prepare(stream);
    check_cuda(function(dy, db.data, &shape, db.accumulate, stream), "conv2d_bgrad");
  };
}

// Not a function of submissions: the plain convolution of the baseline, for checks that need one.
Launch forward(const Call& call) {
  using Forward = cudaError_t(const float*, const float*, float*, const Conv2dShape*, cudaStream_t);
  return [function = call.entry<Forward>("conv2d_forward"), x = call.device_input<float>("x"),
          w = call.device_input<float>("w"), y = call.device_output<float>("y"),
          shape = call.conv2d_shape(), stream = call.stream()] {
    check_cuda(function(x, w, y, &shape, stream), "conv2d_forward");
  };
}

// The workspace of layers with as many filters as the largest in use: parts that do not follow
// their size take gigabytes. Nothing of them is allocated.
void check_large_workspaces(decltype(conv2d_wgrad_workspace)* asked) {
  for (const auto& [kernel, stride] : {std::pair{3, 1}, {3, 2}, {1, 1}}) {
    Conv2dShape layer;
    layer.n = 64, layer.c = layer.m = 1024, layer.h = layer.w = 28;
    layer.kh = layer.kw = kernel, layer.stride_h = layer.stride_w = stride;
    const size_t dw_bytes = sizeof(float) * size_t(layer.w_size());
    const size_t most = std::max(size_t{64} << 20, dw_bytes), bytes = asked(&layer);
    if (bytes <= most) continue;
    const std::string square = std::to_string(kernel) + " x " + std::to_string(kernel);
    throw CudaFailure("asked for a workspace of " + std::to_string(bytes) +
                      " bytes for 64 images of 1024 x 28 x 28 and 1024 filters of " + square +
                      ", stride " + std::to_string(stride) + ". At most " + std::to_string(most) +
                      " are allowed: 64 MiB, or what dw has if that is more.");
  }
}

// What the rules of a workspace say: with more of it than was asked for, the same bits; and never
// more than the limit.
Launch rules_of_workspaces(const Call& call, const char* symbol, const char* workspace_symbol) {
  const Conv2dShape shape = call.conv2d_shape();
  const auto asked = call.entry<decltype(conv2d_wgrad_workspace)>(workspace_symbol);
  const size_t bytes = asked_bytes(asked, workspace_symbol, shape), more = 8 * bytes + 4096;
  const size_t elements = size_t(shape.w_size());
  return [function = call.entry<GradWithWorkspace>(symbol), symbol, asked, shape, bytes, more,
          elements, x = call.device_input<float>("x"), dy = call.device_input<float>("dy"),
          dw = call.device_output<float>("dw"), workspace = call.device_scratch("workspace", more),
          other = static_cast<float*>(call.device_scratch("second_dw", sizeof(float) * elements)),
          stream = call.stream()] {
    check_cuda(function(x, dy, dw, &shape, 0, workspace, bytes, stream), symbol);
    check_cuda(cudaStreamSynchronize(stream), symbol);
    note_call(std::string(symbol) + " was called once more, with a workspace of " +
              std::to_string(more) + " bytes where it had asked for " + std::to_string(bytes) +
              ".");
    check_cuda(function(x, dy, other, &shape, 0, workspace, more, stream), symbol);
    check_cuda(cudaStreamSynchronize(stream), symbol);
    note_call("");
    std::vector<float> first(elements), second(elements);
    for (auto [to, from] : {std::pair{&first, dw}, std::pair{&second, other}}) {
      check_cuda(cudaMemcpyAsync(to->data(), from, sizeof(float) * elements, cudaMemcpyDeviceToHost,
                                 stream),
                 "cudaMemcpyAsync");
    }
    check_cuda(cudaStreamSynchronize(stream), symbol);
    // What was not written is told of the output itself.
    const bool written = std::none_of(first.begin(), first.end(), [](float v) { return v != v; });
    if (written && std::memcmp(first.data(), second.data(), sizeof(float) * elements) != 0) {
      throw CudaFailure("gave other bits with a workspace of " + std::to_string(more) +
                        " bytes than with the " + std::to_string(bytes) +
                        " it had asked for. Take the number of parts from the shape alone.");
    }
    check_large_workspaces(asked);
  };
}

// A batch without images: x and dy have no elements and need no memory.
Launch no_images(const Call& call, const char* symbol, const char* workspace_symbol) {
  Conv2dShape shape = call.conv2d_shape();
  shape.n = 0;
  const std::string how = " was called with a batch without images (n = 0).";
  note_call(workspace_symbol + how);
  const size_t bytes = call.entry<decltype(conv2d_wgrad_workspace)>(workspace_symbol)(&shape);
  return [function = call.entry<GradWithWorkspace>(symbol), symbol, how,
          dw = call.device_output<float>("dw"), workspace = call.device_scratch("workspace", bytes),
          bytes, shape, stream = call.stream()] {
    note_call(symbol + how);
    check_cuda(function(nullptr, nullptr, dw, &shape, 0, workspace, bytes, stream), symbol);
  };
}

// The same of functions without a workspace.
Launch scatter_no_images(const Call& call) {
  Conv2dShape shape = call.conv2d_shape();
  shape.n = 0;
  return [function = call.entry<Grad>("conv2d_wgrad_scatter"), shape,
          dw = call.device_output<float>("dw"), stream = call.stream()] {
    note_call("conv2d_wgrad_scatter was called with a batch without images (n = 0).");
    check_cuda(function(nullptr, nullptr, dw, &shape, 0, stream), "conv2d_wgrad_scatter");
  };
}

Launch bgrad_no_images(const Call& call) {
  Conv2dShape shape = call.conv2d_shape();
  shape.n = 0;
  return [function = call.entry<decltype(conv2d_bgrad)>("conv2d_bgrad"), shape,
          db = call.device_output<float>("db"), stream = call.stream()] {
    note_call("conv2d_bgrad was called with a batch without images (n = 0).");
    check_cuda(function(nullptr, db, &shape, 0, stream), "conv2d_bgrad");
  };
}

// Calls that must be refused, and must not touch the memory they are given as output: it is that of
// an input, whose change is an error. `status` holds what each returned. No dy, dx in the memory of
// dy, groups that do not divide: conv2d_xgrad_gather. A kernel larger than the padded input:
// conv2d_bgrad. A workspace that is one byte short: conv2d_wgrad.
Launch refusals(const Call& call) {
  return [&call, xgrad = call.entry<Grad>("conv2d_xgrad_gather"),
          bgrad = call.entry<decltype(conv2d_bgrad)>("conv2d_bgrad"),
          wgrad = call.entry<GradWithWorkspace>("conv2d_wgrad"),
          wgrad_bytes = call.entry<decltype(conv2d_wgrad_workspace)>("conv2d_wgrad_workspace"),
          x = call.device_input<float>("x"), w = call.device_input<float>("w"),
          dy = call.device_input<float>("dy"),
          dx = const_cast<float*>(call.device_input<float>("dx0")),
          status = call.output<int32_t>("status"), shape = call.conv2d_shape(),
          stream = call.stream()] {
    Conv2dShape grouped = shape, too_large = shape;
    grouped.groups = shape.c + 1;
    too_large.kh = shape.h + 2 * shape.pad_h + 1;
    const size_t bytes = asked_bytes(wgrad_bytes, "conv2d_wgrad_workspace", shape);
    std::vector<cudaError_t> returned;
    const auto refused = [&](const std::string& how, auto error_of) {
      note_call(how + ": it must return cudaErrorInvalidValue and touch nothing.");
      returned.push_back(error_of());
      call.expect_untouched();
    };
    refused("conv2d_xgrad_gather was called with d_dy = nullptr",
            [&] { return xgrad(nullptr, w, dx, &shape, 0, stream); });
    refused("conv2d_xgrad_gather was called with the same memory as d_dy and d_dx",
            [&] { return xgrad(dx, w, dx, &shape, 0, stream); });
    refused("conv2d_xgrad_gather was called with groups = " + std::to_string(grouped.groups),
            [&] { return xgrad(dy, w, dx, &grouped, 0, stream); });
    refused("conv2d_bgrad was called with a kernel of " + std::to_string(too_large.kh) +
                " rows, where the padded input has " + std::to_string(too_large.kh - 1),
            [&] { return bgrad(dy, dx, &too_large, 0, stream); });
    // A function that needs no workspace cannot get one that is too small, but it must have an
    // output.
    if (bytes == 0) {
      refused("conv2d_wgrad was called with d_dw = nullptr",
              [&] { return wgrad(x, dy, nullptr, &shape, 0, dx, 0, stream); });
    } else {
      refused("conv2d_wgrad was called with a workspace of " + std::to_string(bytes - 1) +
                  " bytes, where conv2d_wgrad_workspace asks for " + std::to_string(bytes),
              [&] { return wgrad(x, dy, dx, &shape, 0, dx, bytes - 1, stream); });
    }
    note_call("");
    // If a submission has none of the functions yet, nothing is reported.
    if (std::all_of(std::begin(returned), std::end(returned),
                    [](cudaError_t error) { return error == cudaSuccess; })) {
      return;
    }
    std::copy(std::begin(returned), std::end(returned), status);
  };
}

Launch max_pool_backward(const Call& call) {
  return
      [function = call.entry<decltype(max_pool2d_backward)>("max_pool2d_backward"),
       x = call.device_input<float>("x"), dy = call.device_input<float>("dy"),
       dx = call.device_output<float>("dx"), shape = call.pool2d_shape(), stream = call.stream()] {
        check_cuda(function(x, dy, dx, &shape, stream), "max_pool2d_backward");
      };
}

Launch avg_pool_backward(const Call& call) {
  return [function = call.entry<decltype(avg_pool2d_backward)>("avg_pool2d_backward"),
          dy = call.device_input<float>("dy"), dx = call.device_output<float>("dx"),
          shape = call.pool2d_shape(), count_padding = int(call.integer("count_padding")),
          stream = call.stream()] {
    check_cuda(function(dy, dx, &shape, count_padding, stream), "avg_pool2d_backward");
  };
}

Launch activation(const Call& call, const char* symbol) {
  return [function = call.entry<Activation>(symbol), y = call.device_input<float>("y"),
          dy = call.device_input<float>("dy"), dx = call.device_output<float>("dx"),
          size = int(call.integer("size")), stream = call.stream(),
          symbol] { check_cuda(function(y, dy, dx, size, stream), symbol); };
}

Launch leaky_relu(const Call& call) {
  return [function = call.entry<decltype(leaky_relu_backward)>("leaky_relu_backward"),
          y = call.device_input<float>("y"), dy = call.device_input<float>("dy"),
          dx = call.device_output<float>("dx"), size = int(call.integer("size")),
          slope = float(call.real("slope")), stream = call.stream()] {
    check_cuda(function(y, dy, dx, size, slope, stream), "leaky_relu_backward");
  };
}

struct Dense {
  explicit Dense(const Call& call)
      : n(int(call.integer("n"))), in(int(call.integer("in"))), out(int(call.integer("out"))) {}
  int n, in, out;
};

Launch dense_dx(const Call& call) {
  return [function = call.entry<decltype(dense_xgrad)>("dense_xgrad"),
          dy = call.device_input<float>("dy"), w = call.device_input<float>("w"),
          dx = call.device_output<float>("dx"), s = Dense(call), stream = call.stream()] {
    check_cuda(function(dy, w, dx, s.n, s.in, s.out, stream), "dense_xgrad");
  };
}

Launch dense_dw(const Call& call) {
  return [function = call.entry<decltype(dense_wgrad)>("dense_wgrad"),
          x = call.device_input<float>("x"), dy = call.device_input<float>("dy"),
          dw = Gradient(call, "dw", "dw0"), s = Dense(call), stream = call.stream()] {
    dw.prepare(stream);
    check_cuda(function(x, dy, dw.data, s.n, s.in, s.out, dw.accumulate, stream), "dense_wgrad");
  };
}

Launch dense_db(const Call& call) {
  return [function = call.entry<decltype(dense_bgrad)>("dense_bgrad"),
          dy = call.device_input<float>("dy"), db = Gradient(call, "db", "db0"), s = Dense(call),
          stream = call.stream()] {
    db.prepare(stream);
    check_cuda(function(dy, db.data, s.n, s.out, db.accumulate, stream), "dense_bgrad");
  };
}

constexpr Op kOps[] = {
    {"conv2d_xgrad_gather",
     [](const Call& call) {
       return gradient(call, {"conv2d_xgrad_gather", "dy", "w", "dx", "dx0"});
     }},
    {"conv2d_xgrad_scatter",
     [](const Call& call) {
       return gradient(call, {"conv2d_xgrad_scatter", "dy", "w", "dx", "dx0"});
     }},
    {"conv2d_wgrad_scatter",
     [](const Call& call) {
       return gradient(call, {"conv2d_wgrad_scatter", "x", "dy", "dw", "dw0"});
     }},
    {"conv2d_wgrad",
     [](const Call& call) {
       return gradient_with_workspace(call, {"conv2d_wgrad", "x", "dy", "dw", "dw0"},
                                      "conv2d_wgrad_workspace");
     }},
    {"conv2d_bgrad", bgrad},
    {"conv2d_xgrad_gemm",
     [](const Call& call) {
       return gradient_with_workspace(call, {"conv2d_xgrad_gemm", "dy", "w", "dx", "dx0"},
                                      "conv2d_xgrad_gemm_workspace");
     }},
    {"conv2d_wgrad_gemm",
     [](const Call& call) {
       return gradient_with_workspace(call, {"conv2d_wgrad_gemm", "x", "dy", "dw", "dw0"},
                                      "conv2d_wgrad_gemm_workspace");
     }},
    {"conv2d_forward", forward},
    {"conv2d_backward_refuses", [](const Call& call) { return refusals(call); }},
    {"conv2d_wgrad_workspaces",
     [](const Call& call) {
       return rules_of_workspaces(call, "conv2d_wgrad", "conv2d_wgrad_workspace");
     }},
    {"conv2d_wgrad_gemm_workspaces",
     [](const Call& call) {
       return rules_of_workspaces(call, "conv2d_wgrad_gemm", "conv2d_wgrad_gemm_workspace");
     }},
    {"conv2d_wgrad_no_images",
     [](const Call& call) { return no_images(call, "conv2d_wgrad", "conv2d_wgrad_workspace"); }},
    {"conv2d_wgrad_scatter_no_images", scatter_no_images},
    {"conv2d_bgrad_no_images", bgrad_no_images},
    {"conv2d_wgrad_gemm_no_images",
     [](const Call& call) {
       return no_images(call, "conv2d_wgrad_gemm", "conv2d_wgrad_gemm_workspace");
     }},
    {"max_pool2d_backward", max_pool_backward},
    {"avg_pool2d_backward", avg_pool_backward},
    {"relu_backward", [](const Call& call) { return activation(call, "relu_backward"); }},
    {"leaky_relu_backward", leaky_relu},
    {"sigmoid_backward", [](const Call& call) { return activation(call, "sigmoid_backward"); }},
    {"tanh_backward", [](const Call& call) { return activation(call, "tanh_backward"); }},
    {"dense_xgrad", dense_dx},
    {"dense_wgrad", dense_dw},
    {"dense_bgrad", dense_db},
};

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
