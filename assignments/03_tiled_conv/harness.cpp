// SPDX-License-Identifier: MIT
// Stage 03: how a case becomes a call of the submission's function. Tensors lie in device memory
// before the Launch is called; it is the bare call, because that is what is timed.
#include "runner/harness.h"

#include "runner/device.h"
#include "tiled_conv.h"

namespace convkit::harness {
namespace {

Launch convolution(const Call& call, const char* symbol) {
  return [function = call.entry<decltype(conv2d_tiled)>(symbol), x = call.device_input<float>("x"),
          w = call.device_input<float>("w"), b = call.device_input<float>("b"),
          y = call.device_output<float>("y"), shape = call.conv2d_shape(), stream = call.stream(),
          symbol] { check_cuda(function(x, w, b, y, &shape, stream), symbol); };
}

constexpr Op kOps[] = {
    {"conv2d_tiled_single",
     [](const Call& call) { return convolution(call, "conv2d_tiled_single"); }},
    {"conv2d_tiled", [](const Call& call) { return convolution(call, "conv2d_tiled"); }},
    {"conv2d_blocked", [](const Call& call) { return convolution(call, "conv2d_blocked"); }},
};

}  // namespace

std::span<const Op> stage_ops() {
  return kOps;
}

}  // namespace convkit::harness
