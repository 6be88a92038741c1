// SPDX-License-Identifier: MIT
// Stage 02: how a case of each operation becomes a call of the submission's function. The warm-ups
// take host memory, because moving it is their lesson; the convolutions find their tensors on the
// device already, so that what is timed is the kernel.
#include "runner/harness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "direct_conv.h"
#include "runner/device.h"
#if defined(CONVKIT_SIMT)
#include "simt/refused_call.h"
#endif

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

// What is made to fail, and what happened since.
#if defined(CONVKIT_SIMT)
using Attempt = ConvkitSimtAttempt;
constexpr Attempt kAllocation = CONVKIT_SIMT_ALLOCATION, kLaunch = CONVKIT_SIMT_LAUNCH;
constexpr bool kCanFail = true;
void fail_attempt(Attempt attempt, unsigned nth) {
  convkit_simt_fail_attempt(attempt, nth);
}
unsigned attempts(Attempt attempt) {
  return convkit_simt_attempts(attempt);
}
#else
enum Attempt { kAllocation, kLaunch };
constexpr bool kCanFail = false;  // no call of a GPU fails because somebody wants it to
void fail_attempt(Attempt, unsigned) {}
unsigned attempts(Attempt) {
  return 0;
}
#endif

constexpr cudaError_t error_of(Attempt attempt) {
  return attempt == kAllocation ? cudaErrorMemoryAllocation : cudaErrorLaunchOutOfResources;
}

size_t device_bytes_in_use() {
  cudaDeviceSynchronize();
  size_t free_bytes = 0, all_bytes = 0;
  cudaMemGetInfo(&free_bytes, &all_bytes);
  return all_bytes - free_bytes;
}

// What was attempted after the failure. Not a failure of the case by itself.
enum Again : int32_t { kNothing = 0, kTheSame = 1, kOthers = 2 };

struct Seen {
  cudaError_t returned;
  Again again;
};

// `made` calls `symbol`, whose `nth` attempt fails; `of`: how many it makes. No kernel runs: where
// an allocation fails, the first launch would fail, too. Throws CudaFailure if memory is left.
template <class Made>
Seen with_failure(const std::string& symbol, Attempt attempt, unsigned nth, unsigned of,
                  Made made) {
  const std::string what = attempt == kLaunch ? "its first launch of a kernel"
                           : of == 1          ? "its allocation of device memory"
                                     : "allocation of device memory number " + std::to_string(nth) +
                                           " of " + std::to_string(of);
  note_call(symbol + " was called, and " + what +
            " failed, once: it must return that error at once, " +
            cudaGetErrorName(error_of(attempt)) + ", and free what it has allocated.");
  const size_t before = device_bytes_in_use();
  fail_attempt(kAllocation, 0);
  fail_attempt(kLaunch, 1);
  fail_attempt(attempt, nth);
  const cudaError_t returned = made();
  const unsigned all = attempts(attempt);
  fail_attempt(kLaunch, 0);
  cudaGetLastError();  // it was asked for: the next call begins without it
  if (!kCanFail) return {error_of(attempt), kNothing};
  const Again again = all <= nth ? kNothing : nth == of ? kTheSame : kOthers;
  if (returned != error_of(attempt) || again != kNothing) return {returned, again};
  const size_t after = device_bytes_in_use();
  if (after > before) {
    throw CudaFailure("returned the error, and did not free " + std::to_string(after - before) +
                      " bytes of device memory.");
  }
  return {returned, kNothing};
}

// Of a function that takes host memory: each of its allocations fails, the last of them first, so
// that what is allocated after that can only be the same once more; then its first launch. Ends
// with the first call that does not return the error at once. `made` calls the function for a
// result of `elements`.
template <class Made>
Launch failing_warm_up(const Call& call, const char* symbol, size_t elements, Made made) {
  return [symbol, elements, made, stubs = Stubs(call), again = call.output<int32_t>("again"),
          error = call.output<int32_t>("error")] {
    std::vector<float> c(elements);
    const auto call_it = [&] { return made(c.data()); };
    int32_t errors[2] = {error_of(kAllocation), error_of(kLaunch)}, others[2] = {};
    const auto is_right = [&](Attempt attempt, const Seen& seen) {
      errors[attempt] = seen.returned, others[attempt] = seen.again;
      return seen.returned == error_of(attempt) && seen.again == kNothing;
    };
    with_failure(symbol, kLaunch, 1, 0, call_it);  // to count
    if (stubs.any_reached()) return;
    const unsigned count = attempts(kAllocation);
    bool right = true;
    for (unsigned nth = count; right && nth > 0; --nth) {
      right = is_right(kAllocation, with_failure(symbol, kAllocation, nth, count, call_it));
    }
    right = right && is_right(kLaunch, with_failure(symbol, kLaunch, 1, 0, call_it));
    if (right) note_call("");
    std::copy_n(errors, 2, error);
    std::copy_n(others, 2, again);
  };
}

Launch failing_sum(const Call& call) {
  const auto size = call.integer("size");
  return failing_warm_up(
      call, "vector_add", size_t(size),
      [function = call.entry<decltype(vector_add)>("vector_add"), a = call.input<float>("a"),
       b = call.input<float>("b"), size](float* c) { return function(a, b, c, size); });
}

Launch failing_product(const Call& call) {
  const int rows = integer(call, "rows"), cols = integer(call, "cols");
  return failing_warm_up(
      call, "matrix_product", size_t(rows) * size_t(cols),
      [function = call.entry<decltype(matrix_product)>("matrix_product"),
       a = call.input<float>("a"), b = call.input<float>("b"), rows, inner = integer(call, "inner"),
       cols](float* c) { return function(a, b, c, rows, inner, cols); });
}

// The first launch of a convolution fails.
Launch failing_convolution(const Call& call, const char* symbol) {
  const Conv2dShape shape = call.conv2d_shape();
  return [function = call.entry<decltype(conv2d_direct)>(symbol), symbol, stubs = Stubs(call),
          x = call.device_input<float>("x"), w = call.device_input<float>("w"),
          b = call.device_input<float>("b"), shape,
          y = static_cast<float*>(call.device_scratch("y", sizeof(float) * shape.y_size())),
          error = call.output<int32_t>("error"), stream = call.stream()] {
    const Seen seen =
        with_failure(symbol, kLaunch, 1, 0, [&] { return function(x, w, b, y, &shape, stream); });
    if (stubs.any_reached()) return;
    *error = seen.returned;
    if (seen.returned == error_of(kLaunch)) note_call("");
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
    {"vector_add_failing", failing_sum, true},
    {"matrix_product", product_of_matrices, true},
    {"matrix_product_failing", failing_product, true},
    {"conv2d_direct", [](const Call& call) { return convolution(call, "conv2d_direct"); }},
    {"conv2d_constant", [](const Call& call) { return convolution(call, "conv2d_constant"); }},
    {"conv2d_constant_twice", two_convolutions},
    {"conv2d_direct_failing",
     [](const Call& call) { return failing_convolution(call, "conv2d_direct"); }},
    {"conv2d_constant_failing",
     [](const Call& call) { return failing_convolution(call, "conv2d_constant"); }},
    {"conv2d_unrolled_failing",
     [](const Call& call) { return failing_convolution(call, "conv2d_unrolled"); }},
    {"conv2d_unrolled", [](const Call& call) { return convolution(call, "conv2d_unrolled"); }},
};

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
