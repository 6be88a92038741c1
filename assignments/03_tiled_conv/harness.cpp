// SPDX-License-Identifier: MIT
// Stage 03: how a case becomes a call of the submission's function. Tensors lie in device memory
// before the Launch is called; it is the bare call, because that is what is timed.
#include "runner/harness.h"

#include <string>

#include "runner/device.h"
#include "tiled_conv.h"
#if defined(CONVKIT_SIMT)
#include "simt/refused_call.h"
#endif

namespace convkit::harness {
namespace {

Launch convolution(const Call& call, const char* symbol) {
  return [function = call.entry<decltype(conv2d_tiled)>(symbol), x = call.device_input<float>("x"),
          w = call.device_input<float>("w"), b = call.device_input<float>("b"),
          y = call.device_output<float>("y"), shape = call.conv2d_shape(), stream = call.stream(),
          symbol] { check_cuda(function(x, w, b, y, &shape, stream), symbol); };
}

// What `made` returns if its first launch fails, which the CPU device refuses for its shape first.
template <class Made>
cudaError_t with_failing_launch(Made made) {
#if defined(CONVKIT_SIMT)
  convkit_simt_fail_attempt(CONVKIT_SIMT_LAUNCH, 1);
  const cudaError_t returned = made();
  convkit_simt_fail_attempt(CONVKIT_SIMT_LAUNCH, 0);
  return returned;
#else
  const cudaError_t returned = made();  // no call of a GPU fails because somebody wants it to
  return returned == cudaSuccess ? cudaErrorLaunchOutOfResources : returned;
#endif
}

// The first launch fails. No kernel runs, so that a grid may have more blocks than a case has time
// for: one that no device takes is refused all the same.
Launch failing_convolution(const Call& call, const char* symbol) {
  const Conv2dShape shape = call.conv2d_shape();
  return [function = call.entry<decltype(conv2d_tiled)>(symbol), symbol, stubs = Stubs(call),
          x = call.device_input<float>("x"), w = call.device_input<float>("w"),
          b = call.device_input<float>("b"), shape,
          y = static_cast<float*>(call.device_scratch("y", sizeof(float) * shape.y_size())),
          error = call.output<int32_t>("error"), stream = call.stream()] {
    note_call(std::string(symbol) +
              " was called, and its first launch of a kernel failed, once: it must return that "
              "error at once, cudaErrorLaunchOutOfResources.");
    const cudaError_t returned =
        with_failing_launch([&] { return function(x, w, b, y, &shape, stream); });
    if (stubs.any_reached()) return;
    if (returned != cudaSuccess && returned != cudaErrorLaunchOutOfResources) {
      note_call(std::string(symbol) + " was called.");
      check_cuda(returned, symbol);  // throws: another launch failed, or this one anyway
    }
    cudaGetLastError();  // it was asked for: the next call begins without it
    *error = returned;
    if (returned != cudaSuccess) note_call("");
  };
}

constexpr Op kOps[] = {
    {"conv2d_tiled_single",
     [](const Call& call) { return convolution(call, "conv2d_tiled_single"); }},
    {"conv2d_tiled", [](const Call& call) { return convolution(call, "conv2d_tiled"); }},
    {"conv2d_blocked", [](const Call& call) { return convolution(call, "conv2d_blocked"); }},
    {"conv2d_tiled_single_failing",
     [](const Call& call) { return failing_convolution(call, "conv2d_tiled_single"); }},
    {"conv2d_tiled_failing",
     [](const Call& call) { return failing_convolution(call, "conv2d_tiled"); }},
    {"conv2d_blocked_failing",
     [](const Call& call) { return failing_convolution(call, "conv2d_blocked"); }},
};

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
