// SPDX-License-Identifier: MIT
// Batch normalisation: training and its gradient (task 07.3), inference and folding (task 07.5).
#include "batch_norm.cuh"

#include "convkit/grid_stride_range.h"
#include "reduction.cuh"

namespace {

constexpr int kThreads = 256;

// TODO(07.3): kernels for both directions: one block for each channel.

// TODO(07.5): kernels for inference by the running means, and for folding.

}  // namespace

cudaError_t batchnorm_forward(const float* d_x, const float* d_scale, const float* d_shift,
                              float* d_y, float* d_mean, float* d_inverse, float* d_running_mean,
                              float* d_running_variance, float momentum, float epsilon, int n,
                              int c, int area, cudaStream_t stream) {
  (void)d_x, (void)d_scale, (void)d_shift, (void)d_y, (void)d_mean, (void)d_inverse;
  (void)d_running_mean, (void)d_running_variance, (void)momentum, (void)epsilon;
  (void)n, (void)c, (void)area, (void)stream, (void)kThreads;
  CONVKIT_TODO("07.3");
  return cudaSuccess;
}

cudaError_t batchnorm_backward(const float* d_x, const float* d_dy, const float* d_scale,
                               const float* d_mean, const float* d_inverse, float* d_dx,
                               float* d_dscale, float* d_dshift, int n, int c, int area,
                               cudaStream_t stream) {
  (void)d_x, (void)d_dy, (void)d_scale, (void)d_mean, (void)d_inverse, (void)d_dx;
  (void)d_dscale, (void)d_dshift, (void)n, (void)c, (void)area, (void)stream;
  CONVKIT_TODO("07.3");
  return cudaSuccess;
}

cudaError_t batchnorm_fold(const float* d_w, const float* d_b, const float* d_scale,
                           const float* d_shift, const float* d_mean, const float* d_variance,
                           float epsilon, float* d_folded_w, float* d_folded_b, int m, int taps,
                           cudaStream_t stream) {
  (void)d_w, (void)d_b, (void)d_scale, (void)d_shift, (void)d_mean, (void)d_variance;
  (void)epsilon, (void)d_folded_w, (void)d_folded_b, (void)m, (void)taps, (void)stream;
  CONVKIT_TODO("07.5");
  return cudaSuccess;
}

BatchNorm::BatchNorm(const LayerSpec& spec) : Layer(spec), mean_(spec.in.c), inverse_(spec.in.c) {
  const char* names[] = {".scale", ".shift", ".mean", ".variance"};
  int i = 0;
  for (Parameter* parameter : parameters()) {
    parameter->name = name() + names[i++];
    parameter->dims = {channels()};
  }
  scale_.start = running_variance_.start = Start::one;
  running_mean_.trained = running_variance_.trained = false;
}

std::vector<Parameter*> BatchNorm::parameters() {
  return {&scale_, &shift_, &running_mean_, &running_variance_};
}

void BatchNorm::forward(const Pass& pass, const float* d_x, float* d_y) {
  if (pass.training) {
    check(batchnorm_forward(d_x, scale_.value, shift_.value, d_y, mean_.data(), inverse_.data(),
                            running_mean_.value, running_variance_.value, kBatchNormMomentum,
                            kBatchNormEpsilon, pass.n, channels(), area(), pass.stream));
    return;
  }
  // TODO(07.5): by the running mean and variance.
  CONVKIT_TODO("07.5");
}

void BatchNorm::backward(const Pass& pass, const float* d_x, const float*, const float* d_dy,
                         float* d_dx) {
  if (!d_dx) {  // the network's first layer: the kernel writes it all the same
    if (unused_.count() < pass.n * input().size()) {
      unused_ = DeviceArray<float>(pass.n * input().size());
    }
    d_dx = unused_.data();
  }
  check(batchnorm_backward(d_x, d_dy, scale_.value, mean_.data(), inverse_.data(), d_dx,
                           scale_.gradient, shift_.gradient, pass.n, channels(), area(),
                           pass.stream));
}

void BatchNorm::fold_into(const float* d_w, const float* d_b, float* d_folded_w, float* d_folded_b,
                          int taps, cudaStream_t stream) const {
  check(batchnorm_fold(d_w, d_b, scale_.value, shift_.value, running_mean_.value,
                       running_variance_.value, kBatchNormEpsilon, d_folded_w, d_folded_b,
                       channels(), taps, stream));
}

std::unique_ptr<Layer> make_batch_norm(const LayerSpec& spec) {
  return std::make_unique<BatchNorm>(spec);
}
