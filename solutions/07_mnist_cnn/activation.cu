// SPDX-License-Identifier: MIT
// ReLU, and flatten, which computes nothing. Task 07.1: forward; task 07.3: backward.
#include "convkit/grid_stride_range.h"
#include "layer.cuh"

namespace {

[[maybe_unused]] constexpr int kThreads = 256;

// BEGIN SOLUTION(07.1)
//> // TODO(07.1): a kernel for y = max(x, 0).
// A thread takes four elements at a time; if fewer than four are left, one by one.
__global__ void relu_kernel(const float* __restrict__ x, float* __restrict__ y, int64_t size) {
  for (const int64_t i : grid_stride_range((size + 3) / 4)) {
    if (4 * i + 3 < size) {
      const float4 v = reinterpret_cast<const float4*>(x)[i];
      reinterpret_cast<float4*>(y)[i] = {fmaxf(v.x, 0), fmaxf(v.y, 0), fmaxf(v.z, 0),
                                         fmaxf(v.w, 0)};
    } else {
      for (int64_t at = 4 * i; at < size; ++at) y[at] = fmaxf(x[at], 0);
    }
  }
}
// END SOLUTION

// BEGIN SOLUTION(07.3)
//> // TODO(07.3): a kernel for dx: dy where y is above 0, else 0.
__global__ void relu_backward_kernel(const float* __restrict__ y, const float* __restrict__ dy,
                                     float* __restrict__ dx, int64_t size) {
  for (const int64_t i : grid_stride_range((size + 3) / 4)) {
    if (4 * i + 3 < size) {
      const float4 v = reinterpret_cast<const float4*>(y)[i];
      const float4 g = reinterpret_cast<const float4*>(dy)[i];
      reinterpret_cast<float4*>(dx)[i] = {v.x > 0 ? g.x : 0, v.y > 0 ? g.y : 0, v.z > 0 ? g.z : 0,
                                          v.w > 0 ? g.w : 0};
    } else {
      for (int64_t at = 4 * i; at < size; ++at) dx[at] = y[at] > 0 ? dy[at] : 0;
    }
  }
}
// END SOLUTION

class Relu final : public Layer {
 public:
  using Layer::Layer;

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    // BEGIN SOLUTION(07.1)
    //> // TODO(07.1): pass.n * input().size() elements.
    //> (void)pass, (void)d_x, (void)d_y;
    //> CONVKIT_TODO("07.1");
    const int64_t size = pass.n * input().size();
    relu_kernel<<<grid_stride_blocks((size + 3) / 4, kThreads), kThreads, 0, pass.stream>>>(
        d_x, d_y, size);
    check(cudaGetLastError());
    // END SOLUTION
  }

  void backward(const Pass& pass, const float*, const float* d_y, const float* d_dy,
                float* d_dx) override {
    if (!d_dx) return;
    // BEGIN SOLUTION(07.3)
    //> // TODO(07.3): dx.
    //> (void)pass, (void)d_y, (void)d_dy;
    //> CONVKIT_TODO("07.3");
    const int64_t size = pass.n * input().size();
    relu_backward_kernel<<<grid_stride_blocks((size + 3) / 4, kThreads), kThreads, 0,
                           pass.stream>>>(d_y, d_dy, d_dx, size);
    check(cudaGetLastError());
    // END SOLUTION
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
