// SPDX-License-Identifier: MIT
// Max and average pooling over windows that do not overlap. Task 07.2: forward; task 07.3:
// backward. Rows and columns that fill no window are left out.
#include "convkit/grid_stride_range.h"
#include "layer.cuh"

namespace {

[[maybe_unused]] constexpr int kThreads = 256;

// TODO(07.2): a kernel for both kinds of pooling, one thread for each output.

// TODO(07.3): kernels for dx. Windows do not overlap, so each element has one writer; elements
// outside all windows get 0.

class Pool final : public Layer {
 public:
  using Layer::Layer;

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    // TODO(07.2): pass.n * output().size() outputs; spec().kind is "maxpool" or "avgpool".
    (void)pass, (void)d_x, (void)d_y;
    CONVKIT_TODO("07.2");
  }

  void backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                float* d_dx) override {
    if (!d_dx) return;
    // TODO(07.3): dx.
    (void)pass, (void)d_x, (void)d_dy;
    CONVKIT_TODO("07.3");
  }

 private:
};

}  // namespace

std::unique_ptr<Layer> make_pool(const LayerSpec& spec) {
  return std::make_unique<Pool>(spec);
}
