// SPDX-License-Identifier: MIT
// ReLU, and flatten, which computes nothing. Task 07.1: forward; task 07.3: backward.
#include "convkit/grid_stride_range.h"
#include "layer.cuh"

namespace {

[[maybe_unused]] constexpr int kThreads = 256;

// TODO(07.1): a kernel for y = max(x, 0).

// TODO(07.3): a kernel for dx: dy where y is above 0, else 0.

class Relu final : public Layer {
 public:
  using Layer::Layer;

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    // TODO(07.1): pass.n * input().size() elements.
    (void)pass, (void)d_x, (void)d_y;
    CONVKIT_TODO("07.1");
  }

  void backward(const Pass& pass, const float*, const float* d_y, const float* d_dy,
                float* d_dx) override {
    if (!d_dx) return;
    // TODO(07.3): dx.
    (void)pass, (void)d_y, (void)d_dy;
    CONVKIT_TODO("07.3");
  }
};

// The memory of an image is a vector already.
class Flatten final : public Layer {
 public:
  using Layer::Layer;
  bool is_view() const override { return true; }
  void forward(const Pass&, const float*, float*) override {}
  void backward(const Pass&, const float*, const float*, const float*, float*) override {}
};

}  // namespace

std::unique_ptr<Layer> make_relu(const LayerSpec& spec) {
  return std::make_unique<Relu>(spec);
}

std::unique_ptr<Layer> make_flatten(const LayerSpec& spec) {
  return std::make_unique<Flatten>(spec);
}
