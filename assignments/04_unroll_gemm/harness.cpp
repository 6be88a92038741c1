// SPDX-License-Identifier: MIT
// Stage 04: how a case becomes a call of the submission's function. Tensors lie in device memory
// before the Launch is called; it is the bare call, because that is what is timed.
#include "runner/harness.h"

#include <cublas_v2.h>

#include <algorithm>

#include "refused_calls.h"
#include "runner/device.h"
#include "unroll_gemm.h"

namespace convkit::harness {
namespace {

int integer(const Call& call, const char* name) {
  return static_cast<int>(call.integer(name));
}

// unroll_* and roll_*: from one tensor to another.
Launch rearrangement(const Call& call, const char* symbol, const char* from, const char* to) {
  return [function = call.entry<decltype(unroll_elements)>(symbol), symbol,
          in = call.device_input<float>(from), out = call.device_output<float>(to),
          shape = call.conv2d_shape(),
          stream = call.stream()] { check_cuda(function(in, out, &shape, stream), symbol); };
}

// A 64-bit number as the generator stores it: upper and lower half.
void store_words(int32_t* words, int64_t number) {
  words[0] = static_cast<int32_t>(number >> 32);
  words[1] = static_cast<int32_t>(number & 0xffffffff);
}

// First, middle and last image, row and column: 27 places of a matrix that is never stored.
Launch offsets(const Call& call) {
  return [function = call.entry<decltype(unroll_offset)>("unroll_offset"),
          out = call.output<int32_t>("offset"), shape = call.conv2d_shape()] {
    const int64_t sizes[] = {shape.n, int64_t(shape.c) * shape.kh * shape.kw,
                             int64_t(shape.oh()) * shape.ow()};
    int64_t offsets[27];
    for (int place = 0; place < 27; ++place) {
      int64_t at[3];
      for (int axis = 0, rest = place; axis < 3; ++axis, rest = rest * 3 % 27) {
        const int64_t marks[] = {0, sizes[axis] / 2, sizes[axis] - 1};
        at[axis] = marks[rest / 9];
      }
      offsets[place] = function(&shape, at[0], at[1], at[2]);
    }
    // Zeros only: not begun.
    if (std::all_of(offsets, offsets + 27, [](int64_t offset) { return offset == 0; })) return;
    for (int place = 0; place < 27; ++place) store_words(out + 2 * place, offsets[place]);
  };
}

Launch workspace_size(const Call& call) {
  return [function = call.entry<decltype(conv2d_gemm_workspace)>("conv2d_gemm_workspace"),
          out = call.output<int32_t>("bytes"), shape = call.conv2d_shape()] {
    const size_t bytes = function(&shape);
    if (bytes != 0) store_words(out, static_cast<int64_t>(bytes));  // 0: not begun
  };
}

Launch product(const Call& call, const char* symbol) {
  return [function = call.entry<decltype(gemm_tiled)>(symbol), symbol,
          a = call.device_input<float>("a"), b = call.device_input<float>("b"),
          c = call.device_output<float>("c"), m = integer(call, "rows"), n = integer(call, "cols"),
          k = integer(call, "inner"),
          stream = call.stream()] { check_cuda(function(a, b, c, m, n, k, stream), symbol); };
}

Launch fast_product(const Call& call) {
  return [function = call.entry<decltype(gemm_fast)>("gemm_fast"),
          a = call.device_input<float>("a"), b = call.device_input<float>("b"),
          c = call.device_output<float>("c"), m = integer(call, "rows"), n = integer(call, "cols"),
          k = integer(call, "inner"), stream = call.stream()] {
    check_cuda(function(a, b, c, m, n, k, 1.0f, 0.0f, stream), "gemm_fast");
  };
}

// c begins as a copy of c0.
Launch scaled_product(const Call& call) {
  return [function = call.entry<decltype(gemm_fast)>("gemm_fast"),
          a = call.device_input<float>("a"), b = call.device_input<float>("b"),
          c0 = call.device_input<float>("c0"), c = call.device_output<float>("c"),
          m = integer(call, "rows"), n = integer(call, "cols"), k = integer(call, "inner"),
          alpha = static_cast<float>(call.real("alpha")),
          beta = static_cast<float>(call.real("beta")), stream = call.stream()] {
    const size_t bytes = sizeof(float) * static_cast<size_t>(m) * static_cast<size_t>(n);
    check_cuda(cudaMemcpyAsync(c, c0, bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
    check_cuda(function(a, b, c, m, n, k, alpha, beta, stream), "gemm_fast");
  };
}

struct Workspace {
  void* memory;
  size_t bytes;
};

// As many bytes as the case says, and margins around them that nobody may write to.
Workspace workspace(const Call& call) {
  const size_t bytes =
      image_bytes(call.conv2d_shape()) * static_cast<size_t>(call.integer("workspace_images")) +
      static_cast<size_t>(call.integer("workspace_extra"));
  return {call.device_scratch("workspace", bytes), bytes};
}

Launch with_workspace(const Call& call) {
  return [function = call.entry<decltype(conv2d_gemm)>("conv2d_gemm"),
          x = call.device_input<float>("x"), w = call.device_input<float>("w"),
          b = call.device_input<float>("b"), y = call.device_output<float>("y"),
          shape = call.conv2d_shape(), space = workspace(call), stream = call.stream()] {
    check_cuda(function(x, w, b, y, &shape, space.memory, space.bytes, stream), "conv2d_gemm");
  };
}

Launch without_workspace(const Call& call) {
  return [function = call.entry<decltype(conv2d_implicit)>("conv2d_implicit"),
          x = call.device_input<float>("x"), w = call.device_input<float>("w"),
          b = call.device_input<float>("b"), y = call.device_output<float>("y"),
          shape = call.conv2d_shape(), stream = call.stream()] {
    check_cuda(function(x, w, b, y, &shape, stream), "conv2d_implicit");
  };
}

// Made once for the process: a library's handle is not part of what is timed.
cublasHandle_t library() {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    if (cublasCreate(&made) != CUBLAS_STATUS_SUCCESS) throw CaseError("cublasCreate failed");
    return made;
  }();
  return handle;
}

Launch by_library(const Call& call) {
  return [function = call.entry<decltype(conv2d_cublas)>("conv2d_cublas"), handle = library(),
          x = call.device_input<float>("x"), w = call.device_input<float>("w"),
          b = call.device_input<float>("b"), y = call.device_output<float>("y"),
          shape = call.conv2d_shape(), space = workspace(call), stream = call.stream()] {
    check_cuda(function(handle, x, w, b, y, &shape, space.memory, space.bytes, stream),
               "conv2d_cublas");
  };
}

std::string note_of(const char* symbol, const Fault& fault, const Arguments& arguments) {
  return std::string(symbol) + " was called " + fault.words(arguments) +
         (arguments.shape.n == 0
              ? ": there is nothing to do. It must return cudaSuccess and touch nothing."
              : ": it must return cudaErrorInvalidValue and touch nothing.");
}

template <class Function>
Launch refusals(const Call& call, const char* symbol, int calls, Function function) {
  float* small = static_cast<float*>(call.device_scratch("an array of a refused call", 256));
  const Arguments good = {small,      small + 8,      small + 16, small + 32, call.conv2d_shape(),
                          small + 48, size_t{1} << 40};
  return [&call, symbol, good, calls, function, status = call.output<int32_t>("status")] {
    int32_t returned[16];
    bool refuses = false;  // a function that refuses nothing does not check its arguments yet
    for (int what = 0; what < calls; ++what) {
      Arguments arguments = good;
      kFaults[what].make(arguments);
      note_call(note_of(symbol, kFaults[what], arguments));
      returned[what] = static_cast<int32_t>(function(arguments));
      refuses = refuses || returned[what] != cudaSuccess;
      cudaGetLastError();  // it was asked for: the next call begins without it
      call.expect_untouched();
    }
    note_call("");
    if (refuses) std::copy_n(returned, calls, status);
  };
}

Launch gemm_refusals(const Call& call) {
  return refusals(call, "conv2d_gemm", 11,
                  [function = call.entry<decltype(conv2d_gemm)>("conv2d_gemm"),
                   stream = call.stream()](const Arguments& a) {
                    return function(a.x, a.w, a.b, a.y, &a.shape, a.workspace, a.workspace_bytes,
                                    stream);
                  });
}

Launch cublas_refusals(const Call& call) {
  return refusals(call, "conv2d_cublas", 11,
                  [function = call.entry<decltype(conv2d_cublas)>("conv2d_cublas"),
                   handle = library(), stream = call.stream()](const Arguments& a) {
                    return function(handle, a.x, a.w, a.b, a.y, &a.shape, a.workspace,
                                    a.workspace_bytes, stream);
                  });
}

Launch implicit_refusals(const Call& call) {
  return refusals(
      call, "conv2d_implicit", 8,
      [function = call.entry<decltype(conv2d_implicit)>("conv2d_implicit"), stream = call.stream()](
          const Arguments& a) { return function(a.x, a.w, a.b, a.y, &a.shape, stream); });
}

constexpr Op kOps[] = {
    {"unroll_offset", offsets},
    {"unroll_elements",
     [](const Call& call) { return rearrangement(call, "unroll_elements", "x", "u"); }},
    {"unroll_columns",
     [](const Call& call) { return rearrangement(call, "unroll_columns", "x", "u"); }},
    {"roll_scatter",
     [](const Call& call) { return rearrangement(call, "roll_scatter", "u", "x"); }},
    {"roll_gather", [](const Call& call) { return rearrangement(call, "roll_gather", "u", "x"); }},
    {"gemm_tiled", [](const Call& call) { return product(call, "gemm_tiled"); }},
    {"gemm_blocked", [](const Call& call) { return product(call, "gemm_blocked"); }},
    {"gemm_fast", fast_product},
    {"gemm_fast_scaled", scaled_product},
    {"workspace_size", workspace_size},
    {"conv2d_gemm", with_workspace},
    {"gemm_refusals", gemm_refusals},
    {"conv2d_cublas", by_library},
    {"cublas_refusals", cublas_refusals},
    {"conv2d_implicit", without_workspace},
    {"implicit_refusals", implicit_refusals},
};

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
