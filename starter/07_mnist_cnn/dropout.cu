// SPDX-License-Identifier: MIT
// Dropout. Task 07.3.
#include "convkit/counter_random.h"
#include "convkit/grid_stride_range.h"
#include "layer.cuh"

namespace {

constexpr int kThreads = 256;

// Which elements are kept, as mnist_cnn.h says. This function is given.
__global__ void keep_kernel(uint8_t* __restrict__ keep, float probability, uint64_t seed,
                            uint64_t stream_of_numbers, int64_t size) {
  for (const int64_t i : grid_stride_range(size)) {
    keep[i] = uniform_float(seed, stream_of_numbers, i) >= probability;
  }
}

// TODO(07.3): a kernel for dropout_forward.

class Dropout final : public Layer {
 public:
  Dropout(const LayerSpec& spec, int max_batch, uint64_t seed, int index)
      : Layer(spec), seed_(seed), index_(index), keep_(max_batch * spec.in.size()) {}

  void forward(const Pass& pass, const float* d_x, float* d_y) override {
    const int64_t size = pass.n * input().size();
    if (!pass.training) {
      check(cudaMemcpyAsync(d_y, d_x, sizeof(float) * size, cudaMemcpyDeviceToDevice, pass.stream));
      return;
    }
    const uint64_t numbers = (static_cast<uint64_t>(pass.step) + 1) * 65536 + index_;
    keep_kernel<<<grid_stride_blocks(size, kThreads), kThreads, 0, pass.stream>>>(
        keep_.data(), spec().probability, seed_, numbers, size);
    check(cudaGetLastError());
    check(dropout_forward(d_x, keep_.data(), d_y, spec().probability, static_cast<int>(size),
                          pass.stream));
  }

  void backward(const Pass& pass, const float*, const float*, const float* d_dy,
                float* d_dx) override {
    if (!d_dx) return;
    // TODO(07.3): dropped elements get no gradient; the others are scaled as in forward().
    (void)pass, (void)d_dy;
    CONVKIT_TODO("07.3");
  }

 private:
  uint64_t seed_;
  int index_;
  DeviceArray<uint8_t> keep_;
};

}  // namespace

cudaError_t dropout_forward(const float* d_x, const uint8_t* d_keep, float* d_y, float probability,
                            int size, cudaStream_t stream) {
  (void)d_x, (void)d_keep, (void)d_y, (void)probability, (void)size, (void)stream;
  CONVKIT_TODO("07.3");
  return cudaSuccess;
}

std::unique_ptr<Layer> make_dropout(const LayerSpec& spec, int max_batch, uint64_t seed,
                                    int index) {
  return std::make_unique<Dropout>(spec, max_batch, seed, index);
}
