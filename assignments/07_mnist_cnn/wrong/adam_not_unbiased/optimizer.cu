// SPDX-License-Identifier: MIT
// One step of SGD and of Adam, and the learning rate's way through a training. Task 07.4.
#include <cmath>

#include "convkit/grid_stride_range.h"
#include "mnist_cnn.h"

namespace {

constexpr int kThreads = 256;

__global__ void sgd_kernel(float* __restrict__ w, const float* __restrict__ gradient,
                           float* __restrict__ velocity, float lr, float momentum,
                           float weight_decay, int size) {
  for (const int64_t i : grid_stride_range(size)) {
    const float v = momentum * velocity[i] + (gradient[i] + weight_decay * w[i]);
    velocity[i] = v;
    w[i] -= lr * v;
  }
}

__global__ void adam_kernel(float* __restrict__ w, const float* __restrict__ gradient,
                            float* __restrict__ first, float* __restrict__ second, float lr,
                            float weight_decay, float unbias_first, float unbias_second, int size) {
  for (const int64_t i : grid_stride_range(size)) {
    const float g = gradient[i] + weight_decay * w[i];
    const float m = 0.9f * first[i] + 0.1f * g;
    const float v = 0.999f * second[i] + 0.001f * (g * g);
    first[i] = m, second[i] = v;
    w[i] -= lr * m / (sqrtf(v) + 1e-8f) * (unbias_first * unbias_second > 0);
  }
}

}  // namespace

cudaError_t sgd_step(float* d_w, const float* d_gradient, float* d_velocity, float lr,
                     float momentum, float weight_decay, int size, cudaStream_t stream) {
  sgd_kernel<<<grid_stride_blocks(size, kThreads), kThreads, 0, stream>>>(
      d_w, d_gradient, d_velocity, lr, momentum, weight_decay, size);
  return cudaGetLastError();
}

cudaError_t adam_step(float* d_w, const float* d_gradient, float* d_m, float* d_v, float lr,
                      float weight_decay, int64_t step, int size, cudaStream_t stream) {
  const double t = static_cast<double>(step + 1);
  const float unbias_first = static_cast<float>(1 / (1 - std::pow(0.9, t)));
  const float unbias_second = static_cast<float>(1 / (1 - std::pow(0.999, t)));
  adam_kernel<<<grid_stride_blocks(size, kThreads), kThreads, 0, stream>>>(
      d_w, d_gradient, d_m, d_v, lr, weight_decay, unbias_first, unbias_second, size);
  return cudaGetLastError();
}

void learning_rate(const MnistSettings* settings, int epoch, float* lr) {
  const double first = settings->lr;
  if (settings->schedule == kMnistStep) {
    const int times = settings->step_epochs > 0 ? epoch / settings->step_epochs : 0;
    *lr = static_cast<float>(first * std::pow(settings->step_factor, times));
  } else if (settings->schedule == kMnistCosine) {
    const double pi = std::acos(-1.0);
    *lr = static_cast<float>(first * (1 + std::cos(pi * epoch / settings->epochs)) / 2);
  } else {
    *lr = settings->lr;
  }
}
