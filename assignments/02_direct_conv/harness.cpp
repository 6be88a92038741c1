// SPDX-License-Identifier: MIT
// Stage 02: how a case of each operation becomes a call of the submission's function. The warm-ups
// take host memory, because moving it is their lesson; the convolutions find their tensors on the
// device already, so that what is timed is the kernel.
#include "runner/harness.h"

#include <cmath>
#include <limits>
#include <string>

#include "direct_conv.h"
#include "runner/device.h"

namespace convkit::harness {
namespace {

int integer(const Call& call, const char* name) {
  return static_cast<int>(call.integer(name));
}

Launch sum_of_vectors(const Call& call) {
  return [function = call.entry<decltype(vector_add)>("vector_add"), a = call.input<float>("a"),
          b = call.input<float>("b"), c = call.output<float>("c"),
          size = call.integer("size")] { check_cuda(function(a, b, c, size), "vector_add"); };
}

// More elements than any device holds. The output is what the function returns. c and the arrays
// have one element, because a function that checks its errors never touches them. First, one
// element is added: if a function cannot do that yet, its errors are not judged.
Launch too_large_sum(const Call& call) {
  return [function = call.entry<decltype(vector_add)>("vector_add"), a = call.input<float>("a"),
          b = call.input<float>("b"), error = call.output<int32_t>("error"),
          size = int64_t{1} << call.integer("log2_size")] {
    float c = std::numeric_limits<float>::quiet_NaN();
    note_call("vector_add was called with 1 element.");
    check_cuda(function(a, b, &c, 1), "vector_add");
    if (std::isnan(c)) return;
    note_call("vector_add was called with " + std::to_string(size) +
              " elements, more than any device holds: it must return the error of cudaMalloc, and "
              "not touch a, b and c, which have 1 element.");
    *error = static_cast<int32_t>(function(a, b, &c, size));
    note_call("");
    cudaGetLastError();  // it was asked for: the next case begins without it
  };
}

Launch product_of_matrices(const Call& call) {
  return
      [function = call.entry<decltype(matrix_product)>("matrix_product"),
       a = call.input<float>("a"), b = call.input<float>("b"), c = call.output<float>("c"),
       rows = integer(call, "rows"), inner = integer(call, "inner"), cols = integer(call, "cols")] {
        check_cuda(function(a, b, c, rows, inner, cols), "matrix_product");
      };
}

Launch convolution(const Call& call, const char* symbol) {
  return [function = call.entry<decltype(conv2d_direct)>(symbol), symbol,
          x = call.device_input<float>("x"), w = call.device_input<float>("w"),
          b = call.device_input<float>("b"), y = call.device_output<float>("y"),
          shape = call.conv2d_shape(),
          stream = call.stream()] { check_cuda(function(x, w, b, y, &shape, stream), symbol); };
}

// Two calls in a row, each with its half of the filters, of the biases and of the output. Nothing
// waits between them. The second half of the filters takes the place of the first, so that only who
// reads them in each call sees that they are new.
Launch two_convolutions(const Call& call) {
  return [function = call.entry<decltype(conv2d_constant)>("conv2d_constant"),
          x = call.device_input<float>("x"), w = call.device_input<float>("w"),
          b = call.device_input<float>("b"), y = call.device_output<float>("y"),
          shape = call.conv2d_shape(), stream = call.stream(),
          filters = static_cast<float*>(
              call.device_scratch("filters", sizeof(float) * call.conv2d_shape().w_size()))] {
    note_call(
        "conv2d_constant was called twice in a row, each time with half of the filters: those of "
        "the second call lie where those of the first lay.");
    for (int half = 0; half < 2; ++half) {
      check_cuda(cudaMemcpyAsync(filters, w + half * shape.w_size(), sizeof(float) * shape.w_size(),
                                 cudaMemcpyDeviceToDevice, stream),
                 "cudaMemcpyAsync");
      check_cuda(
          function(x, filters, b + half * shape.m, y + half * shape.y_size(), &shape, stream),
          "conv2d_constant");
    }
  };
}

constexpr Op kOps[] = {
    {"vector_add", sum_of_vectors, true},
    {"vector_add_too_large", too_large_sum, true},
    {"matrix_product", product_of_matrices, true},
    {"conv2d_direct", [](const Call& call) { return convolution(call, "conv2d_direct"); }},
    {"conv2d_constant", [](const Call& call) { return convolution(call, "conv2d_constant"); }},
    {"conv2d_constant_twice", two_convolutions},
    {"conv2d_unrolled", [](const Call& call) { return convolution(call, "conv2d_unrolled"); }},
};

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
