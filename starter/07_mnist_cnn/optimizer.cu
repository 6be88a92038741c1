// SPDX-License-Identifier: MIT
// One step of SGD and of Adam, and the learning rate during a training. Task 07.4.
#include <cmath>

#include "convkit/grid_stride_range.h"
#include "mnist_cnn.h"

namespace {

constexpr int kThreads = 256;

// TODO(07.4): kernels for sgd_step and adam_step.

}  // namespace

cudaError_t sgd_step(float* d_w, const float* d_gradient, float* d_velocity, float lr,
                     float momentum, float weight_decay, int size, cudaStream_t stream) {
  (void)d_w, (void)d_gradient, (void)d_velocity, (void)lr, (void)momentum, (void)weight_decay;
  (void)size, (void)stream, (void)kThreads;
  CONVKIT_TODO("07.4");
  return cudaSuccess;
}

cudaError_t adam_step(float* d_w, const float* d_gradient, float* d_m, float* d_v, float lr,
                      float weight_decay, int64_t step, int size, cudaStream_t stream) {
  (void)d_w, (void)d_gradient, (void)d_m, (void)d_v, (void)lr, (void)weight_decay, (void)step;
  (void)size, (void)stream;
  CONVKIT_TODO("07.4");
  return cudaSuccess;
}

void learning_rate(const MnistSettings* settings, int epoch, float* lr) {
  // TODO(07.4): the three schedules.
  (void)settings, (void)epoch, (void)lr;
  CONVKIT_TODO("07.4");
}
